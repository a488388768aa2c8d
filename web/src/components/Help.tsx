// The list of all keyboard shortcuts.

import { digitKeys, moreKeys, shortcutsWith } from '../actions/shortcuts';
import { words } from '../words';
import { Dialog } from './Dialog';
import './Help.css';
import { usePreferences } from './usePreferences';

interface Props {
  onChange(): void;
  onClose(): void;
}

export function Help({ onChange, onClose }: Props) {
  const [{ keys }] = usePreferences();
  const digits = { keys: digitKeys(keys.digits), does: words.moreKeys.terminals };
  const withKeys = [...shortcutsWith(keys), digits].filter((each) => each.keys !== '');
  return (
    <Dialog title={words.actions.help} onClose={onClose} wide>
      <dl className="hf-help">
        {[...withKeys, ...moreKeys].map(({ keys, does }) => (
          <div key={keys} className="hf-help__row">
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <p className="hf-dialog__text">{words.keys.note}</p>
      <div className="hf-dialog__buttons">
        <button type="button" className="hf-button" onClick={onChange}>
          {words.keys.change}
        </button>
        <button type="button" className="hf-button" data-focus="true" onClick={onClose}>
          {words.close}
        </button>
      </div>
    </Dialog>
  );
}
