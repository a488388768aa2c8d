// Moves everything that an emulator shows into its scrollback, for another terminal to go on below.

import type { Terminal } from '@xterm/xterm';
import { words } from '../words';

const reset = '\x1bc';
/** What a program may have left on: alternate screen, mouse, focus reports, bracketed paste. */
const leave = '\x1b[?1049l\x1b[?1000;1002;1003;1004;1006;2004l\x1b[!p\x1b[0m';

/** A snapshot without the reset that it begins with; `undefined` if it does not begin so. */
export function withoutReset(bytes: Uint8Array): Uint8Array | undefined {
  const isReset = [...reset].every((character, at) => bytes[at] === character.charCodeAt(0));
  return isReset ? bytes.subarray(reset.length) : undefined;
}

/** What to write instead of a reset. */
export function moveAbove({ rows, buffer }: Terminal): string {
  const { active } = buffer;
  let last = rows;
  while (last > 1 && !active.getLine(active.baseY + last - 1)?.translateToString(true)) --last;
  const line = `\x1b[${last};1H\r\n\x1b[2m── ${words.terminal.ranAgain} ──\x1b[0m`;
  return `${leave}${line}\x1b[${rows};1H${'\n'.repeat(Math.min(rows, last + 1))}\x1b[H`;
}
