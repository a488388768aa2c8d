// Brings the session's tabs back, on every new connection and when another session is shown: lists
// what the daemon has, compares it with the tabs, and does what each tab needs.

import type { Connection } from '../protocol/connection';
import type { TerminalInfo } from '../protocol/messages';
import type { Attachments } from './attachments';
import { matchTerminals, type Step } from './match';
import type { Opener } from './opener';
import type { Requests } from './requests';
import { mayCreate } from './scope';
import type { Action, State } from './state';
import type { Store } from './store';

export class Restorer {
  private readonly store: Store<State, Action>;
  private readonly requests: Requests;
  private readonly attachments: Attachments;
  private readonly opener: Opener;
  private deciding = false;

  constructor(store: Store<State, Action>, requests: Requests, attachments: Attachments, opener: Opener) {
    this.store = store;
    this.requests = requests;
    this.attachments = attachments;
    this.opener = opener;
  }

  /** True until it is decided what each tab needs. A terminal that ends meanwhile gets a new one. */
  get isDeciding(): boolean {
    return this.deciding;
  }

  /** The connection was lost. The next one begins anew. */
  disconnected(): void {
    this.deciding = false;
  }

  /** Rejects with a RefusedError or a LostError if the terminals cannot be listed. */
  async restore(connection: Connection): Promise<void> {
    const { session } = this.store.get();
    const isStale = () => this.requests.connection !== connection || this.store.get().session !== session;
    const terminals = await this.list(connection, session);
    if (isStale()) return;
    const steps = this.match(terminals);
    if (steps.length === 0) {
      this.deciding = false;
      if (mayCreate(this.store.get().scope)) await this.opener.open();
      return;
    }
    await this.opener.roomIsKnown();
    if (isStale()) return;
    this.deciding = false;
    await Promise.all(steps.map((step) => this.opener.take(step)));
    // The daemon puts new terminals last.
    if (!isStale() && steps.some(({ kind }) => kind === 'create')) await this.tellOrder();
  }

  private async list(connection: Connection, session: string): Promise<TerminalInfo[]> {
    this.deciding = true;
    try {
      const { terminals } = await connection.request('list', { session });
      return terminals.filter((each) => each.session === session);
    } catch (error) {
      this.deciding = false;
      throw error;
    }
  }

  /** Decides what to do, and shows the tabs that there will be. */
  private match(terminals: TerminalInfo[]): Step[] {
    const tabs = this.store.get().tabs.map(({ terminalId, name, status }) => ({
      terminalId,
      ...(name === undefined ? {} : { name }),
      seenExit: status.kind === 'exited',
    }));
    const steps = matchTerminals(tabs, terminals, mayCreate(this.store.get().scope));
    for (const step of steps) if (step.kind !== 'create') this.attachments.show(step.terminal.terminalId);
    this.store.dispatch({ type: 'matched', steps });
    return steps;
  }

  private async tellOrder(): Promise<void> {
    const terminalIds = this.store.get().tabs.map(({ terminalId }) => terminalId);
    await this.requests.ask((connection) => connection.request('reorder', { terminalIds }), ['not_found']);
  }
}
