// The list of all keyboard shortcuts.

import { Dialog } from './Dialog';
import './Help.css';
import { moreKeys, shortcuts } from '../actions/shortcuts';

export function Help({ onClose }: { onClose(): void }) {
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose} wide>
      <dl className="hf-help">
        {[...shortcuts, ...moreKeys].map(({ keys, does }) => (
          <div key={keys} className="hf-help__row">
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <p className="hf-dialog__text">
        A terminal takes the size of the window that you last typed in, resized or focused. On a Mac, Cmd
        works like Ctrl.
      </p>
      <div className="hf-dialog__buttons">
        <button type="button" className="hf-button" data-focus="true" onClick={onClose}>
          Close
        </button>
      </div>
    </Dialog>
  );
}
