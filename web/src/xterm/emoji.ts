// Emoji that are joined, a family for instance, and that the daemon and xterm.js count as several: each
// keeps its cells, and all of them are drawn as one, which the font then shows as one picture.

import type { Terminal } from '@xterm/xterm';

const part = '\\p{Extended_Pictographic}[\\ufe0f\\u{1f3fb}-\\u{1f3ff}]*';
const joined = new RegExp(`${part}(?:\\u200d${part})+`, 'gu');
const joiner = [0xe2, 0x80, 0x8d];

/** Where joined emoji are in the text of some cells. */
export function joinedEmoji(text: string): [number, number][] {
  return Array.from(text.matchAll(joined), ({ 0: found, index }) => [index, index + found.length]);
}

/** Whether there is a joiner among the bytes, which begin and end with whole characters. */
export function hasJoiner(bytes: Uint8Array): boolean {
  let at = bytes.indexOf(joiner[2] ?? 0);
  for (; at >= 0; at = bytes.indexOf(joiner[2] ?? 0, at + 1))
    if (at >= 2 && bytes[at - 1] === joiner[1] && bytes[at - 2] === joiner[0]) return true;
  return false;
}

/** Draws joined emoji as one. It costs something for each row, so it begins with the first joiner. */
export class Emoji {
  private readonly terminal: Terminal;
  private isNeeded = false;
  private isJoining = false;

  constructor(terminal: Terminal) {
    this.terminal = terminal;
  }

  look(bytes: Uint8Array): void {
    if (this.isNeeded || !hasJoiner(bytes)) return;
    this.isNeeded = true;
    this.join();
  }

  /** Call once the terminal is in the page. Before, xterm.js joins nothing. */
  join(): void {
    if (!this.isNeeded || this.isJoining || !this.terminal.element) return;
    this.isJoining = true;
    this.terminal.registerCharacterJoiner(joinedEmoji);
  }
}
