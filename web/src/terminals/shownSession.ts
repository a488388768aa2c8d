// The session that the page shows: bringing it back on every connection, and showing another.

import { type Connection, RefusedError } from '../protocol/connection';
import type { Attachments } from './attachments';
import type { Extensions } from './extensions';
import { forgetTabs, loadTabs, type Storage, saveSession } from './persisted';
import type { Requests } from './requests';
import type { Restorer } from './restorer';
import type { Action, State } from './state';
import type { Store } from './store';

interface Parts {
  store: Store<State, Action>;
  requests: Requests;
  attachments: Attachments;
  restorer: Restorer;
  extensions: Extensions;
  /** Where tabs are remembered. */
  storage: Storage;
  /** Identifies the daemon in storage. */
  origin: string;
}

/** The default session's usual name; the daemon tells the real one. */
export const usualDefault = 'main';

export class ShownSession {
  /** What is shown when the shown session is closed. */
  defaultName = usualDefault;
  private readonly parts: Parts;

  constructor(parts: Parts) {
    this.parts = parts;
  }

  private get name(): string {
    return this.parts.store.get().session;
  }

  /** Brings the session back: what its extensions show, and its tabs. */
  async restore(connection: Connection): Promise<void> {
    const session = this.name;
    void this.parts.extensions.open();
    try {
      await this.parts.restorer.restore(connection);
    } catch (error) {
      // Another session is shown by now.
      if (!(error instanceof RefusedError) || this.name !== session) return;
      // The session was closed while this page was away.
      if (error.code === 'not_found' && session !== this.defaultName) await this.show(this.defaultName);
      else this.parts.requests.refused(error);
    }
  }

  /** Switches to another session, unless an extension of this one refuses. */
  async switchTo(to: string): Promise<void> {
    const from = this.name;
    if (to === from) return;
    const { requests } = this.parts;
    if (requests.connection) {
      const answer = await requests.ask(
        (connection) => connection.request('session_switch', { from, to }),
        ['unsupported'],
      );
      if (answer === 'failed' || this.name !== from) return;
    }
    await this.show(to);
  }

  /** Shows another session without asking. */
  async show(session: string): Promise<void> {
    if (session === this.name) return;
    const { store, requests, attachments, storage, origin } = this.parts;
    attachments.removeAll();
    const stored = loadTabs(storage, origin, session);
    saveSession(storage, origin, session);
    for (const { terminalId } of stored.tabs) attachments.show(terminalId);
    store.dispatch({ type: 'session_opened', session, stored });
    if (requests.connection) await this.restore(requests.connection);
  }

  /** A session was closed: this one or another. */
  closed(name: string): void {
    forgetTabs(this.parts.storage, this.parts.origin, name);
    if (name === this.name) void this.show(this.defaultName);
  }

  /** A session was renamed: this one or another. */
  renamed(name: string, newName: string): void {
    if (name !== this.name) return;
    const { storage, origin } = this.parts;
    forgetTabs(storage, origin, name);
    saveSession(storage, origin, newName);
  }
}
