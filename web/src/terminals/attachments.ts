// The tabs' screens and the channels that feed them. Screens outlive connections; channels end with
// theirs. Only the terminal that the user sees is streamed; of the others the daemon tells that
// there was output.

import { RefusedError } from '../protocol/connection';
import type { Frame } from '../protocol/frames';
import type { ServerData, ShellCommand } from '../protocol/messages';
import { Feed, type Screen } from './feed';
import { roomOf, shownTerminals } from './paneState';
import type { Requests } from './requests';
import { type Action, type State, tabOf } from './state';
import type { Store } from './store';

/** A tab's terminal emulator. It lives as long as the tab. */
export interface TabScreen extends Screen {
  /** The next snapshot is of another terminal. What is shown stays above it. */
  keepAbove(): void;
  /** A command's output begins or ends here. */
  marked?(command: ShellCommand, offset: number): void;
  /** Whether it shows marks of commands that it was not told. */
  readonly lacksCommands?: boolean;
  know?(commands: readonly ShellCommand[]): void;
  dispose(): void;
}

interface Shown {
  screen: TabScreen;
  feed: Feed;
  /** Tells apart terminals that had the same id: ids can be reused. */
  createdAt?: string;
  /** Where the output ended when the daemon last told. */
  end?: number;
}

interface Channel {
  terminalId: string;
  /** As the daemon knows it. */
  hidden: boolean;
}

/**
 * How many bytes the daemon may send ahead of what is rendered: enough for a fast network, but
 * little to wait for after a Ctrl-C.
 */
const window = 128 * 1024;

export class Attachments {
  private readonly store: Store<State, Action>;
  private readonly requests: Requests;
  private readonly createScreen: (terminalId: string) => TabScreen;
  private readonly shown = new Map<string, Shown>();
  private readonly rang: (terminalId: string) => void;
  private readonly lacksCommands: (terminalId: string) => void;
  private readonly channels = new Map<number, Channel>();
  private isPageVisible = true;
  private readonly encoder = new TextEncoder();

  constructor(
    store: Store<State, Action>,
    requests: Requests,
    createScreen: (terminalId: string) => TabScreen,
    rang: (terminalId: string) => void,
    lacksCommands: (terminalId: string) => void = () => {},
  ) {
    this.store = store;
    this.requests = requests;
    this.createScreen = createScreen;
    this.rang = rang;
    this.lacksCommands = lacksCommands;
    store.subscribe(() => this.tellHidden());
  }

  /** Whether the user sees the page at all. */
  setPageVisible(isVisible: boolean): void {
    this.isPageVisible = isVisible;
    this.tellHidden();
  }

  screenOf(terminalId: string): TabScreen | undefined {
    return this.shown.get(terminalId)?.screen;
  }

  /** Creates the terminal's screen if it has none. */
  show(terminalId: string): void {
    if (this.shown.has(terminalId)) return;
    const screen = this.createScreen(terminalId);
    const feed = new Feed(screen, {
      ack: (channel, offset) => this.requests.connection?.ack(channel, offset),
      replaced: () => this.replaced(terminalId),
    });
    this.shown.set(terminalId, { screen, feed });
  }

  remove(terminalId: string): void {
    const channel = this.channelOf(terminalId);
    if (channel !== undefined) this.channels.delete(channel);
    this.shown.get(terminalId)?.feed.detached();
    this.shown.get(terminalId)?.screen.dispose();
    this.shown.delete(terminalId);
  }

  /** Drops everything, to show another session. */
  removeAll(): void {
    for (const channel of this.channels.keys()) this.requests.connection?.tell('detach', { channel });
    for (const terminalId of [...this.shown.keys()]) this.remove(terminalId);
  }

  /** Forgets what the screen shows: it no longer belongs to this terminal. */
  forget(terminalId: string): void {
    this.shown.get(terminalId)?.feed.forget();
  }

  /** The same, but what the screen shows stays above what comes. */
  keepAbove(terminalId: string): void {
    this.forget(terminalId);
    this.shown.get(terminalId)?.screen.keepAbove();
  }

  /** Drops the channel and the screen's content, so the next attachment brings a snapshot. */
  leave(terminalId: string): void {
    const channel = this.channelOf(terminalId);
    if (channel !== undefined) {
      this.channels.delete(channel);
      this.requests.connection?.tell('detach', { channel });
    }
    this.shown.get(terminalId)?.feed.detached();
    this.forget(terminalId);
  }

  /** The connection was lost, and its channels with it. */
  disconnected(): void {
    this.channels.clear();
    for (const { feed } of this.shown.values()) feed.detached();
  }

  /**
   * Continues from the screen's offset if it shows this terminal. Rejects with a RefusedError. Unless
   * `takesSize`, the terminal keeps the size that it has.
   */
  async attach(terminalId: string, createdAt?: string, takesSize = true): Promise<void> {
    const { connection } = this.requests;
    const shown = this.shown.get(terminalId);
    if (!connection || !shown) return;
    if (createdAt !== undefined) {
      if (shown.createdAt !== createdAt) shown.feed.forget();
      shown.createdAt = createdAt;
    }
    const { since } = shown.feed;
    try {
      await connection.request('attach', {
        terminalId,
        ...(takesSize ? roomOf(this.store.get(), terminalId) : {}),
        window,
        ...(shown.screen.marked ? { marks: true } : {}),
        ...(since === undefined ? {} : { since }),
        ...(this.isHidden(terminalId) ? { hidden: true } : {}),
      });
    } catch (error) {
      if (error instanceof RefusedError) throw error;
      // The connection was lost; the next one attaches again.
    }
  }

  // --- messages from the daemon ------------------------------------------------------------------

  attached(data: ServerData<'attached'>): void {
    const { terminalId, channel, offset, rows, cols, hidden = false, status, exitCode, title } = data;
    const shown = this.shown.get(terminalId);
    if (!shown) return this.requests.connection?.tell('detach', { channel });
    this.channels.set(channel, { terminalId, hidden });
    if (shown.end !== undefined && offset > shown.end) this.mark(terminalId);
    shown.end = offset;
    shown.feed.attached(channel, offset, { rows, cols });
    this.store.dispatch({ type: 'tab_size', terminalId, size: { rows, cols } });
    if (title !== undefined) this.store.dispatch({ type: 'tab_title', terminalId, title });
    this.store.dispatch({
      type: 'tab_status',
      terminalId,
      status: status === 'exited' ? { kind: 'exited', exitCode: exitCode ?? 0 } : { kind: 'connected' },
    });
  }

  detached({ channel, terminalId, reason }: ServerData<'detached'>): void {
    this.channels.delete(channel);
    this.shown.get(terminalId)?.feed.detached();
    if (reason === 'takeover')
      this.store.dispatch({ type: 'tab_status', terminalId, status: { kind: 'detached' } });
  }

  resized({ channel, rows, cols }: ServerData<'resized'>): void {
    const terminalId = this.channels.get(channel)?.terminalId;
    if (terminalId === undefined) return;
    this.shown.get(terminalId)?.feed.resize({ rows, cols });
    this.store.dispatch({ type: 'tab_size', terminalId, size: { rows, cols } });
  }

  marked({ channel, offset, command }: ServerData<'marked'>): void {
    const shown = this.shown.get(this.channels.get(channel)?.terminalId ?? '');
    shown?.feed.between(() => shown.screen.marked?.(command, offset));
  }

  frame({ kind, channel, offset, payload }: Frame): void {
    const shown = this.shown.get(this.channels.get(channel)?.terminalId ?? '');
    if (!shown) return;
    shown.end = offset;
    shown.feed.bytes(offset, payload, kind === 'snapshot');
  }

  /** Something happened in a hidden terminal. */
  activity({ channel, offset, bell, title }: ServerData<'activity'>): void {
    const terminalId = this.channels.get(channel)?.terminalId;
    const shown = this.shown.get(terminalId ?? '');
    if (terminalId === undefined || !shown) return;
    shown.end = offset;
    this.mark(terminalId);
    if (title !== undefined) this.store.dispatch({ type: 'tab_title', terminalId, title });
    if (bell) this.rang(terminalId);
  }

  // --- user actions ------------------------------------------------------------------------------

  input(terminalId: string, data: string | Uint8Array): void {
    const channel = this.channelOf(terminalId);
    if (channel === undefined) return;
    this.requests.connection?.input(channel, typeof data === 'string' ? this.encoder.encode(data) : data);
  }

  send(terminalId: string, kind: 'text' | 'paste', text: string): void {
    if (kind === 'text') return this.input(terminalId, text);
    const channel = this.channelOf(terminalId);
    if (channel !== undefined) this.requests.connection?.paste(channel, this.encoder.encode(text));
  }

  /** Requests the sizes that fit, for all that is shown and has another one. */
  resizeShown(): void {
    const state = this.store.get();
    for (const terminalId of shownTerminals(state)) {
      const room = roomOf(state, terminalId);
      const size = tabOf(state, terminalId)?.size;
      if (size?.rows !== room?.rows || size?.cols !== room?.cols) this.resize(terminalId);
    }
  }

  /** Requests this window's size. */
  private resize(terminalId: string): void {
    const channel = this.channelOf(terminalId);
    const room = roomOf(this.store.get(), terminalId);
    if (channel !== undefined && room) this.requests.connection?.tell('resize', { channel, ...room });
  }

  /** The user is active in this window, so the terminal takes its size. */
  focus(terminalId: string): void {
    const channel = this.channelOf(terminalId);
    const room = roomOf(this.store.get(), terminalId);
    const size = tabOf(this.store.get(), terminalId)?.size;
    if (room && (size?.rows !== room.rows || size.cols !== room.cols)) this.resize(terminalId);
    else if (channel !== undefined) this.requests.connection?.tell('focus', { channel });
  }

  private replaced(terminalId: string): void {
    if (this.shown.get(terminalId)?.screen.lacksCommands) this.lacksCommands(terminalId);
  }

  private channelOf(terminalId: string): number | undefined {
    for (const [channel, each] of this.channels) if (each.terminalId === terminalId) return channel;
    return undefined;
  }

  private isHidden(terminalId: string): boolean {
    return !this.isPageVisible || !shownTerminals(this.store.get()).includes(terminalId);
  }

  private tellHidden(): void {
    for (const [channel, each] of this.channels) {
      const hidden = this.isHidden(each.terminalId);
      if (hidden === each.hidden) continue;
      each.hidden = hidden;
      // Size it first: what it then gets has to fit.
      if (!hidden) this.resize(each.terminalId);
      this.requests.connection?.tell(hidden ? 'hide' : 'show', { channel });
    }
  }

  private mark(terminalId: string): void {
    const state = this.store.get();
    if (!shownTerminals(state).includes(terminalId) && !tabOf(state, terminalId)?.activity)
      this.store.dispatch({ type: 'tab_activity', terminalId });
  }
}
