// The tabs of one session of one daemon. Creates, attaches and closes terminals, feeds their
// screens, and restores everything after a lost connection. It does not depend on React: components
// read its store and call its methods.

import type { Connection, Socket } from '../protocol/connection';
import type {
  NotifyLevel,
  ServerData,
  ServerMessage,
  ShellCommand,
  TerminalInfo,
  Theme,
} from '../protocol/messages';
import { words } from '../words';
import { Attachments, type TabScreen } from './attachments';
import { Closer } from './closer';
import { Connector } from './connector';
import { receive } from './daemonEvents';
import { Extensions } from './extensions';
import { Notices } from './notices';
import { type From, Opener, randomId } from './opener';
import { Overview } from './overview';
import { shownTerminals, typedInto } from './paneState';
import { type Measured, Panes } from './panes';
import { loadSession, loadTabs, type Storage, saveTabs } from './persisted';
import { Preferences } from './preferences';
import { Renewals } from './renewals';
import { Requests } from './requests';
import { Restorer } from './restorer';
import { mayChange, mayCreate, scopeOf } from './scope';
import { Search } from './search';
import { Sessions } from './sessions';
import { type RunAgain, ShellCommands } from './shellCommands';
import { ShownSession, usualDefault } from './shownSession';
import {
  type Action,
  type Away,
  initialState,
  persistedOf,
  type Refusal,
  reduce,
  type State,
  type TabStatus,
  tabOf,
} from './state';
import { createStore, type Store } from './store';
import { Typing } from './typing';

export interface ClientOptions {
  /** Identifies the daemon in storage. */
  origin: string;
  session?: string;
  storage: Storage;
  /** What the daemon does not take of the preferences is kept here. Default: `storage`. */
  preferenceStorage?: Storage;
  openSocket(): Socket;
  probe(): Promise<Refusal | Away | undefined>;
  createScreen(terminalId: string): TabScreen;
  /** A bell rang, in a shown or a hidden terminal. */
  bell?(terminalId: string): void;
  /** What was measured the last time the window was like this. */
  initialRoom?: Measured | undefined;
  newId?(): string;
  random?(): number;
  isOffline?(): boolean;
}

/** What the emulator tells a program by itself: where the mouse and the focus are. */
function isReport(data: string | Uint8Array): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: reports begin with it.
  return typeof data !== 'string' || /^\x1b\[([IO]|<[\d;]+[Mm])$/.test(data);
}

/** What is typed before the connection is back is kept. */
function takesInput(status: TabStatus['kind'] | undefined): boolean {
  return status === 'connected' || status === 'reconnecting';
}

export class TerminalsClient {
  readonly store: Store<State, Action>;
  readonly sessions: Sessions;
  readonly extensions: Extensions;
  readonly preferences: Preferences;
  readonly panes: Panes;
  readonly search: Search;
  readonly commands: ShellCommands;
  readonly notices: Notices;
  readonly overview: Overview;
  private readonly connector: Connector;
  private readonly requests: Requests;
  private readonly attachments: Attachments;
  private readonly typing: Typing;
  private readonly opener: Opener;
  private readonly closer: Closer;
  private readonly restorer: Restorer;
  private readonly shown: ShownSession;
  private readonly renewals = new Renewals((terminalId) => this.renewScreen(terminalId));
  private readonly bell: (terminalId: string) => void;
  private theme: Theme | undefined;

  constructor(options: ClientOptions) {
    const { storage, origin } = options;
    const session = options.session ?? loadSession(storage, origin) ?? usualDefault;
    const store = createStore(reduce, initialState(session, loadTabs(storage, origin, session)));
    const requests = new Requests(store);
    const rang = (terminalId: string) => this.bellRang(terminalId);
    const lacksCommands = (terminalId: string) => void this.tellCommands(terminalId);
    const attachments = new Attachments(store, requests, options.createScreen, rang, lacksCommands);
    const events = {
      bytes: attachments.send.bind(attachments),
      sent: (connection: Connection) => this.connector.expectAnswer(connection),
    };
    const typing = new Typing(store, requests, events, randomId);
    const opener = new Opener(store, requests, attachments, typing, options.newId ?? randomId);
    const restorer = new Restorer(store, requests, attachments, opener);
    const extensions = new Extensions(store, requests, (name) => void this.shown.show(name));
    this.bell = options.bell ?? (() => {});
    this.store = store;
    this.requests = requests;
    this.attachments = attachments;
    this.typing = typing;
    this.opener = opener;
    this.restorer = restorer;
    this.extensions = extensions;
    this.search = new Search(requests);
    this.commands = new ShellCommands(requests, typing);
    this.preferences = new Preferences(requests, options.preferenceStorage ?? storage, origin);
    this.notices = new Notices(this.preferences);
    this.overview = new Overview(requests);
    this.closer = new Closer(store, requests, attachments, (closed) => this.isComingBack(closed));
    this.shown = new ShownSession({ store, requests, attachments, restorer, extensions, storage, origin });
    this.sessions = new Sessions(store, requests, this.shown);
    this.connector = this.connectorTo(options);
    this.panes = new Panes(store, this.preferences, attachments, opener, () => this.isListed());
    if (options.initialRoom) this.panes.measured(options.initialRoom);
    for (const { terminalId } of this.state.tabs) attachments.show(terminalId);
    store.subscribe(() => saveTabs(storage, origin, this.state.session, persistedOf(this.state)));
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

  /** No terminal is streamed to a page that nobody sees. */
  setPageVisible(isVisible: boolean): void {
    this.attachments.setPageVisible(isVisible);
  }

  screenOf(terminalId: string): TabScreen | undefined {
    return this.attachments.screenOf(terminalId);
  }

  // --- terminals ---------------------------------------------------------------------------------

  /** What a new terminal is if nothing else is asked for, and who is told which profile it has. */
  setUsual(usual: From, withProfile: (terminalId: string, profile: string) => void): void {
    Object.assign(this.opener, { usual, withProfile });
  }

  /** Opens a terminal in a new tab, and shows it. */
  async newTerminal(from?: From): Promise<void> {
    if (mayCreate(this.state.scope)) await this.opener.open(from);
  }

  /** Closes a terminal. Asks first if a program other than its shell is running in it. */
  async closeTerminal(terminalId: string): Promise<void> {
    if (!mayChange(this.state.scope)) return;
    await this.closer.close(terminalId);
    this.attachments.resizeShown();
  }

  async confirmClose(terminalId: string): Promise<void> {
    await this.closer.confirm(terminalId);
    this.attachments.resizeShown();
  }
  cancelClose(): void {
    this.closer.cancel();
  }

  /** Replaces an exited terminal with a new one in the same tab, running the same command. */
  async runAgain(terminalId: string): Promise<void> {
    if (mayCreate(this.state.scope)) await this.opener.runAgain(terminalId);
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
    if (this.requests.connection) await this.opener.restore(terminalId);
  }

  async restoreAll(): Promise<void> {
    if (this.requests.connection) await this.opener.restoreAll();
  }

  /** Takes the terminal back from another viewer. */
  takeBack(terminalId: string): void {
    void this.opener.attach(terminalId);
  }

  /** The tab's emulator threw. A snapshot replaces everything it shows. */
  screenFailed(terminalId: string, error: unknown): void {
    if (!this.renewals.failed(terminalId)) return;
    console.error('the terminal emulator failed', error);
    this.toast('warning', words.terminal.redrawn);
  }

  // --- input and size ----------------------------------------------------------------------------

  input(terminalId: string, data: string | Uint8Array): void {
    if (!mayChange(this.state.scope)) return;
    const status = tabOf(this.state, terminalId)?.status.kind;
    if (status === 'exited' && data === '\r') return void this.runAgain(terminalId);
    if (status === 'connected' && isReport(data)) this.attachments.input(terminalId, data);
    else if (typeof data === 'string') this.type(terminalId, 'text', data);
  }

  paste(terminalId: string, text: string): void {
    if (mayChange(this.state.scope)) this.type(terminalId, 'paste', text);
  }

  /** Runs a command again that ran in this terminal, and only there. */
  async runCommand(terminalId: string, command: ShellCommand): Promise<RunAgain> {
    return mayChange(this.state.scope) ? await this.commands.runAgain(terminalId, command) : 'busy';
  }

  /** Into this terminal, and into those that it is broadcast to. */
  private type(terminalId: string, kind: 'text' | 'paste', text: string): void {
    for (const each of typedInto(this.state, terminalId))
      if (takesInput(tabOf(this.state, each)?.status.kind)) this.typing.add(each, kind, text);
  }

  /** What was typed long ago, before the connection was lost: sends or drops it. */
  decidePending(terminalId: string, isWanted: boolean): void {
    this.typing.decide(terminalId, isWanted);
  }

  /** The user is active in this window, so the terminal takes its size. */
  takeSize(terminalId: string): void {
    this.attachments.focus(terminalId);
  }

  /** The same with all that is shown. */
  takeSizes(): void {
    for (const terminalId of shownTerminals(this.state)) this.takeSize(terminalId);
  }

  setTheme(theme: Theme): void {
    this.theme = theme;
    this.requests.connection?.tell('theme', theme);
  }

  // --- screen events -----------------------------------------------------------------------------

  titleChanged(terminalId: string, title: string): void {
    if (tabOf(this.state, terminalId)?.title !== title)
      this.store.dispatch({ type: 'tab_title', terminalId, title });
  }

  bellRang(terminalId: string): void {
    if (!tabOf(this.state, terminalId)?.bell && !shownTerminals(this.state).includes(terminalId))
      this.store.dispatch({ type: 'tab_bell', terminalId });
    this.bell(terminalId);
  }

  // --- sessions and notices ----------------------------------------------------------------------

  /** Switches to another session, unless an extension of this one refuses. */
  async switchSession(to: string): Promise<void> {
    await this.shown.switchTo(to);
  }

  /** The terminals of all sessions; none while disconnected. */
  async allTerminals(): Promise<TerminalInfo[]> {
    const answer = await this.requests.ask((connection) => connection.request('list', {}));
    return answer === 'failed' || answer === undefined ? [] : answer.terminals;
  }

  /** Shows a terminal of any session. */
  async goTo(session: string, terminalId: string): Promise<void> {
    await this.shown.switchTo(session);
    if (this.state.session === session) this.activate(terminalId);
  }

  toast(level: NotifyLevel, text: string): void {
    this.requests.toast(level, text);
  }

  dismissToast(id: number): void {
    this.store.dispatch({ type: 'toast_dismissed', id });
  }

  /** Whether the tabs are the daemon's terminals. */
  private isListed(): boolean {
    return this.requests.connection !== undefined && !this.restorer.isDeciding;
  }

  private async tellCommands(terminalId: string): Promise<void> {
    const commands = await this.commands.all(terminalId);
    if (commands) this.screenOf(terminalId)?.know?.(commands);
  }

  private renewScreen(terminalId: string): void {
    // Without a connection, the tab gets its snapshot when the next one opens.
    this.attachments.leave(terminalId);
    if (tabOf(this.state, terminalId)?.status.kind === 'connected') void this.opener.attach(terminalId);
  }

  // --- the connection ----------------------------------------------------------------------------

  private connectorTo({ openSocket, probe, random, isOffline }: ClientOptions): Connector {
    return new Connector({
      openSocket,
      probe,
      ...(random ? { random } : {}),
      ...(isOffline ? { isOffline } : {}),
      events: {
        connected: (connection, welcome) => void this.connected(connection, welcome.data),
        message: (message) => this.receive(message),
        frame: (frame) => this.attachments.frame(frame),
        state: (connection) => {
          if (connection.kind !== 'connected') this.disconnected();
          this.store.dispatch({ type: 'connection', connection });
          if (connection.kind === 'connected' && connection.isSilent) this.typing.silent();
        },
      },
    });
  }

  private async connected(connection: Connection, welcome: ServerData<'welcome'>): Promise<void> {
    const { user, version } = welcome;
    this.store.dispatch({ type: 'welcomed', user, version, scope: scopeOf(welcome) });
    this.shown.defaultName = welcome.session;
    this.requests.connection = connection;
    this.preferences.connected(connection, user);
    void this.notices.load(connection);
    this.overview.connected();
    if (this.theme) connection.tell('theme', this.theme);
    await this.shown.restore(connection);
    if (this.requests.connection === connection) void this.sessions.list();
  }

  private disconnected(): void {
    this.requests.connection = undefined;
    this.restorer.disconnected();
    this.preferences.disconnected();
    this.attachments.disconnected();
    this.typing.disconnected();
  }

  private receive(message: ServerMessage): void {
    const { store, requests, attachments, typing, opener, closer, sessions, extensions } = this;
    // A session takes its preferences along to its new name, before anybody asks for them there.
    this.preferences.receive(message);
    this.notices.receive(message);
    this.overview.receive(message);
    receive(message, { store, requests, attachments, typing, opener, closer, sessions, extensions });
  }

  /**
   * A terminal that a person closed is gone. One that ended while this page was reconnecting gets a
   * new terminal, and so does one that is being replaced.
   */
  private isComingBack({ terminalId, reason }: ServerData<'closed'>): boolean {
    return this.opener.isCreating(terminalId) || (this.restorer.isDeciding && reason !== 'user_requested');
  }
}
