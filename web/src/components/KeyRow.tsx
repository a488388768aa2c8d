// Keys that a phone's keyboard lacks. Pressing one does not move the focus, so the on-screen
// keyboard stays open.

import './KeyRow.css';

interface Props {
  isControlHeld: boolean;
  onControl(): void;
  onKey(key: ExtraKey): void;
}

const keys = ['Esc', 'Tab', '←', '↓', '↑', '→', 'Home', 'End', 'PgUp', 'PgDn', '|', '~', '/', '-'] as const;
export type ExtraKey = (typeof keys)[number];

const names: Partial<Record<ExtraKey, string>> = { '←': 'Left', '↓': 'Down', '↑': 'Up', '→': 'Right' };
const letters: Partial<Record<ExtraKey, string>> = {
  '↑': 'A',
  '↓': 'B',
  '→': 'C',
  '←': 'D',
  End: 'F',
  Home: 'H',
};

/** What the key sends. Cursor keys depend on the terminal's cursor key mode. */
export function bytesOf(key: ExtraKey, isApplicationMode: boolean): string {
  const letter = letters[key];
  if (letter !== undefined) return `\x1b${isApplicationMode ? 'O' : '['}${letter}`;
  if (key === 'Esc') return '\x1b';
  if (key === 'Tab') return '\t';
  if (key === 'PgUp') return '\x1b[5~';
  if (key === 'PgDn') return '\x1b[6~';
  return key;
}

/** The control character for `data`, or `data` itself if there is none. */
export function withControl(data: string): string {
  const code = data.length === 1 ? data.toUpperCase().charCodeAt(0) : 0;
  if (code >= 0x40 && code <= 0x5f) return String.fromCharCode(code & 0x1f);
  return data === ' ' ? '\x00' : data === '?' ? '\x7f' : data;
}

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
      {keys.map((key) => (
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
