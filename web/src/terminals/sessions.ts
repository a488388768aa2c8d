// The user's sessions: listing, creating, renaming, closing.

import { RefusedError } from '../protocol/connection';
import type { ServerMessage } from '../protocol/messages';
import type { Requests } from './requests';
import type { ShownSession } from './shownSession';
import type { Action, State } from './state';
import type { Store } from './store';

export class Sessions {
  private readonly store: Store<State, Action>;
  private readonly requests: Requests;
  private readonly shown: ShownSession;

  constructor(store: Store<State, Action>, requests: Requests, shown: ShownSession) {
    this.store = store;
    this.requests = requests;
    this.shown = shown;
  }

  async list(): Promise<void> {
    try {
      const answer = await this.requests.connection?.request('sessions', {});
      if (answer) this.store.dispatch({ type: 'sessions', sessions: answer.sessions });
    } catch (error) {
      if (error instanceof RefusedError) this.store.dispatch({ type: 'sessions_unsupported' });
    }
  }

  /** Creates a session and switches to it. */
  async create(name: string): Promise<void> {
    const made = await this.requests.ask((connection) => connection.request('session_create', { name }));
    if (made === 'failed') return;
    await this.list();
    void this.shown.switchTo(name);
  }

  async rename(name: string, newName: string): Promise<void> {
    await this.requests.ask((connection) => connection.request('session_rename', { name, newName }));
  }

  /** Closes a session and its terminals. */
  async close(name: string): Promise<void> {
    await this.requests.ask((connection) => connection.request('session_close', { name }));
  }

  receive(message: ServerMessage): void {
    switch (message.type) {
      case 'session_created':
        return void this.list();
      case 'session_renamed': {
        const { name, newName } = message.data;
        this.shown.renamed(name, newName);
        return this.store.dispatch({ type: 'session_renamed', name, newName });
      }
      case 'session_closed':
        this.shown.closed(message.data.name);
        return void this.list();
    }
  }
}
