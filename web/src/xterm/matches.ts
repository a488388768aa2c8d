// Counts what a search finds. The search addon stops counting at what it highlights.

import type { Terminal } from '@xterm/xterm';

/** How many matches there are, and which of them is selected, counted from 1. */
export function countMatches(terminal: Terminal, what: string): { at: number; count: number } {
  const buffer = terminal.buffer.active;
  const selected = terminal.getSelectionPosition()?.start;
  const sought = what.toLowerCase();
  let [at, count] = [0, 0];
  for (let row = 0; row < buffer.length; ) {
    // A line may be wrapped over several rows.
    let text = '';
    let upTo = -1;
    let next = row;
    do {
      const line = buffer.getLine(next);
      const isSelected = selected?.y === next;
      if (isSelected) upTo = text.length + (line?.translateToString(false, 0, selected.x).length ?? 0);
      text += line?.translateToString(!buffer.getLine(next + 1)?.isWrapped) ?? '';
      ++next;
    } while (buffer.getLine(next)?.isWrapped);
    const lower = text.toLowerCase();
    for (let found = lower.indexOf(sought); found >= 0; found = lower.indexOf(sought, found + 1)) {
      ++count;
      if (found <= upTo || (selected && row < selected.y && upTo < 0)) at = count;
    }
    row = next;
  }
  return { at, count };
}
