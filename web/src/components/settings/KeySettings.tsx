// Every shortcut of the page, to be changed.

import { type KeyboardEvent, useState } from 'react';
import {
  type ChosenKeys,
  type Digits,
  digitChoices,
  digitKeys,
  type Named,
  problemWith,
  shortcutsWith,
  writtenKeys,
} from '../../actions/shortcuts';
import { settingsWords as say } from '../../settings/words';
import { words } from '../../words';
import type { SectionProps } from './Field';

export function KeySettings({ preferences, change }: SectionProps) {
  const { keys } = preferences;
  const choose = (action: Named, pressed: string) => change({ keys: { ...keys, [action]: pressed } });
  const forget = (action: Named) => {
    const { [action]: _gone, ...rest } = keys;
    change({ keys: rest });
  };
  return (
    <>
      <ul className="hf-settings__list">
        {shortcutsWith(keys).map(({ action, does }, at) => (
          <KeyRow
            key={action}
            action={action}
            does={does}
            chosen={keys}
            isFirst={at === 0}
            onChoose={choose}
            onForget={forget}
          />
        ))}
        <li className="hf-settings__item">
          <label className="hf-settings__name" htmlFor="hf-digits">
            {words.moreKeys.terminals}
          </label>
          <select
            id="hf-digits"
            className="hf-input hf-settings__digits"
            value={keys.digits ?? 'Alt'}
            onChange={({ target }) => change({ keys: { ...keys, digits: target.value as Digits } })}
          >
            {digitChoices.map((digits) => (
              <option key={digits} value={digits}>
                {digitKeys(digits) || say.keys.none}
              </option>
            ))}
          </select>
        </li>
      </ul>
      {Object.keys(keys).length > 0 && (
        <button type="button" className="hf-button" onClick={() => change({ keys: {} })}>
          {say.keys.reset}
        </button>
      )}
    </>
  );
}

interface RowProps {
  action: Named;
  does: string;
  chosen: ChosenKeys;
  isFirst: boolean;
  onChoose(action: Named, keys: string): void;
  onForget(action: Named): void;
}

function KeyRow({ action, does, chosen, isFirst, onChoose, onForget }: RowProps) {
  const [told, setTold] = useState<string | null>(null);
  const { keys = '' } = shortcutsWith(chosen).find((each) => each.action === action) ?? {};

  function onKeyDown(event: KeyboardEvent): void {
    const pressed = writtenKeys(event);
    if (told === null || pressed === undefined || pressed === 'Tab' || pressed === 'Shift+Tab') return;
    event.preventDefault();
    event.stopPropagation();
    if (pressed === 'Escape') return setTold(null);
    const isNone = pressed === 'Delete' || pressed === 'Backspace';
    const problem = isNone ? undefined : problemWith(pressed, action, chosen);
    if (problem === undefined) onChoose(action, isNone ? '' : pressed);
    setTold(problem ?? null);
  }

  return (
    <li className="hf-settings__item">
      <span className="hf-settings__name">{does}</span>
      {action in chosen && (
        <button
          type="button"
          className="hf-link"
          aria-label={say.keys.usual(does)}
          onClick={() => onForget(action)}
        >
          {say.keys.usualShort}
        </button>
      )}
      <button
        type="button"
        className="hf-button hf-settings__keys"
        aria-label={`${say.keys.change(does)}: ${keys || say.keys.none}`}
        data-setting={isFirst ? 'keys' : undefined}
        data-takes-keys={told !== null}
        onClick={() => setTold(say.keys.press)}
        onBlur={() => setTold(null)}
        onKeyDown={onKeyDown}
      >
        <kbd>{keys || say.keys.none}</kbd>
      </button>
      {told !== null && (
        <p className="hf-settings__told" role="status">
          {told}
        </p>
      )}
    </li>
  );
}
