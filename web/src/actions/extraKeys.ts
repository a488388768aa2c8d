// What the extra keys of a small touch screen send, and which there are.

import { words } from '../words';

const ownKeys = [
  'Esc',
  'Tab',
  '⇧Tab',
  '←',
  '↓',
  '↑',
  '→',
  'Home',
  'End',
  'PgUp',
  'PgDn',
  'Ins',
  'Del',
] as const;
const characters = [...'|~/-_\\`\'"$&*=+<>(){}[]:;!?@#%^'] as const;
const functionKeys = Array.from({ length: 12 }, (_, index) => `F${index + 1}`);
const shortCuts = ['^C', '^D', '^L', '^R', '^Z'];

/** A key that sends something; the others are Ctrl, Alt, Copy and Paste. */
export type ExtraKey = string;
export type PhoneKey = string;

/** Every key that the row can have. */
export const phoneKeys: readonly PhoneKey[] = [
  ...['Ctrl', 'Alt', 'Copy', 'Paste'],
  ...ownKeys,
  ...characters,
  ...shortCuts,
  ...functionKeys,
];

export const defaultExtraKeys: readonly PhoneKey[] = [
  ...['Ctrl', 'Alt', 'Esc', 'Tab', '←', '↓', '↑', '→'],
  ...['Home', 'End', 'PgUp', 'PgDn', '|', '~', '/', '-', 'Copy', 'Paste'],
];

const letters: Record<ExtraKey, string | undefined> = {
  '↑': 'A',
  '↓': 'B',
  '→': 'C',
  '←': 'D',
  End: 'F',
  Home: 'H',
};

const named: Record<ExtraKey, string | undefined> = {
  Esc: '\x1b',
  Tab: '\t',
  '⇧Tab': '\x1b[Z',
  Ins: '\x1b[2~',
  Del: '\x1b[3~',
  PgUp: '\x1b[5~',
  PgDn: '\x1b[6~',
  F1: '\x1bOP',
  F2: '\x1bOQ',
  F3: '\x1bOR',
  F4: '\x1bOS',
  F5: '\x1b[15~',
  F6: '\x1b[17~',
  F7: '\x1b[18~',
  F8: '\x1b[19~',
  F9: '\x1b[20~',
  F10: '\x1b[21~',
  F11: '\x1b[23~',
  F12: '\x1b[24~',
};

/** What the key sends. Cursor keys depend on the terminal's cursor key mode. */
export function bytesOf(key: ExtraKey, isApplicationMode: boolean): string {
  const letter = letters[key];
  if (letter !== undefined) return `\x1b${isApplicationMode ? 'O' : '['}${letter}`;
  if (key.length === 2 && key.startsWith('^')) return withControl(key.charAt(1));
  return named[key] ?? key;
}

export interface Held {
  control: boolean;
  alt: boolean;
}

/** What a keyboard would send for `data` with these keys held. */
export function withHeld(data: string, { control, alt }: Held): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: keys without a character begin with it.
  const letter = /^\x1b[[O]([A-DFH])$/.exec(data)?.[1];
  if (letter !== undefined && (control || alt))
    return `\x1b[1;${1 + (alt ? 2 : 0) + (control ? 4 : 0)}${letter}`;
  return (alt ? '\x1b' : '') + (control ? withControl(data) : data);
}

/** The control character for `data`, or `data` itself if there is none. */
function withControl(data: string): string {
  const code = data.length === 1 ? data.toUpperCase().charCodeAt(0) : 0;
  if (code >= 0x40 && code <= 0x5f) return String.fromCharCode(code & 0x1f);
  return data === ' ' ? '\x00' : data === '?' ? '\x7f' : data;
}

const names: Record<PhoneKey, string | undefined> = words.touchKeys.names;

/** The key in words, for those who listen. */
export function keyName(key: PhoneKey): string {
  return names[key] ?? key;
}
