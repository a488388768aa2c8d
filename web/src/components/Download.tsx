// Asks which file to download. What is selected in the terminal is often its path.

import { useState } from 'react';
import { words } from '../words';
import { Dialog } from './Dialog';

interface Props {
  selected: string;
  onDownload(path: string): void;
  onClose(): void;
}

export function Download({ selected, onDownload, onClose }: Props) {
  const line = selected.trim();
  const [path, setPath] = useState(line.includes('\n') ? '' : line);
  return (
    <Dialog title={words.files.title} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onClose();
          onDownload(path.trim());
        }}
      >
        <label>
          <span className="hf-dialog__text">{words.files.path}</span>
          <input
            className="hf-input"
            data-focus="true"
            value={path}
            spellCheck={false}
            autoCapitalize="off"
            onChange={(event) => setPath(event.currentTarget.value)}
          />
        </label>
        <p className="hf-dialog__text">{words.files.footer}</p>
        <div className="hf-dialog__buttons">
          <button type="button" className="hf-button" onClick={onClose}>
            {words.cancel}
          </button>
          <button type="submit" className="hf-button hf-button--main" disabled={path.trim() === ''}>
            {words.files.start}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
