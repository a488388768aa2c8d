// Which keys the row of a touch screen has, and in which order.

import { useState } from 'react';
import { defaultExtraKeys, keyName, type PhoneKey, phoneKeys } from '../../actions/extraKeys';
import { settingsWords as say } from '../../settings/words';
import { moved } from '../../terminals/order';
import type { SectionProps } from './Field';

export function ExtraKeySettings({ preferences: { extraKeys }, change }: SectionProps) {
  const [chosen, setChosen] = useState<PhoneKey | null>(extraKeys[0] ?? null);
  const at = chosen === null ? -1 : extraKeys.indexOf(chosen);
  const more = phoneKeys.filter((key) => !extraKeys.includes(key));

  function move(key: PhoneKey, offset: 1 | -1): void {
    const before = extraKeys[offset === 1 ? at + 2 : at - 1] ?? null;
    change({ extraKeys: moved(extraKeys, key, before) });
  }

  return (
    <>
      <p className="hf-field__hint">{say.extraKeys.hint}</p>
      <h3 className="hf-settings__heading">{say.extraKeys.shown}</h3>
      <div className="hf-settings__chips">
        {extraKeys.map((key, index) => (
          <button
            key={key}
            type="button"
            className="hf-settings__chip"
            aria-label={keyName(key)}
            aria-pressed={key === chosen}
            data-setting={index === 0 ? 'extraKeys' : undefined}
            onClick={() => setChosen(key)}
          >
            {key}
          </button>
        ))}
      </div>
      {chosen !== null && at >= 0 && (
        <div className="hf-settings__chips">
          <button
            type="button"
            className="hf-button"
            disabled={at === 0}
            aria-label={say.extraKeys.earlier(keyName(chosen))}
            onClick={() => move(chosen, -1)}
          >
            ←
          </button>
          <button
            type="button"
            className="hf-button"
            disabled={at === extraKeys.length - 1}
            aria-label={say.extraKeys.later(keyName(chosen))}
            onClick={() => move(chosen, 1)}
          >
            →
          </button>
          <button
            type="button"
            className="hf-button"
            onClick={() => {
              change({ extraKeys: extraKeys.filter((key) => key !== chosen) });
              setChosen(extraKeys[at + 1] ?? extraKeys[at - 1] ?? null);
            }}
          >
            {say.extraKeys.remove(chosen)}
          </button>
        </div>
      )}
      <h3 className="hf-settings__heading">{say.extraKeys.more}</h3>
      <div className="hf-settings__chips">
        {more.map((key) => (
          <button
            key={key}
            type="button"
            className="hf-settings__chip"
            aria-label={say.extraKeys.add(keyName(key))}
            onClick={() => {
              change({ extraKeys: [...extraKeys, key] });
              setChosen(key);
            }}
          >
            {key}
          </button>
        ))}
      </div>
      <button
        type="button"
        className="hf-button"
        onClick={() => change({ extraKeys: [...defaultExtraKeys] })}
      >
        {say.extraKeys.reset}
      </button>
    </>
  );
}
