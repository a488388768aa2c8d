// Keys that a phone's keyboard lacks. Pressing one does not move the focus, so the on-screen
// keyboard stays open.

import { type ExtraKey, extraKeys, type Held } from '../actions/extraKeys';
import { words } from '../words';
import './KeyRow.css';

interface Props {
  held: Held;
  onHeld(held: Held): void;
  onKey(key: ExtraKey): void;
  onCopy(): void;
  onPaste(): void;
}

const names: Partial<Record<ExtraKey, string>> = words.touchKeys.names;

export function KeyRow({ held, onHeld, onKey, onCopy, onPaste }: Props) {
  return (
    <div className="hf-keys" role="toolbar" aria-label={words.touchKeys.label}>
      <Key label="Ctrl" isHeld={held.control} onPress={() => onHeld({ ...held, control: !held.control })} />
      <Key label="Alt" isHeld={held.alt} onPress={() => onHeld({ ...held, alt: !held.alt })} />
      {extraKeys.map((key) => (
        <Key key={key} label={key} name={names[key]} onPress={() => onKey(key)} />
      ))}
      <Key label={words.actions.copy} onPress={onCopy} />
      <Key label={words.actions.paste} onPress={onPaste} />
    </div>
  );
}

interface KeyProps {
  label: string;
  name?: string | undefined;
  isHeld?: boolean;
  onPress(): void;
}

function Key({ label, name, isHeld, onPress }: KeyProps) {
  return (
    <button
      type="button"
      className="hf-key"
      aria-label={name}
      aria-pressed={isHeld}
      onPointerDown={(event) => event.preventDefault()}
      onClick={onPress}
    >
      {label}
    </button>
  );
}
