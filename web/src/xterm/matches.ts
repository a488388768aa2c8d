// Counts what a search finds. The search addon stops counting at what it highlights.

import type { Terminal } from '@xterm/xterm';
import type { Span } from '../terminals/find';
import { lineAt } from './lines';

/** A long scrollback is read in turns of this many milliseconds, so that typing goes on. */
const turn = 8;

export interface Counted {
  /** Which of them is selected, counted from 1; 0: none. */
  at: number;
  count: number;
}

/** How many matches there are; `undefined` if nobody wants to know any more. */
export async function countMatches(
  terminal: Terminal,
  spansIn: (line: string) => Span[],
  isWanted: () => boolean,
): Promise<Counted | undefined> {
  const buffer = terminal.buffer.active;
  const selected = terminal.getSelectionPosition()?.start;
  let [at, count, row] = [0, 0, 0];
  let began = performance.now();
  while (row < buffer.length) {
    const line = lineAt(terminal, row);
    const isHere = selected !== undefined && selected.y >= row && selected.y < line.end;
    const upTo = isHere ? offsetOf(terminal, row, selected) : -1;
    for (const { from } of spansIn(line.text)) {
      ++count;
      if (isHere ? from <= upTo : selected && row < selected.y) at = count;
    }
    row = line.end;
    if (performance.now() - began < turn) continue;
    await new Promise((resolve) => setTimeout(resolve));
    if (!isWanted()) return undefined;
    began = performance.now();
  }
  return { at, count };
}

/** Where in the text of its line a cell is. */
function offsetOf(
  { buffer: { active } }: Terminal,
  from: number,
  { x, y }: { x: number; y: number },
): number {
  let offset = 0;
  for (let row = from; row < y; ++row) offset += active.getLine(row)?.translateToString(false).length ?? 0;
  return offset + (active.getLine(y)?.translateToString(false, 0, x).length ?? 0);
}
