// Where panes and dividers are in the page, and how many rows and columns fit into a pane: from the
// layout, the size of the area, and the size of a character. Nothing is measured for each pane, so
// the size of a terminal is known before it is shown.

import type { Along, Pane, Side } from './layout';
import type { Size } from './state';

export interface Extent {
  width: number;
  height: number;
}

export interface Box extends Extent {
  left: number;
  top: number;
}

/** Between two parts of a split. Moving it changes how much of `box` belongs to which. */
export interface Divider {
  along: Along;
  /** A terminal of each part. */
  before: string;
  after: string;
  /** Of the divider, and of both parts together with it. */
  box: Box;
  both: Box;
}

/** As in Panes.css and TerminalView.css. */
export const dividerWidth = 5;
export const headerHeight = 26;
const inset = { left: 12, top: 4 };
/** What xterm.js leaves for its scrollbar. */
const scrollbar = 14;
const mostCells = 500;
const leastCells = 2;

export interface Placed {
  boxes: Map<string, Box>;
  dividers: Divider[];
}

export function place(pane: Pane, box: Box): Placed {
  const placed: Placed = { boxes: new Map(), dividers: [] };
  placeIn(pane, box, placed);
  return placed;
}

function placeIn(pane: Pane, box: Box, placed: Placed): void {
  if (typeof pane === 'string') {
    placed.boxes.set(pane, box);
    return;
  }
  const boxes = partsOf(pane.sizes, pane.along, box);
  for (const [at, part] of pane.parts.entries()) {
    const [mine, next, nextPart] = [boxes[at], boxes[at + 1], pane.parts[at + 1]];
    if (!mine) continue;
    placeIn(part, mine, placed);
    if (!next || nextPart === undefined) continue;
    const before = firstOf(part);
    const after = firstOf(nextPart);
    placed.dividers.push({ along: pane.along, before, after, ...between(mine, next, pane.along) });
  }
}

function firstOf(pane: Pane): string {
  const [first = ''] = typeof pane === 'string' ? [pane] : pane.parts;
  return typeof first === 'string' ? first : firstOf(first);
}

/** Whole pixels, without a gap or an overlap. */
function partsOf(sizes: readonly number[], along: Along, box: Box): Box[] {
  const length = (along === 'row' ? box.width : box.height) - dividerWidth * (sizes.length - 1);
  let share = 0;
  return sizes.map((size, at) => {
    const from = Math.round(share * length);
    share += size;
    const to = Math.round(share * length);
    const start = from + at * dividerWidth;
    return along === 'row'
      ? { ...box, left: box.left + start, width: to - from }
      : { ...box, top: box.top + start, height: to - from };
  });
}

function between(mine: Box, next: Box, along: Along): { box: Box; both: Box } {
  if (along === 'row') {
    const left = mine.left + mine.width;
    return {
      box: { ...mine, left, width: dividerWidth },
      both: { ...mine, width: next.left + next.width - mine.left },
    };
  }
  const top = mine.top + mine.height;
  return {
    box: { ...mine, top, height: dividerWidth },
    both: { ...mine, height: next.top + next.height - mine.top },
  };
}

/** How many characters of this size fit. */
export function roomIn({ width, height }: Extent, cell: Extent, hasHeader: boolean): Size {
  const cells = (pixels: number, size: number) =>
    Math.min(mostCells, Math.max(leastCells, Math.floor(pixels / size)));
  return {
    rows: cells(height - inset.top - (hasHeader ? headerHeight : 0), cell.height),
    cols: cells(width - inset.left - scrollbar, cell.width),
  };
}

/** The pane on that side of a pane: of several, the one that shares most of its edge. */
export function neighbour(boxes: Map<string, Box>, from: string, side: Side): string | undefined {
  const mine = boxes.get(from);
  if (!mine) return undefined;
  const isRow = side === 'left' || side === 'right';
  let best: { id: string; distance: number; shared: number } | undefined;
  for (const [id, box] of boxes) {
    const distance = distanceTo(mine, box, side);
    const shared = isRow
      ? overlap(mine.top, mine.height, box.top, box.height)
      : overlap(mine.left, mine.width, box.left, box.width);
    if (id === from || distance < 0 || shared <= 0) continue;
    const isBetter =
      !best || distance < best.distance || (distance === best.distance && shared > best.shared);
    if (isBetter) best = { id, distance, shared };
  }
  return best?.id;
}

/** Negative if it is not on that side. */
function distanceTo(mine: Box, other: Box, side: Side): number {
  if (side === 'left') return mine.left - (other.left + other.width);
  if (side === 'right') return other.left - (mine.left + mine.width);
  if (side === 'up') return mine.top - (other.top + other.height);
  return other.top - (mine.top + mine.height);
}

function overlap(from: number, length: number, otherFrom: number, otherLength: number): number {
  return Math.min(from + length, otherFrom + otherLength) - Math.max(from, otherFrom);
}

/** On which side of a box something is dropped: that of the nearest edge. */
export function sideAt({ width, height }: Extent, x: number, y: number): Side {
  const [right, down] = [x / width, y / height];
  const distances: Record<Side, number> = { left: right, right: 1 - right, up: down, down: 1 - down };
  return (Object.keys(distances) as Side[]).reduce((best, side) =>
    distances[side] < distances[best] ? side : best,
  );
}
