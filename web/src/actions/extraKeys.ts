// What the extra keys of a small touch screen send.

export const extraKeys = [
  'Esc',
  'Tab',
  '←',
  '↓',
  '↑',
  '→',
  'Home',
  'End',
  'PgUp',
  'PgDn',
  '|',
  '~',
  '/',
  '-',
] as const;
export type ExtraKey = (typeof extraKeys)[number];

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
