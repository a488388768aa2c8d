// How a session's terminals lie together in tabs: trees of panes, without the page. All functions are
// pure, and a terminal that they do not find changes nothing: the layout may come from another window.
//
// Invariants of a layout
// 1. Each terminal is in it at most once. One that is not in it is a tab of its own.
// 2. A split has at least two parts, none of them split along the same way.
// 3. The sizes of a split's parts are positive, and their sum is 1.

import { isRecord } from '../protocol/shape';

export type Along = 'row' | 'column';
export type Side = 'left' | 'right' | 'up' | 'down';

/** A terminal, by its id, or several side by side. */
export type Pane = string | Split;

export interface Split {
  readonly along: Along;
  readonly parts: readonly Pane[];
  /** Fractions of the whole, one for each part. */
  readonly sizes: readonly number[];
}

/** The tabs that have more than one pane. */
export type Layout = readonly Split[];

/** No pane can be made smaller than this fraction of its split. */
export const smallestShare = 0.05;
const mostPanes = 200;
const deepest = 16;

export function terminalsIn(pane: Pane): string[] {
  return typeof pane === 'string' ? [pane] : pane.parts.flatMap(terminalsIn);
}

/** The tab that the terminal is in with others. */
export function tabWith(layout: Layout, terminalId: string): Split | undefined {
  return layout.find((each) => terminalsIn(each).includes(terminalId));
}

/** What is kept, as a layout. Never fails, and repairs what does not fit together. */
export function parseLayout(kept: unknown): Layout {
  if (!isRecord(kept) || !Array.isArray(kept.tabs)) return [];
  const seen = new Set<string>();
  return splitsOf(kept.tabs.map((each) => parsePane(each, seen, deepest)));
}

/** The terminal that is kept as the only one to show of its tab. */
export function parseZoomed(kept: unknown): string | null {
  const zoomed = isRecord(kept) ? kept.zoomed : null;
  return typeof zoomed === 'string' && tabWith(parseLayout(kept), zoomed) ? zoomed : null;
}

/** As it is kept; `undefined` if there is nothing to keep. */
export function keptLayout(layout: Layout, zoomed: string | null): unknown {
  if (layout.length === 0) return undefined;
  return zoomed !== null && tabWith(layout, zoomed) ? { tabs: layout, zoomed } : { tabs: layout };
}

/** Without the terminals that are not there any more. */
export function pruned(layout: Layout, isThere: (terminalId: string) => boolean): Layout {
  return changed(layout, (terminalId) => (isThere(terminalId) ? terminalId : undefined));
}

/** The terminal is a tab of its own, or gone. */
export function without(layout: Layout, terminalId: string): Layout {
  return pruned(layout, (each) => each !== terminalId);
}

/** Puts the terminal beside another one, which may be a tab of its own. It leaves where it was. */
export function placed(layout: Layout, terminalId: string, beside: string, side: Side): Layout {
  return joined(layout, terminalId, terminalId, beside, side);
}

/** The same with the whole tab that a terminal is in. */
export function tabPlaced(layout: Layout, terminalId: string, beside: string, side: Side): Layout {
  return joined(layout, tabWith(layout, terminalId) ?? terminalId, terminalId, beside, side);
}

/** How much of the two parts on both sides of a divider is before it; 0.5 if they are not together. */
export function shareOf(layout: Layout, before: string, after: string): number {
  const divider = dividerBetween(tabWith(layout, before), before, after);
  if (!divider) return 0.5;
  const { sizes } = divider.split;
  const [one, other] = [sizes[divider.at] ?? 0, sizes[divider.at + 1] ?? 0];
  return one / (one + other);
}

/** Moves the divider that is between two terminals. */
export function withShare(layout: Layout, before: string, after: string, share: number): Layout {
  const tab = tabWith(layout, before);
  const divider = dividerBetween(tab, before, after);
  if (!tab || !divider) return layout;
  const { split, at } = divider;
  const both = (split.sizes[at] ?? 0) + (split.sizes[at + 1] ?? 0);
  const first = both * Math.min(1 - smallestShare, Math.max(smallestShare, share));
  const sizes = split.sizes.map((size, index) =>
    index === at ? first : index === at + 1 ? both - first : size,
  );
  return layout.map((each) => (each === tab ? (swapped(tab, split, { ...split, sizes }) as Split) : each));
}

/** Gives the terminal's part more room, or less, in each split that it is in. */
export function grown(layout: Layout, terminalId: string, by: number): Layout {
  return layout.map((tab) => (terminalsIn(tab).includes(terminalId) ? grownIn(tab, terminalId, by) : tab));
}

// --- one tree ------------------------------------------------------------------------------------

function joined(layout: Layout, moved: Pane, terminalId: string, beside: string, side: Side): Layout {
  const ids = terminalsIn(moved);
  if (ids.includes(beside) || terminalId === beside) return layout;
  const rest = pruned(layout, (each) => !ids.includes(each));
  const both = (target: Pane) => sideBySide(target, moved, side);
  if (!tabWith(rest, beside)) return [...rest, ...splitsOf([both(beside)])];
  return splitsOf(rest.map((tab) => mapped(tab, (each) => (each === beside ? both(each) : each))));
}

function sideBySide(target: Pane, moved: Pane, side: Side): Pane | undefined {
  const along = side === 'left' || side === 'right' ? 'row' : 'column';
  const parts = side === 'left' || side === 'up' ? [moved, target] : [target, moved];
  return splitOf(
    along,
    parts.map((part) => [part, 0.5]),
  );
}

function changed(layout: Layout, change: (terminalId: string) => Pane | undefined): Layout {
  return splitsOf(layout.map((tab) => mapped(tab, change)));
}

function splitsOf(panes: (Pane | undefined)[]): Split[] {
  return panes.filter((pane): pane is Split => typeof pane === 'object');
}

/** The tree with each terminal changed, or left out if it becomes `undefined`. */
function mapped(pane: Pane, change: (terminalId: string) => Pane | undefined): Pane | undefined {
  if (typeof pane === 'string') return change(pane);
  return splitOf(
    pane.along,
    pane.parts.map((part, at) => [mapped(part, change), pane.sizes[at] ?? 0]),
  );
}

/** A split of these parts, if there are so many, with those of parts that are split the same way. */
function splitOf(along: Along, parts: [Pane | undefined, number][]): Pane | undefined {
  const flat = parts.flatMap(([part, size]): [Pane, number][] => {
    if (part === undefined) return [];
    if (typeof part === 'string' || part.along !== along) return [[part, size]];
    return part.parts.map((each, at) => [each, size * (part.sizes[at] ?? 0)]);
  });
  if (flat.length < 2) return flat[0]?.[0];
  const sum = flat.reduce((total, [, size]) => total + size, 0);
  return { along, parts: flat.map(([part]) => part), sizes: flat.map(([, size]) => size / sum) };
}

function swapped(pane: Pane, old: Split, by: Split): Pane {
  if (pane === old) return by;
  if (typeof pane === 'string') return pane;
  return { ...pane, parts: pane.parts.map((part) => swapped(part, old, by)) };
}

/** Where the parts with these terminals meet. */
function dividerBetween(
  pane: Pane | undefined,
  before: string,
  after: string,
): { split: Split; at: number } | undefined {
  if (pane === undefined || typeof pane === 'string') return undefined;
  const at = pane.parts.findIndex((part) => terminalsIn(part).includes(before));
  const other = pane.parts.findIndex((part) => terminalsIn(part).includes(after));
  if (at === other) return dividerBetween(pane.parts[at], before, after);
  return at >= 0 && other === at + 1 ? { split: pane, at } : undefined;
}

function grownIn(split: Split, terminalId: string, by: number): Split {
  const at = split.parts.findIndex((part) => terminalsIn(part).includes(terminalId));
  const old = split.sizes[at] ?? 0;
  const most = 1 - smallestShare * (split.parts.length - 1);
  const size = Math.min(most, Math.max(smallestShare, old + by));
  const sizes = split.sizes.map((each, index) => (index === at ? size : (each * (1 - size)) / (1 - old)));
  const parts = split.parts.map((part, index) =>
    index === at && typeof part !== 'string' ? grownIn(part, terminalId, by) : part,
  );
  return { ...split, parts, sizes };
}

function parsePane(value: unknown, seen: Set<string>, depth: number): Pane | undefined {
  if (typeof value === 'string') {
    if (seen.has(value) || seen.size >= mostPanes) return undefined;
    seen.add(value);
    return value;
  }
  if (!isRecord(value) || depth === 0) return undefined;
  const { along, parts, sizes } = value;
  if ((along !== 'row' && along !== 'column') || !Array.isArray(parts) || !Array.isArray(sizes))
    return undefined;
  return splitOf(
    along,
    parts.map((part, at) => {
      const size: unknown = sizes[at];
      const isSize = typeof size === 'number' && size > 1e-4 && size <= 1;
      return [parsePane(part, seen, depth - 1), isSize ? size : 1 / parts.length];
    }),
  );
}
