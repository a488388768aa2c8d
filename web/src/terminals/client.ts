// The tabs of one session against one daemon: creates, attaches and closes terminals, feeds their screens, and
// brings everything back after a loss. It knows nothing of React; components read its store and call it.

import type { Connection, Socket } from '../protocol/connection';
import { LostError, RefusedError } from '../protocol/connection';
import type { Frame } from '../protocol/frames';
import type { ServerMessage, TerminalInfo, Theme } from '../protocol/messages';
import { Connector } from './connector';
import { Feed, type Screen } from './feed';
import { matchTerminals, type Step } from './match';
import { forgetTabs, loadSession, loadTabs, type Storage, saveSession, saveTabs } from './persisted';
import {
  type Action,
  initialState,
  persistedOf,
  type Refusal,
  reduce,
  type Size,
  type State,
  type TabStatus,
  tabOf,
} from './state';
import { createStore, type Store } from './store';

/** A terminal emulator that belongs to a tab, for as long as the tab is there. */
export interface TabScreen extends Screen {
  dispose(): void;
}

export interface ClientOptions {
  /** Names the daemon in what is stored. */
  origin: string;
  session?: string;
  storage: Storage;
  openSocket(): Socket;
  probe(): Promise<Refusal | undefined>;
  createScreen(terminalId: string): TabScreen;
  newId?(): string;
  random?(): number;
  isOffline?(): boolean;
}

interface Shown {
  screen: TabScreen;
  feed: Feed;
  /** Which terminal of that id the screen shows: an id can be used again. */
  createdAt?: string;
}

/** Bytes that the daemon may send ahead of what is rendered: enough for a fast network, and little before a Ctrl-C. */
const window = 128 * 1024;
const fallbackSize: Size = { rows: 24, cols: 80 };
const sizeTimeout = 1000;
const defaultSession = 'main';

/** Pages that came without TLS have no crypto.randomUUID. */
function randomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

export class TerminalsClient {
  readonly store: Store<State, Action>;
  private readonly options: ClientOptions;
  private readonly connector: Connector;
  private readonly shown = new Map<string, Shown>();
  private readonly channels = new Map<number, string>();
  /** Ids whose old terminal makes room for a fresh one; its `closed` closes no tab. */
  private readonly creating = new Set<string>();
  private readonly encoder = new TextEncoder();
  private connection: Connection | undefined;
  private theme: Theme | undefined;
  private roomKnown: () => void = () => {};
  private readonly room = new Promise<void>((resolve) => {
    this.roomKnown = resolve;
  });

  constructor(options: ClientOptions) {
    this.options = options;
    const { storage, origin } = options;
    const session = options.session ?? loadSession(storage, origin) ?? defaultSession;
    this.store = createStore(reduce, initialState(session, loadTabs(storage, origin, session)));
    for (const { terminalId } of this.state.tabs) this.show(terminalId);
    this.store.subscribe(() => this.save());
    this.connector = new Connector({
      openSocket: options.openSocket,
      probe: options.probe,
      ...(options.random ? { random: options.random } : {}),
      ...(options.isOffline ? { isOffline: options.isOffline } : {}),
      events: {
        connected: (connection, welcome) => {
          this.store.dispatch({ type: 'welcomed', ...welcome.data });
          void this.restore(connection);
        },
        message: (message) => this.receive(message),
        frame: (frame) => this.receiveFrame(frame),
        state: (connection) => {
          if (connection.kind !== 'connected') this.disconnected();
          this.store.dispatch({ type: 'connection', connection });
        },
      },
    });
  }

  get state(): State {
    return this.store.get();
  }

  start(): void {
    this.connector.start();
  }

  stop(): void {
    this.connector.stop();
    this.disconnected();
  }

  retry(): void {
    this.connector.retry();
  }

  /** After `online`, or when the page is looked at again. */
  wake(): void {
    this.connector.wake();
  }

  screenOf(terminalId: string): TabScreen | undefined {
    return this.shown.get(terminalId)?.screen;
  }

  // --- terminals -----------------------------------------------------------------------------------------------------

  async newTerminal(from: { workDir?: string; command?: string[]; name?: string } = {}): Promise<void> {
    const terminalId = this.newId();
    this.show(terminalId);
    const named = from.name === undefined ? {} : { name: from.name };
    this.store.dispatch({ type: 'tab_added', terminalId, ...named, activate: true });
    await this.create(terminalId, from);
  }

  /** Closes it, but asks first if a program other than its shell runs in it. */
  async closeTerminal(terminalId: string): Promise<void> {
    const tab = tabOf(this.state, terminalId);
    if (!tab || !this.connection) return;
    if (tab.status.kind === 'failed') return this.removeTab(terminalId);
    const info = await this.infoOf(terminalId);
    if (info?.status === 'running' && info.busy) {
      const process = info.process ?? info.command[0] ?? 'A program';
      this.store.dispatch({ type: 'closing', closing: { terminalId, process } });
    } else {
      await this.confirmClose(terminalId);
    }
  }

  async confirmClose(terminalId: string): Promise<void> {
    this.store.dispatch({ type: 'closing', closing: null });
    const closed = await this.ask((connection) => connection.request('close', { terminalId }), ['not_found']);
    if (closed !== 'failed') this.removeTab(terminalId);
  }

  cancelClose(): void {
    this.store.dispatch({ type: 'closing', closing: null });
  }

  /** A fresh terminal in the tab of one that has exited, with what ran in it. */
  async runAgain(terminalId: string): Promise<void> {
    const tab = tabOf(this.state, terminalId);
    if (!tab || tab.status.kind === 'connected') return;
    this.setStatus(terminalId, { kind: 'reconnecting' });
    await this.create(terminalId, {
      ...(tab.name === undefined ? {} : { name: tab.name }),
      ...(tab.command === undefined ? {} : { command: tab.command }),
      ...(tab.workingDirectory === undefined ? {} : { workDir: tab.workingDirectory }),
    });
  }

  async rename(terminalId: string, name: string): Promise<void> {
    await this.ask((connection) => connection.request('rename', { terminalId, name: name.trim() }));
  }

  async reorder(terminalIds: string[]): Promise<void> {
    this.store.dispatch({ type: 'reordered', terminalIds });
    await this.ask((connection) => connection.request('reorder', { terminalIds }), ['not_found']);
  }

  activate(terminalId: string): void {
    if (!tabOf(this.state, terminalId)) return;
    this.store.dispatch({ type: 'activated', terminalId });
    this.takeSize(terminalId);
  }

  /** Another viewer took the terminal over: takes it back. */
  takeBack(terminalId: string): void {
    void this.attach(terminalId);
  }

  // --- input and size ------------------------------------------------------------------------------------------------

  input(terminalId: string, data: string | Uint8Array): void {
    const channel = this.channelOf(terminalId);
    const status = tabOf(this.state, terminalId)?.status.kind;
    if (status === 'exited' && data === '\r') return void this.runAgain(terminalId);
    if (channel === undefined || status !== 'connected') return;
    this.connection?.input(channel, typeof data === 'string' ? this.encoder.encode(data) : data);
  }

  /** The size that this window has room for. */
  setRoom(room: Size): void {
    this.roomKnown();
    const known = this.state.room;
    if (known?.rows === room.rows && known.cols === room.cols) return;
    this.store.dispatch({ type: 'room', room });
    if (this.state.active !== null) this.resize(this.state.active);
  }

  /** The person is here: the terminal takes this window's size. */
  takeSize(terminalId: string): void {
    const channel = this.channelOf(terminalId);
    const { room } = this.state;
    const size = tabOf(this.state, terminalId)?.size;
    if (channel === undefined) return;
    if (room && (size?.rows !== room.rows || size.cols !== room.cols)) this.resize(terminalId);
    else this.connection?.tell('focus', { channel });
  }

  setTheme(theme: Theme): void {
    this.theme = theme;
    this.connection?.tell('theme', theme);
  }

  private resize(terminalId: string): void {
    const channel = this.channelOf(terminalId);
    const { room } = this.state;
    if (channel !== undefined && room) this.connection?.tell('resize', { channel, ...room });
  }

  // --- what screens tell ---------------------------------------------------------------------------------------------

  titleChanged(terminalId: string, title: string): void {
    if (tabOf(this.state, terminalId)?.title !== title)
      this.store.dispatch({ type: 'tab_title', terminalId, title });
  }

  bellRang(terminalId: string): void {
    if (!tabOf(this.state, terminalId)?.bell && this.state.active !== terminalId)
      this.store.dispatch({ type: 'tab_bell', terminalId });
  }

  // --- sessions ------------------------------------------------------------------------------------------------------

  async listSessions(): Promise<void> {
    try {
      const answer = await this.connection?.request('sessions', {});
      if (answer) this.store.dispatch({ type: 'sessions', sessions: answer.sessions });
    } catch (error) {
      if (error instanceof RefusedError) this.store.dispatch({ type: 'sessions_unsupported' });
    }
  }

  async createSession(name: string): Promise<void> {
    const made = await this.ask((connection) => connection.request('session_create', { name }));
    if (made === 'failed') return;
    await this.listSessions();
    await this.switchSession(name);
  }

  async renameSession(name: string, newName: string): Promise<void> {
    await this.ask((connection) => connection.request('session_rename', { name, newName }));
  }

  async closeSession(name: string): Promise<void> {
    const closed = await this.ask((connection) => connection.request('session_close', { name }));
    if (closed === 'failed') return;
    this.sessionClosed(name);
    await this.listSessions();
  }

  async switchSession(session: string): Promise<void> {
    if (session === this.state.session) return;
    const { storage, origin } = this.options;
    for (const channel of this.channels.keys()) this.connection?.tell('detach', { channel });
    this.channels.clear();
    for (const { screen } of this.shown.values()) screen.dispose();
    this.shown.clear();
    const stored = loadTabs(storage, origin, session);
    saveSession(storage, origin, session);
    for (const { terminalId } of stored.tabs) this.show(terminalId);
    this.store.dispatch({ type: 'session_opened', session, stored });
    if (this.connection) await this.restoreTabs(this.connection);
  }

  private sessionClosed(name: string): void {
    forgetTabs(this.options.storage, this.options.origin, name);
    if (name === this.state.session) void this.switchSession(defaultSession);
  }

  private sessionRenamed(name: string, newName: string): void {
    const { storage, origin } = this.options;
    if (name === this.state.session) {
      forgetTabs(storage, origin, name);
      saveSession(storage, origin, newName);
    }
    this.store.dispatch({ type: 'session_renamed', name, newName });
  }

  // --- what extensions show and ask ----------------------------------------------------------------------------------

  async listCommands(): Promise<void> {
    const { session } = this.state;
    try {
      const answer = await this.connection?.request('commands', { session });
      if (answer && answer.session === this.state.session)
        this.store.dispatch({ type: 'commands', commands: answer.commands });
    } catch {
      this.store.dispatch({ type: 'commands', commands: [] });
    }
  }

  async run(line: string): Promise<void> {
    const { session } = this.state;
    const answer = await this.ask((connection) => connection.request('run', { session, line }));
    if (answer === 'failed' || answer === undefined) return;
    if (answer.error) this.toast('error', answer.error);
    else if (answer.text) this.toast('info', answer.text);
  }

  /** `null` says that the question was dismissed. */
  answer(id: string, value: unknown): void {
    this.connection?.tell('ui_answer', { id, value });
    this.store.dispatch({ type: 'question_closed', id });
  }

  toast(level: 'info' | 'success' | 'warning' | 'error', text: string): void {
    this.store.dispatch({ type: 'toast', level, text });
  }

  dismissToast(id: number): void {
    this.store.dispatch({ type: 'toast_dismissed', id });
  }

  // --- coming back ---------------------------------------------------------------------------------------------------

  private async restore(connection: Connection): Promise<void> {
    this.connection = connection;
    if (this.theme) connection.tell('theme', this.theme);
    await this.restoreTabs(connection);
    if (this.connection !== connection) return;
    void this.listSessions();
    void this.listCommands();
  }

  private async restoreTabs(connection: Connection): Promise<void> {
    const { session } = this.state;
    const isStale = () => this.connection !== connection || this.state.session !== session;
    let terminals: TerminalInfo[];
    try {
      terminals = (await connection.request('list', { session })).terminals;
    } catch (error) {
      if (error instanceof RefusedError) this.failed(error);
      return;
    }
    if (isStale()) return;
    const tabs = this.state.tabs.map(({ terminalId, name, status }) => ({
      terminalId,
      ...(name === undefined ? {} : { name }),
      seenExit: status.kind === 'exited',
    }));
    const steps = matchTerminals(
      tabs,
      terminals.filter((each) => each.session === session),
    );
    for (const step of steps) if (step.kind === 'adopt') this.show(step.terminal.terminalId);
    this.store.dispatch({ type: 'matched', steps });
    if (steps.length === 0) {
      await this.newTerminal();
      return;
    }
    await this.roomOrTimeout();
    if (isStale()) return;
    await Promise.all(steps.map((step) => this.take(step)));
    if (isStale() || !steps.some((step) => step.kind === 'create')) return;
    await this.reorder(this.state.tabs.map(({ terminalId }) => terminalId));
  }

  private async take(step: Step): Promise<void> {
    if (step.kind !== 'create') {
      const { terminalId, createdAt } = step.terminal;
      await this.attach(terminalId, createdAt);
      return;
    }
    const { terminalId, name, terminal } = step;
    this.setStatus(terminalId, { kind: 'reconnecting' });
    await this.create(terminalId, {
      ...(name === undefined ? {} : { name }),
      ...(terminal?.workingDirectory === undefined ? {} : { workDir: terminal.workingDirectory }),
    });
  }

  private async create(
    terminalId: string,
    from: { workDir?: string; command?: string[]; name?: string },
  ): Promise<void> {
    this.creating.add(terminalId);
    try {
      await this.roomOrTimeout();
      const { connection } = this;
      if (!connection) return;
      const { session, room } = this.state;
      const { terminal } = await connection.request('create', {
        terminalId,
        session,
        ...(room ?? fallbackSize),
        ...from,
      });
      this.shown.get(terminalId)?.feed.forget();
      this.store.dispatch({ type: 'tab_info', info: terminal });
      await this.attach(terminalId, terminal.createdAt);
    } catch (error) {
      if (!(error instanceof RefusedError)) return;
      // Another window of the same tabs was faster.
      if (error.code === 'already_exists') return await this.attach(terminalId, '');
      // The stored id is that of another user's terminal: whoever signed in is somebody else.
      if (error.code === 'permission_denied') return await this.createUnderNewId(terminalId, from);
      if (from.workDir !== undefined && error.code !== 'too_large') {
        const { workDir: _gone, ...rest } = from;
        return await this.create(terminalId, rest);
      }
      this.setFailed(terminalId, error);
    } finally {
      this.creating.delete(terminalId);
    }
  }

  private async createUnderNewId(terminalId: string, from: { name?: string }): Promise<void> {
    const by = this.newId();
    this.shown.get(terminalId)?.screen.dispose();
    this.shown.delete(terminalId);
    this.show(by);
    this.store.dispatch({ type: 'tab_replaced', terminalId, by });
    await this.create(by, from);
  }

  private async attach(terminalId: string, createdAt?: string): Promise<void> {
    const { connection } = this;
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
        ...(this.state.room ?? {}),
        window,
        ...(since === undefined ? {} : { since }),
      });
    } catch (error) {
      if (error instanceof RefusedError) this.setFailed(terminalId, error);
    }
  }

  private disconnected(): void {
    this.connection = undefined;
    this.channels.clear();
    for (const { feed } of this.shown.values()) feed.detached();
  }

  // --- what the daemon says ------------------------------------------------------------------------------------------

  private receiveFrame({ kind, channel, offset, payload }: Frame): void {
    const terminalId = this.channels.get(channel);
    if (terminalId === undefined) return;
    this.shown.get(terminalId)?.feed.bytes(offset, payload);
    if (kind === 'output' && payload.length > 0 && terminalId !== this.state.active)
      if (!tabOf(this.state, terminalId)?.activity) this.store.dispatch({ type: 'tab_activity', terminalId });
  }

  private receive(message: ServerMessage): void {
    const isEvent = message.request === undefined;
    switch (message.type) {
      case 'attached':
        return this.attached(message.data);
      case 'resized': {
        const { channel, rows, cols } = message.data;
        const terminalId = this.channels.get(channel);
        if (terminalId === undefined) return;
        this.shown.get(terminalId)?.feed.resize({ rows, cols });
        return this.store.dispatch({ type: 'tab_size', terminalId, size: { rows, cols } });
      }
      case 'created': {
        const { terminal } = message.data;
        if (isEvent && terminal.session === this.state.session) this.adopt(terminal);
        return;
      }
      case 'renamed':
        return this.store.dispatch({ type: 'tab_renamed', ...message.data });
      case 'reordered':
        return this.store.dispatch({ type: 'reordered', ...message.data });
      case 'exited': {
        const { terminalId, exitCode } = message.data;
        return this.setStatus(terminalId, { kind: 'exited', exitCode });
      }
      case 'closed':
        if (!this.creating.has(message.data.terminalId)) this.removeTab(message.data.terminalId);
        return;
      case 'detached': {
        const { channel, terminalId, reason } = message.data;
        this.channels.delete(channel);
        this.shown.get(terminalId)?.feed.detached();
        if (reason === 'takeover') this.setStatus(terminalId, { kind: 'detached' });
        return;
      }
      case 'error':
        if (isEvent)
          this.toast('error', [message.data.error, message.data.details].filter(Boolean).join('. '));
        return;
      default:
        return this.receiveOther(message);
    }
  }

  /** What concerns sessions and extensions. What is meant for another session is not shown in this one. */
  private receiveOther(message: ServerMessage): void {
    const isMine = (session: string) => session === this.state.session;
    switch (message.type) {
      case 'session_created':
        return void this.listSessions();
      case 'session_renamed':
        return this.sessionRenamed(message.data.name, message.data.newName);
      case 'session_closed':
        if (message.request === undefined) this.sessionClosed(message.data.name);
        return void this.listSessions();
      case 'commands':
        if (isMine(message.data.session))
          this.store.dispatch({ type: 'commands', commands: message.data.commands });
        return;
      case 'notify':
        if (isMine(message.data.session)) this.toast(message.data.level, message.data.text);
        return;
      case 'ui_request':
        if (isMine(message.data.session)) this.store.dispatch({ type: 'question', question: message.data });
        return;
      case 'ui_closed':
        return this.store.dispatch({ type: 'question_closed', id: message.data.id });
      case 'status':
        if (isMine(message.data.session))
          this.store.dispatch({ type: 'status_item', key: message.data.key, text: message.data.text });
    }
  }

  private attached(data: (ServerMessage & { type: 'attached' })['data']): void {
    const { terminalId, channel, offset, rows, cols, status, exitCode, title } = data;
    const shown = this.shown.get(terminalId);
    if (!shown) return this.connection?.tell('detach', { channel });
    this.channels.set(channel, terminalId);
    shown.feed.attached(channel, offset, { rows, cols });
    this.store.dispatch({ type: 'tab_size', terminalId, size: { rows, cols } });
    if (title !== undefined) this.store.dispatch({ type: 'tab_title', terminalId, title });
    this.setStatus(
      terminalId,
      status === 'exited' ? { kind: 'exited', exitCode: exitCode ?? 0 } : { kind: 'connected' },
    );
  }

  private adopt(terminal: TerminalInfo): void {
    if (tabOf(this.state, terminal.terminalId)) return;
    this.show(terminal.terminalId);
    this.store.dispatch({ type: 'tab_added', terminalId: terminal.terminalId, activate: false });
    this.store.dispatch({ type: 'tab_info', info: terminal });
    void this.attach(terminal.terminalId, terminal.createdAt);
  }

  // --- small things --------------------------------------------------------------------------------------------------

  private show(terminalId: string): void {
    if (this.shown.has(terminalId)) return;
    const screen = this.options.createScreen(terminalId);
    const feed = new Feed(screen, {
      ack: (channel, offset) => this.connection?.ack(channel, offset),
    });
    this.shown.set(terminalId, { screen, feed });
  }

  private removeTab(terminalId: string): void {
    this.store.dispatch({ type: 'tab_removed', terminalId });
    const channel = this.channelOf(terminalId);
    if (channel !== undefined) this.channels.delete(channel);
    this.shown.get(terminalId)?.screen.dispose();
    this.shown.delete(terminalId);
  }

  private channelOf(terminalId: string): number | undefined {
    for (const [channel, id] of this.channels) if (id === terminalId) return channel;
    return undefined;
  }

  private async infoOf(terminalId: string): Promise<TerminalInfo | undefined> {
    const { session } = this.state;
    const answer = await this.ask((connection) => connection.request('list', { session }));
    if (answer === 'failed') return undefined;
    return answer?.terminals.find((each) => each.terminalId === terminalId);
  }

  /** Asks the daemon, and tells the person if it refuses for another reason than one of `expected`. */
  private async ask<T>(
    request: (connection: Connection) => Promise<T>,
    expected: string[] = [],
  ): Promise<T | 'failed' | undefined> {
    if (!this.connection) return 'failed';
    try {
      return await request(this.connection);
    } catch (error) {
      if (error instanceof RefusedError && expected.includes(error.code)) return undefined;
      if (error instanceof RefusedError) this.failed(error);
      else if (!(error instanceof LostError)) throw error;
      return 'failed';
    }
  }

  private failed(error: RefusedError): void {
    this.toast('error', [error.message, error.details].filter(Boolean).join('. '));
  }

  private setStatus(terminalId: string, status: TabStatus): void {
    this.store.dispatch({ type: 'tab_status', terminalId, status });
  }

  private setFailed(terminalId: string, { message, details }: RefusedError): void {
    this.setStatus(terminalId, {
      kind: 'failed',
      error: message,
      ...(details === undefined ? {} : { details }),
    });
  }

  private async roomOrTimeout(): Promise<void> {
    if (this.state.room) return;
    await Promise.race([this.room, new Promise((resolve) => setTimeout(resolve, sizeTimeout))]);
  }

  private newId(): string {
    return this.options.newId?.() ?? randomId();
  }

  private save(): void {
    const { storage, origin } = this.options;
    const { state } = this;
    saveTabs(storage, origin, state.session, persistedOf(state));
  }
}
