// The tabs' screens and the channels that feed them. Screens outlive connections; channels end with
// theirs.

import { RefusedError } from '../protocol/connection';
import type { Frame } from '../protocol/frames';
import type { ServerData } from '../protocol/messages';
import { Feed, type Screen } from './feed';
import type { Requests } from './requests';
import { type Action, type State, tabOf } from './state';
import type { Store } from './store';

/** A tab's terminal emulator. It lives as long as the tab. */
export interface TabScreen extends Screen {
  dispose(): void;
}

interface Shown {
  screen: TabScreen;
  feed: Feed;
  /** Tells apart terminals that had the same id: ids can be reused. */
  createdAt?: string;
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
  private readonly channels = new Map<number, string>();
  private readonly encoder = new TextEncoder();

  constructor(
    store: Store<State, Action>,
    requests: Requests,
    createScreen: (terminalId: string) => TabScreen,
  ) {
    this.store = store;
    this.requests = requests;
    this.createScreen = createScreen;
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
    });
    this.shown.set(terminalId, { screen, feed });
  }

  remove(terminalId: string): void {
    const channel = this.channelOf(terminalId);
    if (channel !== undefined) this.channels.delete(channel);
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

  /** Continues from the screen's offset if it shows this terminal. Rejects with a RefusedError. */
  async attach(terminalId: string, createdAt?: string): Promise<void> {
    const { connection } = this.requests;
    const shown = this.shown.get(terminalId);
    if (!connection || !shown) return;
    if (createdAt !== undefined) {
      if (shown.createdAt !== createdAt) shown.feed.forget();
      shown.createdAt = createdAt;
    }
    const { since } = shown.feed;
    const { room } = this.store.get();
    try {
      await connection.request('attach', {
        terminalId,
        ...(room ?? {}),
        window,
        ...(since === undefined ? {} : { since }),
      });
    } catch (error) {
      if (error instanceof RefusedError) throw error;
      // The connection was lost; the next one attaches again.
    }
  }

  // --- messages from the daemon ------------------------------------------------------------------

  attached(data: ServerData<'attached'>): void {
    const { terminalId, channel, offset, rows, cols, status, exitCode, title } = data;
    const shown = this.shown.get(terminalId);
    if (!shown) return this.requests.connection?.tell('detach', { channel });
    this.channels.set(channel, terminalId);
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
    const terminalId = this.channels.get(channel);
    if (terminalId === undefined) return;
    this.shown.get(terminalId)?.feed.resize({ rows, cols });
    this.store.dispatch({ type: 'tab_size', terminalId, size: { rows, cols } });
  }

  frame({ kind, channel, offset, payload }: Frame): void {
    const terminalId = this.channels.get(channel);
    if (terminalId === undefined) return;
    this.shown.get(terminalId)?.feed.bytes(offset, payload);
    const state = this.store.get();
    if (kind !== 'output' || payload.length === 0 || terminalId === state.active) return;
    if (!tabOf(state, terminalId)?.activity) this.store.dispatch({ type: 'tab_activity', terminalId });
  }

  // --- user actions ------------------------------------------------------------------------------

  input(terminalId: string, data: string | Uint8Array): void {
    const channel = this.channelOf(terminalId);
    if (channel === undefined) return;
    this.requests.connection?.input(channel, typeof data === 'string' ? this.encoder.encode(data) : data);
  }

  paste(terminalId: string, text: string): void {
    const channel = this.channelOf(terminalId);
    if (channel !== undefined) this.requests.connection?.paste(channel, this.encoder.encode(text));
  }

  /** Requests this window's size. */
  resize(terminalId: string): void {
    const channel = this.channelOf(terminalId);
    const { room } = this.store.get();
    if (channel !== undefined && room) this.requests.connection?.tell('resize', { channel, ...room });
  }

  /** The user is active in this window, so the terminal takes its size. */
  focus(terminalId: string): void {
    const channel = this.channelOf(terminalId);
    const { room } = this.store.get();
    const size = tabOf(this.store.get(), terminalId)?.size;
    if (room && (size?.rows !== room.rows || size.cols !== room.cols)) this.resize(terminalId);
    else if (channel !== undefined) this.requests.connection?.tell('focus', { channel });
  }

  private channelOf(terminalId: string): number | undefined {
    for (const [channel, id] of this.channels) if (id === terminalId) return channel;
    return undefined;
  }
}
