// The panes of the shown session's tabs: what a person does with them, and the layout that is kept in
// the daemon with the session, so that it is the same in every window.

import type { Attachments } from './attachments';
import { type Extent, neighbour } from './boxes';
import {
  grown,
  keptLayout,
  type Layout,
  parseLayout,
  parseZoomed,
  placed,
  pruned,
  type Side,
  tabPlaced,
  without,
  withShare,
} from './layout';
import type { From, Opener } from './opener';
import { groupWith, isZoomed, type PaneState, placedWith, roomOf, shownTerminals } from './paneState';
import type { Keeper, Preferences } from './preferences';
import type { Action, State } from './state';
import type { Store } from './store';

const name = 'layout';

/** Of what is for a tab, and of a character: in pixels. */
export interface Measured {
  area: Extent;
  cell: Extent;
}

export class Panes {
  private readonly store: Store<State, Action>;
  private readonly preferences: Preferences;
  private readonly attachments: Attachments;
  private readonly opener: Opener;
  private readonly isListed: () => boolean;
  private session: string | undefined;
  private keeper: Keeper | undefined;
  private leave = () => {};
  private active: string | null = null;

  /** `isListed` tells whether the tabs are all the terminals that there are. */
  constructor(
    store: Store<State, Action>,
    preferences: Preferences,
    attachments: Attachments,
    opener: Opener,
    isListed: () => boolean,
  ) {
    this.store = store;
    this.preferences = preferences;
    this.attachments = attachments;
    this.opener = opener;
    this.isListed = isListed;
    this.follow();
    store.subscribe(() => {
      this.follow();
      this.leaveZoom();
    });
  }

  /** Opens a terminal beside the active one. */
  async split(side: Side, from: From = {}): Promise<void> {
    const { active } = this.state;
    if (active === null) return await this.opener.open(from);
    const opened = this.opener.open(from, (terminalId) => {
      this.change((layout) => placed(layout, terminalId, active, side), null);
    });
    this.attachments.resizeShown();
    await opened;
  }

  /** Puts a terminal, or the whole tab that it is in, beside another one, and goes there. */
  place(terminalId: string, beside: string, side: Side, isWhole = false): void {
    const put = isWhole ? tabPlaced : placed;
    this.change((layout) => put(layout, terminalId, beside, side), null);
    this.enter(terminalId);
  }

  /** Makes a pane a tab of its own. */
  toTab(terminalId: string): void {
    this.change((layout) => without(layout, terminalId));
    this.attachments.resizeShown();
  }

  /** Moves the divider between two panes: how much of both is for the first one. */
  share(before: string, after: string, share: number): void {
    this.change((layout) => withShare(layout, before, after, share));
    this.attachments.resizeShown();
  }

  /** Gives the active pane more room, or less. */
  grow(by: number): void {
    const { active } = this.state;
    if (active === null) return;
    this.change((layout) => grown(layout, active, by));
    this.attachments.resizeShown();
  }

  /** Goes to the pane on that side. */
  go(side: Side): void {
    const { active } = this.state;
    const group = groupWith(this.state, active);
    if (active === null || !group) return;
    // Also from a zoomed pane, whose neighbours are out of sight.
    const whole = { ...this.state, panes: { ...this.state.panes, zoomed: null } };
    const next = neighbour(placedWith(whole, active)?.boxes ?? new Map(), active, side);
    if (next !== undefined) this.enter(next);
  }

  /** A person is in this pane now. One that is being closed may tell so too late. */
  activate(terminalId: string): void {
    if (terminalId !== this.state.active && shownTerminals(this.state).includes(terminalId))
      this.enter(terminalId);
  }

  /** Shows the active pane alone, or all of its tab again. */
  zoom(): void {
    const { active } = this.state;
    const group = groupWith(this.state, active);
    if ((group?.terminals.length ?? 1) < 2) return;
    this.change((layout) => layout, isZoomed(this.state, group) ? null : active);
    this.attachments.resizeShown();
  }

  /** Types into all panes of the tab at once, or no longer. */
  broadcastToAll(): void {
    const shown = shownTerminals(this.state);
    const isOn = shown.every((each) => this.state.panes.broadcast.includes(each));
    this.set({ broadcast: isOn || shown.length < 2 ? [] : shown });
  }

  /** Takes this pane into what is typed into at once, or out of it. */
  broadcastTo(terminalId: string): void {
    const { broadcast } = this.state.panes;
    const others = broadcast.filter((each) => each !== terminalId);
    this.set({ broadcast: others.length < broadcast.length ? others : [...others, terminalId] });
  }

  setNarrow(isNarrow: boolean): void {
    if (isNarrow === this.state.panes.isNarrow) return;
    this.set({ isNarrow });
    this.attachments.resizeShown();
  }

  /** The window or its letters have another size. */
  measured({ area, cell }: Partial<Measured>): void {
    const { panes } = this.state;
    const next = {
      area: area && isSame(area, panes.area) ? panes.area : (area ?? panes.area),
      cell: cell && isSame(cell, panes.cell) ? panes.cell : (cell ?? panes.cell),
    };
    if (next.area === panes.area && next.cell === panes.cell) return;
    this.set(next);
    if (!roomOf(this.state, null)) return;
    this.opener.roomMeasured();
    this.attachments.resizeShown();
  }

  private enter(terminalId: string): void {
    this.store.dispatch({ type: 'activated', terminalId });
    this.attachments.resizeShown();
  }

  private get state(): State {
    return this.store.get();
  }

  private set(panes: Partial<PaneState>): void {
    this.store.dispatch({ type: 'panes', panes });
  }

  /** Changes the layout that is kept, and what is shown with it. `zoomed` is as it was if it is not given. */
  private change(change: (layout: Layout) => Layout, zoomed?: string | null): void {
    this.keeper?.update(name, (kept) => {
      const layout = parseLayout(kept);
      const known = this.isListed() ? pruned(layout, (each) => this.isThere(each)) : layout;
      return keptLayout(change(known), zoomed === undefined ? parseZoomed(kept) : zoomed);
    });
  }

  /** A person goes from the zoomed pane to another one of its tab, so both are wanted. */
  private leaveZoom(): void {
    const { active, panes } = this.state;
    const before = this.active;
    this.active = active;
    if (active === before || before === null || before !== panes.zoomed) return;
    if (groupWith(this.state, before)?.terminals.includes(active ?? ''))
      this.change((layout) => layout, null);
  }

  private isThere(terminalId: string): boolean {
    return this.state.tabs.some((tab) => tab.terminalId === terminalId);
  }

  /** Shows the layout of the session that is shown. */
  private follow(): void {
    const { session } = this.state;
    if (session === this.session) return;
    this.session = session;
    const keeper = this.preferences.ofSession(session);
    if (keeper === this.keeper) return;
    this.leave();
    this.keeper = keeper;
    const show = () => {
      const kept = keeper.get(name);
      this.set({ layout: parseLayout(kept), zoomed: parseZoomed(kept) });
    };
    this.leave = keeper.subscribe(name, show);
    show();
  }
}

function isSame(one: Extent, other: Extent | null): boolean {
  return one.width === other?.width && one.height === other.height;
}
