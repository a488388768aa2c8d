// A yes-or-no question of the page itself, before it closes or pastes something.

import { words } from '../words';
import { Dialog } from './Dialog';

interface Props {
  title: string;
  text: string;
  code?: string;
  yes: string;
  onYes(): void;
  onNo(): void;
}

/** It may open while someone types, so Enter means no. */
export function Confirm({ title, text, code, yes, onYes, onNo }: Props) {
  return (
    <Dialog title={title} onClose={onNo}>
      <p className="hf-dialog__text">{text}</p>
      {code !== undefined && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a long text has to be scrolled with keys.
        <pre className="hf-code hf-dialog__code" tabIndex={0}>
          {code}
        </pre>
      )}
      <div className="hf-dialog__buttons">
        <button type="button" className="hf-button hf-button--main" data-focus="true" onClick={onNo}>
          {words.cancel}
        </button>
        <button type="button" className="hf-button" onClick={onYes}>
          {yes}
        </button>
      </div>
    </Dialog>
  );
}
