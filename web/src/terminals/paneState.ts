// Which terminals the page shows together, and how large they are: read from the state.

import { type Box, type Extent, type Placed, place, roomIn } from './boxes';
import { type Layout, type Pane, pruned, tabWith, terminalsIn } from './layout';
import type { Size, State } from './state';

export interface PaneState {
  /** As it is kept. It may name terminals that are not there. */
  layout: Layout;
  /** The terminal that is shown without the others of its tab, as it is kept. */
  zoomed: string | null;
  /** A phone: one terminal at a time, each a tab of its own. */
  isNarrow: boolean;
  /** Terminals that are all typed into while one of them is. */
  broadcast: readonly string[];
  /** Terminals, the one that was active last first. */
  recent: readonly string[];
  /** Of everything in a tab, in pixels. */
  area: Extent | null;
  /** Of a character, in pixels. */
  cell: Extent | null;
}

export const noPanes: PaneState = {
  layout: [],
  zoomed: null,
  isNarrow: false,
  broadcast: [],
  recent: [],
  area: null,
  cell: null,
};

/** One tab of the tab bar. */
export interface Group {
  /** The terminal that the tab is called by: the one that was active last. */
  lead: string;
  terminals: string[];
  tree: Pane;
}

let last: { state: Pick<State, 'tabs' | 'panes'>; groups: Group[] } | undefined;

/** The tabs of the tab bar, where the first of their terminals is. */
export function groupsOf(state: State): Group[] {
  if (last?.state.tabs === state.tabs && last.state.panes === state.panes) return last.groups;
  const { layout, isNarrow, recent } = state.panes;
  const ids = new Set(state.tabs.map(({ terminalId }) => terminalId));
  const known = isNarrow ? [] : pruned(layout, (terminalId) => ids.has(terminalId));
  const groups: Group[] = [];
  const seen = new Set<string>();
  for (const { terminalId } of state.tabs) {
    if (seen.has(terminalId)) continue;
    const tree = tabWith(known, terminalId) ?? terminalId;
    const terminals = terminalsIn(tree);
    for (const each of terminals) seen.add(each);
    const lead = recent.find((each) => terminals.includes(each)) ?? terminals[0] ?? terminalId;
    groups.push({ lead, terminals, tree });
  }
  last = { state, groups };
  return groups;
}

export function groupWith(state: State, terminalId: string | null): Group | undefined {
  return groupsOf(state).find(({ terminals }) => terminalId !== null && terminals.includes(terminalId));
}

/** All terminals, tab by tab, with the tabs in this order of their leads. */
export function inOrder(state: State, leads: readonly string[]): string[] {
  const groups = groupsOf(state);
  return leads.flatMap((lead) => groups.find((group) => group.lead === lead)?.terminals ?? []);
}

/** Who is in another pane of the tab keeps it in sight, even if another window zooms one. */
export function isZoomed({ panes, active }: State, group: Group | undefined): boolean {
  const { zoomed } = panes;
  if (zoomed === null || !group?.terminals.includes(zoomed)) return false;
  return active === zoomed || active === null || !group.terminals.includes(active);
}

/** The group as it is shown: all of it, or the terminal that is zoomed. */
function shownTree(state: State, group: Group): Pane {
  return (isZoomed(state, group) && state.panes.zoomed) || group.tree;
}

/** What is in sight. */
export function shownTerminals(state: State): string[] {
  const group = groupWith(state, state.active);
  return group ? terminalsIn(shownTree(state, group)) : [];
}

/** Where the panes of a terminal's tab are. */
export function placedWith(state: State, terminalId: string | null): Placed | undefined {
  const group = groupWith(state, terminalId);
  const { area } = state.panes;
  if (!group || !area) return undefined;
  return place(shownTree(state, group), { left: 0, top: 0, ...area });
}

/** A pane has a header, unless its tab has no other pane. */
export function hasHeader(state: State, terminalId: string): boolean {
  return (groupWith(state, terminalId)?.terminals.length ?? 1) > 1;
}

/** The size that fits; `null` before the first terminal is drawn. */
export function roomOf(state: State, terminalId: string | null): Size | null {
  const { area, cell } = state.panes;
  if (!area || !cell) return null;
  const box: Box | undefined =
    terminalId === null ? undefined : placedWith(state, terminalId)?.boxes.get(terminalId);
  return roomIn(box ?? area, cell, terminalId !== null && hasHeader(state, terminalId));
}

/** Where what is typed into a terminal goes. Nobody types into a terminal that is out of sight. */
export function typedInto(state: State, terminalId: string): string[] {
  const { broadcast } = state.panes;
  if (!broadcast.includes(terminalId)) return [terminalId];
  const shown = shownTerminals(state);
  return broadcast.filter((each) => each === terminalId || shown.includes(each));
}

/** The terminal to go to once this one is gone: the last one of its tab, or of a tab beside it. */
export function successorOf(state: State, terminalId: string): string | null {
  const groups = groupsOf(state);
  const at = groups.findIndex(({ terminals }) => terminals.includes(terminalId));
  const mates = (groups[at]?.terminals ?? []).filter((each) => each !== terminalId);
  if (mates.length > 0) return state.panes.recent.find((each) => mates.includes(each)) ?? mates[0] ?? null;
  return groups[at + 1]?.lead ?? groups[at - 1]?.lead ?? null;
}

/** After any change: what follows from another terminal being active, or gone. */
export function panesAfter(before: State, next: State): PaneState {
  const { panes, active, tabs } = next;
  if (before.active === active && before.tabs.length === tabs.length && before.session === next.session)
    return panes;
  const isThere = (terminalId: string) => tabs.some((tab) => tab.terminalId === terminalId);
  const recent = [...(active === null ? [] : [active]), ...panes.recent.filter((each) => each !== active)];
  return { ...panes, recent: recent.filter(isThere), broadcast: panes.broadcast.filter(isThere) };
}
