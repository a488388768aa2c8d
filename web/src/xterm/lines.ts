// The lines of a terminal: rows that are wrapped belong to one line.

import type { Terminal } from '@xterm/xterm';

export interface Line {
  text: string;
  /** Its first row, counted from the top of the scrollback. */
  row: number;
  /** The row after its last one. */
  end: number;
}

/** The line that begins in that row. */
export function lineAt({ buffer: { active } }: Terminal, row: number): Line {
  let text = '';
  let end = row;
  do {
    const isLast = !active.getLine(end + 1)?.isWrapped;
    text += active.getLine(end)?.translateToString(isLast) ?? '';
    ++end;
  } while (active.getLine(end)?.isWrapped);
  return { text, row, end };
}

/** The row in which the line begins that has that row. */
export function startOf({ buffer: { active } }: Terminal, row: number): number {
  let start = row;
  while (start > 0 && active.getLine(start)?.isWrapped) --start;
  return start;
}

/** Where a line is: text, and how many lines come after it. */
export interface Sought {
  text: string;
  fromEnd: number;
}

/**
 * The line with that text that is nearest to that place; `undefined` if there is none. Output that came
 * meanwhile has moved it up.
 */
export function findLine(terminal: Terminal, { text, fromEnd }: Sought): Line | undefined {
  const { length } = terminal.buffer.active;
  const plain = (some: string) => some.replace(/\s+$/, '');
  const isSought = (line: Line) => plain(line.text) === text || line.text.startsWith(text);
  let best: Line | undefined;
  let distance = Number.POSITIVE_INFINITY;
  let after = 0;
  for (let row = startOf(terminal, length - 1); row >= 0; row = startOf(terminal, row - 1)) {
    const away = Math.abs(after - fromEnd);
    if (after > fromEnd && away > distance) break;
    const line = lineAt(terminal, row);
    if (isSought(line) && away < distance) [best, distance] = [line, away];
    if (row === 0) break;
    ++after;
  }
  return best;
}

/** A terminal that was just opened gets its lines a little later. */
const patience = 10_000;

/** Shows and selects a line, when it is there. False if it does not come. */
export function reveal(terminal: Terminal, sought: Sought): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (isShown: boolean) => {
      clearTimeout(timer);
      listening.dispose();
      resolve(isShown);
    };
    const look = () => {
      const line = findLine(terminal, sought);
      if (!line) return;
      terminal.scrollToLine(Math.max(0, line.row - Math.floor(terminal.rows / 2)));
      terminal.selectLines(line.row, line.end - 1);
      end(true);
    };
    const timer = setTimeout(() => end(false), patience);
    const listening = terminal.onWriteParsed(look);
    look();
  });
}
