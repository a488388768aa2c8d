// The list of all keyboard shortcuts, and a choice of the command bar's.

import { useState } from 'react';
import { keysOf, moreKeys, problemWith, shortcutsWith } from '../actions/shortcuts';
import { words } from '../words';
import { Dialog } from './Dialog';
import './Help.css';

interface Props {
  commandKeys: string;
  onCommandKeys(keys: string): void;
  onClose(): void;
}

export function Help({ commandKeys, onCommandKeys, onClose }: Props) {
  return (
    <Dialog title={words.actions.help} onClose={onClose} wide>
      <dl className="hf-help">
        {[...shortcutsWith(commandKeys), ...moreKeys].map(({ keys, does }) => (
          <div key={keys} className="hf-help__row">
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <p className="hf-dialog__text">{words.keys.note}</p>
      <CommandKeys keys={commandKeys} onKeys={onCommandKeys} />
      <div className="hf-dialog__buttons">
        <button type="button" className="hf-button" data-focus="true" onClick={onClose}>
          {words.close}
        </button>
      </div>
    </Dialog>
  );
}

function CommandKeys({ keys, onKeys }: { keys: string; onKeys(keys: string): void }) {
  const [told, setTold] = useState<string | null>(null);
  return (
    <p className="hf-dialog__text" role="status">
      {told ?? words.keys.commandBar(keys)}{' '}
      <button
        type="button"
        className="hf-link"
        onClick={() => setTold(words.keys.press)}
        onBlur={() => setTold(null)}
        data-takes-keys={told !== null}
        onKeyDown={(event) => {
          const pressed = keysOf(event);
          if (told === null || pressed === undefined) return;
          event.preventDefault();
          event.stopPropagation();
          const problem = pressed === 'Escape' ? null : problemWith(pressed);
          if (problem === undefined) onKeys(pressed);
          setTold(problem ?? null);
        }}
      >
        {words.keys.change}
      </button>
    </p>
  );
}
