// The tabs of one session of one daemon. Creates, attaches and closes terminals, feeds their
// screens, and restores everything after a lost connection. It does not depend on React: components
// read its store and call its methods.

import type { Connection, Socket } from '../protocol/connection';
import { RefusedError } from '../protocol/connection';
import type { NotifyLevel, ServerData, ServerMessage, TerminalInfo, Theme } from '../protocol/messages';
import { Attachments, type TabScreen } from './attachments';
import { Connector } from './connector';
import { Extensions } from './extensions';
import { matchTerminals } from './match';
import { type From, Opener, randomId } from './opener';
import { forgetTabs, loadSession, loadTabs, type Storage, saveSession, saveTabs } from './persisted';
import { Renewals } from './renewals';
import { Requests } from './requests';
import { Sessions } from './sessions';
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

export interface ClientOptions {
  /** Identifies the daemon in storage. */
  origin: string;
  session?: string;
  storage: Storage;
  openSocket(): Socket;
  probe(): Promise<Refusal | undefined>;
  createScreen(terminalId: string): TabScreen;
  /** The size that fitted the last time the window had this layout. */
  initialRoom?: Size | undefined;
  newId?(): string;
  random?(): number;
  isOffline?(): boolean;
}

export class TerminalsClient {
  readonly store: Store<State, Action>;
  readonly sessions: Sessions;
  readonly extensions: Extensions;
  private readonly requests: Requests;
  private readonly attachments: Attachments;
  private readonly opener: Opener;
  private readonly options: ClientOptions;
  private readonly connector: Connector;
  private readonly renewals = new Renewals((terminalId) => this.renewScreen(terminalId));
  private theme: Theme | undefined;
  /** True between a welcome and deciding what each tab needs. */
  private isRestoring = false;
  /** The default session's name: the usual one until the daemon tells. */
  private defaultSession = 'main';
  constructor(options: ClientOptions) {
    this.options = options;
    const { storage, origin } = options;
    const session = options.session ?? loadSession(storage, origin) ?? this.defaultSession;
    this.store = createStore(reduce, initialState(session, loadTabs(storage, origin, session)));
    this.requests = new Requests(this.store);
    this.attachments = new Attachments(this.store, this.requests, options.createScreen);
    this.opener = new Opener(this.store, this.requests, this.attachments, options.newId ?? randomId);
    this.extensions = new Extensions(this.store, this.requests, (name) => void this.showSession(name));
    this.sessions = new Sessions(this.store, this.requests, {
      created: (name) => void this.switchSession(name),
      renamed: (name, newName) => this.sessionRenamed(name, newName),
      closed: (name) => this.sessionClosed(name),
    });
    if (options.initialRoom) this.setRoom(options.initialRoom);
    for (const { terminalId } of this.state.tabs) this.attachments.show(terminalId);
    this.store.subscribe(() => this.save());
    this.connector = new Connector({
      openSocket: options.openSocket,
      probe: options.probe,
      ...(options.random ? { random: options.random } : {}),
      ...(options.isOffline ? { isOffline: options.isOffline } : {}),
      events: {
        connected: (connection, welcome) => {
          this.store.dispatch({ type: 'welcomed', ...welcome.data });
          this.defaultSession = welcome.data.session;
          void this.restore(connection);
        },
        message: (message) => this.receive(message),
        frame: (frame) => this.attachments.frame(frame),
        state: (connection) => {
          if (connection.kind !== 'connected') this.disconnected();
          this.store.dispatch({ type: 'connection', connection });
        },
      },
    });
  }

  private get connection(): Connection | undefined {
    return this.requests.connection;
  }

  get state(): State {
    return this.store.get();
  }

  start(): void {
    this.connector.start();
  }

  stop(): void {
    this.renewals.stop();
    this.connector.stop();
    this.disconnected();
  }

  retry(): void {
    this.connector.retry();
  }

  /** Call after `online`, or when the page becomes visible again. */
  wake(): void {
    this.connector.wake();
  }

  screenOf(terminalId: string): TabScreen | undefined {
    return this.attachments.screenOf(terminalId);
  }

  // --- terminals ---------------------------------------------------------------------------------

  async newTerminal(from: From = {}): Promise<void> {
    const terminalId = this.opener.newId();
    this.attachments.show(terminalId);
    const named = from.name === undefined ? {} : { name: from.name };
    this.store.dispatch({ type: 'tab_added', terminalId, ...named, activate: true });
    await this.opener.create(terminalId, from);
  }

  /** Closes a terminal. Asks first if a program other than its shell is running in it. */
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
    const closed = await this.requests.ask(
      (connection) => connection.request('close', { terminalId }),
      ['not_found'],
    );
    if (closed !== 'failed') this.removeTab(terminalId);
  }

  cancelClose(): void {
    this.store.dispatch({ type: 'closing', closing: null });
  }

  /** Replaces an exited terminal with a new one in the same tab, running the same command. */
  async runAgain(terminalId: string): Promise<void> {
    const tab = tabOf(this.state, terminalId);
    if (!tab || tab.status.kind === 'connected') return;
    this.setStatus(terminalId, { kind: 'reconnecting' });
    await this.opener.create(terminalId, {
      ...(tab.name === undefined ? {} : { name: tab.name }),
      ...(tab.command === undefined ? {} : { command: tab.command }),
      ...(tab.workingDirectory === undefined ? {} : { workDir: tab.workingDirectory }),
    });
  }

  async rename(terminalId: string, name: string): Promise<void> {
    await this.requests.ask((connection) => connection.request('rename', { terminalId, name: name.trim() }));
  }

  async reorder(terminalIds: string[]): Promise<void> {
    this.store.dispatch({ type: 'reordered', terminalIds });
    await this.requests.ask((connection) => connection.request('reorder', { terminalIds }), ['not_found']);
  }

  activate(terminalId: string): void {
    const tab = tabOf(this.state, terminalId);
    if (!tab) return;
    this.store.dispatch({ type: 'activated', terminalId });
    if (tab.status.kind === 'restorable') void this.restoreTerminal(terminalId);
    else this.takeSize(terminalId);
  }

  /** Restores a terminal that ended with the machine. */
  async restoreTerminal(terminalId: string): Promise<void> {
    if (this.connection) await this.opener.restore(terminalId);
  }

  async restoreAll(): Promise<void> {
    if (this.connection) await this.opener.restoreAll();
  }

  /** Takes the terminal back from another viewer. */
  takeBack(terminalId: string): void {
    void this.opener.attach(terminalId);
  }

  /** The tab's emulator threw. A snapshot replaces everything it shows. */
  screenFailed(terminalId: string, error: unknown): void {
    if (!this.renewals.failed(terminalId)) return;
    console.error('the terminal emulator failed', error);
    this.toast('warning', 'Some output could not be drawn. Redrawing the screen.');
  }

  // --- input and size ----------------------------------------------------------------------------

  input(terminalId: string, data: string | Uint8Array): void {
    const status = tabOf(this.state, terminalId)?.status.kind;
    if (status === 'exited' && data === '\r') void this.runAgain(terminalId);
    if (status === 'connected') this.attachments.input(terminalId, data);
  }

  paste(terminalId: string, text: string): void {
    if (tabOf(this.state, terminalId)?.status.kind === 'connected') this.attachments.paste(terminalId, text);
  }

  /** Sets the size that fits this window. */
  setRoom(room: Size): void {
    const known = this.state.room;
    if (known?.rows === room.rows && known.cols === room.cols) return;
    this.store.dispatch({ type: 'room', room });
    this.opener.roomMeasured();
    if (this.state.active !== null) this.attachments.resize(this.state.active);
  }

  /** The user is active in this window, so the terminal takes its size. */
  takeSize(terminalId: string): void {
    this.attachments.focus(terminalId);
  }

  setTheme(theme: Theme): void {
    this.theme = theme;
    this.connection?.tell('theme', theme);
  }

  // --- screen events -----------------------------------------------------------------------------

  titleChanged(terminalId: string, title: string): void {
    if (tabOf(this.state, terminalId)?.title !== title)
      this.store.dispatch({ type: 'tab_title', terminalId, title });
  }

  bellRang(terminalId: string): void {
    if (!tabOf(this.state, terminalId)?.bell && this.state.active !== terminalId)
      this.store.dispatch({ type: 'tab_bell', terminalId });
  }

  // --- sessions ----------------------------------------------------------------------------------

  /** Switches to another session, unless an extension of this one refuses. */
  async switchSession(to: string): Promise<void> {
    const from = this.state.session;
    if (to === from) return;
    if (this.connection) {
      const answer = await this.requests.ask(
        (connection) => connection.request('session_switch', { from, to }),
        ['unsupported'],
      );
      if (answer === 'failed' || this.state.session !== from) return;
    }
    await this.showSession(to);
  }

  private async showSession(session: string): Promise<void> {
    if (session === this.state.session) return;
    const { storage, origin } = this.options;
    this.attachments.removeAll();
    const stored = loadTabs(storage, origin, session);
    saveSession(storage, origin, session);
    for (const { terminalId } of stored.tabs) this.attachments.show(terminalId);
    this.store.dispatch({ type: 'session_opened', session, stored });
    if (!this.connection) return;
    void this.extensions.open();
    await this.restoreTabs(this.connection);
  }

  private sessionClosed(name: string): void {
    forgetTabs(this.options.storage, this.options.origin, name);
    if (name === this.state.session) void this.showSession(this.defaultSession);
  }

  private sessionRenamed(name: string, newName: string): void {
    const { storage, origin } = this.options;
    if (name === this.state.session) {
      forgetTabs(storage, origin, name);
      saveSession(storage, origin, newName);
    }
  }

  toast(level: NotifyLevel, text: string): void {
    this.requests.toast(level, text);
  }

  dismissToast(id: number): void {
    this.store.dispatch({ type: 'toast_dismissed', id });
  }

  private renewScreen(terminalId: string): void {
    // Without a connection, the tab gets its snapshot when the next one opens.
    this.attachments.leave(terminalId);
    if (tabOf(this.state, terminalId)?.status.kind === 'connected') void this.opener.attach(terminalId);
  }

  // --- reconnecting ------------------------------------------------------------------------------

  private async restore(connection: Connection): Promise<void> {
    this.requests.connection = connection;
    if (this.theme) connection.tell('theme', this.theme);
    void this.extensions.open();
    await this.restoreTabs(connection);
    if (this.connection === connection) void this.sessions.list();
  }

  private async restoreTabs(connection: Connection): Promise<void> {
    const { session } = this.state;
    const isStale = () => this.connection !== connection || this.state.session !== session;
    let terminals: TerminalInfo[];
    this.isRestoring = true;
    try {
      terminals = (await connection.request('list', { session })).terminals;
    } catch (error) {
      this.isRestoring = false;
      // The session was closed while this page was away.
      if (error instanceof RefusedError && error.code === 'not_found' && session !== this.defaultSession)
        return await this.showSession(this.defaultSession);
      if (error instanceof RefusedError) this.requests.refused(error);
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
    for (const step of steps) if (step.kind !== 'create') this.attachments.show(step.terminal.terminalId);
    this.store.dispatch({ type: 'matched', steps });
    if (steps.length === 0) {
      this.isRestoring = false;
      await this.newTerminal();
      return;
    }
    await this.opener.roomIsKnown();
    if (isStale()) return;
    this.isRestoring = false;
    await Promise.all(steps.map((step) => this.opener.take(step)));
    if (isStale() || !steps.some((step) => step.kind === 'create')) return;
    await this.reorder(this.state.tabs.map(({ terminalId }) => terminalId));
  }

  private disconnected(): void {
    this.isRestoring = false;
    this.requests.connection = undefined;
    this.attachments.disconnected();
  }

  // --- messages from the daemon ------------------------------------------------------------------

  private receive(message: ServerMessage): void {
    const isEvent = message.request === undefined;
    switch (message.type) {
      case 'attached':
        return this.attachments.attached(message.data);
      case 'resized':
        return this.attachments.resized(message.data);
      case 'created': {
        const { terminal } = message.data;
        if (isEvent && terminal.session === this.state.session) this.opener.adopt(terminal);
        return;
      }
      case 'restorable': {
        const { terminal } = message.data;
        if (terminal.session === this.state.session) this.opener.offer(terminal);
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
        return this.closed(message.data);
      case 'detached':
        return this.attachments.detached(message.data);
      case 'error':
        if (isEvent) this.requests.refused({ message: message.data.error, details: message.data.details });
        return;
      default:
        this.sessions.receive(message);
        this.extensions.receive(message);
    }
  }

  /**
   * A terminal that a person closed is gone. One that ended while this page was reconnecting gets a
   * new terminal.
   */
  private closed({ terminalId, reason }: ServerData<'closed'>): void {
    const isComingBack = this.isRestoring && reason !== 'user_requested';
    if (!isComingBack && !this.opener.isCreating(terminalId)) this.removeTab(terminalId);
  }

  // --- helpers -----------------------------------------------------------------------------------

  private removeTab(terminalId: string): void {
    this.store.dispatch({ type: 'tab_removed', terminalId });
    this.attachments.remove(terminalId);
  }

  private async infoOf(terminalId: string): Promise<TerminalInfo | undefined> {
    const { session } = this.state;
    const answer = await this.requests.ask((connection) => connection.request('list', { session }));
    if (answer === 'failed') return undefined;
    return answer?.terminals.find((each) => each.terminalId === terminalId);
  }

  private setStatus(terminalId: string, status: TabStatus): void {
    this.store.dispatch({ type: 'tab_status', terminalId, status });
  }

  private save(): void {
    const { storage, origin } = this.options;
    const { state } = this;
    saveTabs(storage, origin, state.session, persistedOf(state));
  }
}
