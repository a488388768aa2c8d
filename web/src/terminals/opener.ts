// Opens terminals in their tabs: attaches the running ones, creates the others, and shows failures
// in the tab.

import { RefusedError } from '../protocol/connection';
import type { TerminalInfo } from '../protocol/messages';
import { words } from '../words';
import type { Attachments } from './attachments';
import type { Step } from './match';
import { roomOf } from './paneState';
import type { Requests } from './requests';
import { type Action, type Size, type State, tabOf } from './state';
import type { Store } from './store';
import type { Typing } from './typing';

/** What to run. Default: the user's shell in the home directory. */
export interface From {
  workDir?: string;
  command?: string[];
  name?: string;
  env?: Record<string, string>;
  /** The page's name for all this. */
  profile?: string;
}

const fallbackSize: Size = { rows: 24, cols: 80 };
/** Wait at most this many milliseconds for the page to be measured before creating terminals. */
const roomTimeout = 1000;

/** Pages served without TLS have no crypto.randomUUID. */
export function randomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

export class Opener {
  /** What is opened if nothing else was asked for. */
  usual: From = {};
  /** Told of each terminal that is opened with a profile. */
  withProfile: (terminalId: string, profile: string) => void = () => {};
  private readonly newId: () => string;
  private readonly store: Store<State, Action>;
  private readonly requests: Requests;
  private readonly attachments: Attachments;
  private readonly typing: Typing;
  private readonly creating = new Set<string>();
  private readonly room = Promise.withResolvers<void>();

  constructor(
    store: Store<State, Action>,
    requests: Requests,
    attachments: Attachments,
    typing: Typing,
    newId: () => string,
  ) {
    this.store = store;
    this.requests = requests;
    this.attachments = attachments;
    this.typing = typing;
    this.newId = newId;
  }

  /** Ids of terminals being replaced by new ones: their end does not close the tab. */
  isCreating(terminalId: string): boolean {
    return this.creating.has(terminalId);
  }

  roomMeasured(): void {
    this.room.resolve();
  }

  async roomIsKnown(): Promise<void> {
    if (roomOf(this.store.get(), null)) return;
    await Promise.race([this.room.promise, new Promise((resolve) => setTimeout(resolve, roomTimeout))]);
  }

  /** Opens a terminal in a new tab, or where `place` puts it, and shows it. */
  async open({ profile, ...from }: From = this.usual, place?: (terminalId: string) => void): Promise<void> {
    const terminalId = this.newId();
    if (profile !== undefined) this.withProfile(terminalId, profile);
    this.attachments.show(terminalId);
    place?.(terminalId);
    const named = from.name === undefined ? {} : { name: from.name };
    this.store.dispatch({ type: 'tab_added', terminalId, ...named, activate: true });
    await this.create(terminalId, from);
  }

  /** Replaces an exited terminal with a new one in the same tab, running the same command. */
  async runAgain(terminalId: string): Promise<void> {
    const tab = tabOf(this.store.get(), terminalId);
    if (!tab || tab.status.kind === 'connected') return;
    this.typing.replaced(terminalId);
    if (tab.status.kind === 'exited') this.attachments.keepAbove(terminalId);
    this.store.dispatch({ type: 'tab_status', terminalId, status: { kind: 'reconnecting' } });
    await this.create(terminalId, {
      ...(tab.name === undefined ? {} : { name: tab.name }),
      ...(tab.command === undefined ? {} : { command: tab.command }),
      ...(tab.workingDirectory === undefined ? {} : { workDir: tab.workingDirectory }),
    });
  }

  /** Does what a tab needs after reconnecting. */
  async take(step: Step): Promise<void> {
    if (step.kind === 'restore') return await this.restore(step.terminal.terminalId);
    if (step.kind === 'offer') return this.offer(step.terminal);
    if (step.kind !== 'create') {
      const { terminalId, createdAt } = step.terminal;
      await this.attach(terminalId, createdAt);
      return;
    }
    const { terminalId, name, terminal } = step;
    this.typing.replaced(terminalId);
    this.store.dispatch({ type: 'tab_status', terminalId, status: { kind: 'reconnecting' } });
    await this.create(terminalId, {
      ...(name === undefined ? {} : { name }),
      ...(terminal?.workingDirectory === undefined ? {} : { workDir: terminal.workingDirectory }),
    });
  }

  /** Creates a new terminal in an existing tab. */
  private async create(terminalId: string, from: Omit<From, 'profile'>): Promise<void> {
    this.creating.add(terminalId);
    try {
      if (!roomOf(this.store.get(), null)) await this.roomIsKnown();
      const { connection } = this.requests;
      if (!connection) return;
      const { terminal } = await connection.request('create', {
        terminalId,
        session: this.store.get().session,
        ...(roomOf(this.store.get(), terminalId) ?? fallbackSize),
        ...from,
      });
      await this.begin(terminal);
    } catch (error) {
      if (!(error instanceof RefusedError)) return;
      // Another window with the same tabs was faster.
      if (error.code === 'already_exists') return await this.attach(terminalId, '');
      // The stored id belongs to another user's terminal: somebody else has signed in.
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

  /** Adds a tab for a terminal that another client created. */
  adopt(terminal: TerminalInfo): void {
    const tab = tabOf(this.store.get(), terminal.terminalId);
    // If it has a tab, this page created it, unless the tab was waiting to be restored.
    if (tab && tab.status.kind !== 'restorable') return;
    this.show(terminal);
    // Whoever created it looks at it.
    void this.attach(terminal.terminalId, terminal.createdAt, false);
  }

  /** The machine or the keeper went down. The screen stays readable, and can be restored. */
  offer(terminal: TerminalInfo): void {
    this.show(terminal);
    const { terminalId } = terminal;
    this.store.dispatch({ type: 'tab_status', terminalId, status: { kind: 'restorable' } });
  }

  /** Attaches to a new terminal. What its tab showed before belonged to another one. */
  private async begin(terminal: TerminalInfo): Promise<void> {
    this.attachments.forget(terminal.terminalId);
    this.store.dispatch({ type: 'tab_info', info: terminal });
    await this.attach(terminal.terminalId, terminal.createdAt);
  }

  private show(terminal: TerminalInfo): void {
    this.attachments.show(terminal.terminalId);
    this.store.dispatch({ type: 'tab_added', terminalId: terminal.terminalId, activate: false });
    this.store.dispatch({ type: 'tab_info', info: terminal });
  }

  async restoreAll(): Promise<void> {
    const waiting = this.store.get().tabs.filter(({ status }) => status.kind === 'restorable');
    await Promise.all(waiting.map(({ terminalId }) => this.restore(terminalId)));
  }

  /** Restores a terminal that ended with the machine, in its tab. */
  async restore(terminalId: string): Promise<void> {
    this.typing.replaced(terminalId);
    this.store.dispatch({ type: 'tab_status', terminalId, status: { kind: 'reconnecting' } });
    try {
      await this.roomIsKnown();
      const { connection } = this.requests;
      if (!connection) return;
      const room = roomOf(this.store.get(), terminalId);
      const { terminal } = await connection.request('restore', { terminalId, ...(room ?? {}) });
      await this.begin(terminal);
    } catch (error) {
      if (!(error instanceof RefusedError)) return;
      // Another window was faster.
      if (error.code === 'already_exists') return await this.attach(terminalId, '');
      this.setFailed(terminalId, error);
    }
  }

  private async createUnderNewId(terminalId: string, from: Omit<From, 'profile'>): Promise<void> {
    const by = this.newId();
    this.attachments.remove(terminalId);
    this.attachments.show(by);
    this.store.dispatch({ type: 'tab_replaced', terminalId, by });
    await this.create(by, from);
  }

  async attach(terminalId: string, createdAt?: string, takesSize = true): Promise<void> {
    try {
      await this.attachments.attach(terminalId, createdAt, takesSize);
    } catch (error) {
      if (error instanceof RefusedError) this.setFailed(terminalId, error);
    }
  }

  private setFailed(terminalId: string, refusal: RefusedError): void {
    const { text, advice } = words.refusal(refusal);
    this.store.dispatch({
      type: 'tab_status',
      terminalId,
      status: { kind: 'failed', error: text, ...(advice === undefined ? {} : { details: advice }) },
    });
  }
}
