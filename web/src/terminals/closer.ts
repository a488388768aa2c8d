// Closes terminals and removes their tabs, whoever closed them.

import type { ServerData, TerminalInfo } from '../protocol/messages';
import { words } from '../words';
import type { Attachments } from './attachments';
import type { Requests } from './requests';
import { type Action, type State, tabOf } from './state';
import type { Store } from './store';

export class Closer {
  private readonly store: Store<State, Action>;
  private readonly requests: Requests;
  private readonly attachments: Attachments;
  private readonly isComingBack: (closed: ServerData<'closed'>) => boolean;

  /** `isComingBack` tells whether a tab stays because it is about to get a new terminal. */
  constructor(
    store: Store<State, Action>,
    requests: Requests,
    attachments: Attachments,
    isComingBack: (closed: ServerData<'closed'>) => boolean,
  ) {
    this.store = store;
    this.requests = requests;
    this.attachments = attachments;
    this.isComingBack = isComingBack;
  }

  /** Closes a terminal. Asks first if a program other than its shell is running in it. */
  async close(terminalId: string): Promise<void> {
    const tab = tabOf(this.store.get(), terminalId);
    if (!tab || !this.requests.connection) return;
    if (tab.status.kind === 'failed') return this.remove(terminalId);
    const info = await this.infoOf(terminalId);
    if (info?.status === 'running' && info.busy) {
      const process = info.process ?? info.command[0] ?? words.closing.someProgram;
      this.store.dispatch({ type: 'closing', closing: { terminalId, process } });
    } else {
      await this.confirm(terminalId);
    }
  }

  /** Closes it without asking. */
  async confirm(terminalId: string): Promise<void> {
    this.cancel();
    const closed = await this.requests.ask(
      (connection) => connection.request('close', { terminalId }),
      ['not_found'],
    );
    if (closed !== 'failed') this.remove(terminalId);
  }

  /** The user does not want to close it after all. */
  cancel(): void {
    this.store.dispatch({ type: 'closing', closing: null });
  }

  /** The daemon says that a terminal is gone. */
  closed(closed: ServerData<'closed'>): void {
    if (!this.isComingBack(closed)) this.remove(closed.terminalId);
  }

  private remove(terminalId: string): void {
    this.store.dispatch({ type: 'tab_removed', terminalId });
    this.attachments.remove(terminalId);
  }

  private async infoOf(terminalId: string): Promise<TerminalInfo | undefined> {
    const { session } = this.store.get();
    const answer = await this.requests.ask((connection) => connection.request('list', { session }));
    if (answer === 'failed') return undefined;
    return answer?.terminals.find((each) => each.terminalId === terminalId);
  }
}
