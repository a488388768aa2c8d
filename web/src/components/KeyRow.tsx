// Keys that a phone's keyboard lacks. Pressing one does not move the focus, so the on-screen
// keyboard stays open.

import { type ExtraKey, extraKeys } from '../actions/extraKeys';
import './KeyRow.css';

interface Props {
  isControlHeld: boolean;
  onControl(): void;
  onKey(key: ExtraKey): void;
}

const names: Partial<Record<ExtraKey, string>> = { '←': 'Left', '↓': 'Down', '↑': 'Up', '→': 'Right' };

export function KeyRow({ isControlHeld, onControl, onKey }: Props) {
  return (
    <div className="hf-keys" role="toolbar" aria-label="Extra keys">
      <button
        type="button"
        className="hf-key"
        aria-pressed={isControlHeld}
        onPointerDown={(event) => event.preventDefault()}
        onClick={onControl}
      >
        Ctrl
      </button>
      {extraKeys.map((key) => (
        <button
          key={key}
          type="button"
          className="hf-key"
          aria-label={names[key]}
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => onKey(key)}
        >
          {key}
        </button>
      ))}
    </div>
  );
}
