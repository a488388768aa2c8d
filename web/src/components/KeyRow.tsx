// Keys that a phone's keyboard lacks. Pressing one does not move the focus, so the on-screen
// keyboard stays open.

import { type Held, keyName, type PhoneKey } from '../actions/extraKeys';
import { words } from '../words';
import './KeyRow.css';

interface Props {
  keys: readonly PhoneKey[];
  held: Held;
  onHeld(held: Held): void;
  onKey(key: PhoneKey): void;
  onCopy(): void;
  onPaste(): void;
}

export function KeyRow({ keys, held, onHeld, onKey, onCopy, onPaste }: Props) {
  const special: Record<PhoneKey, Partial<KeyProps> | undefined> = {
    Ctrl: { isHeld: held.control, onPress: () => onHeld({ ...held, control: !held.control }) },
    Alt: { isHeld: held.alt, onPress: () => onHeld({ ...held, alt: !held.alt }) },
    Copy: { label: words.actions.copy, onPress: onCopy },
    Paste: { label: words.actions.paste, onPress: onPaste },
  };
  return (
    <div className="hf-keys" role="toolbar" aria-label={words.touchKeys.label}>
      {keys.map((key) => (
        <Key key={key} label={key} name={keyName(key)} onPress={() => onKey(key)} {...special[key]} />
      ))}
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
      aria-label={name === label ? undefined : name}
      aria-pressed={isHeld}
      onPointerDown={(event) => event.preventDefault()}
      onClick={onPress}
    >
      {label}
    </button>
  );
}
