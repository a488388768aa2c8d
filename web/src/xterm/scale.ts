// How much a terminal is scaled down.

import type { Size } from '../terminals/state';

const smallestScale = 0.5;

/** The scale that fits a terminal into this window when a larger window set its size. */
export function scaleFor(size: Size | undefined, room: Size | null): number {
  if (!size || !room) return 1;
  return Math.max(smallestScale, Math.min(1, room.cols / size.cols, room.rows / size.rows));
}
