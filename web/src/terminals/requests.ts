// Sends requests while connected, and shows the daemon's refusals.

import { type Connection, LostError, RefusedError } from '../protocol/connection';
import type { NotifyLevel } from '../protocol/messages';
import type { Action, State } from './state';
import type { Store } from './store';

export class Requests {
  /** `undefined` while disconnected. */
  connection: Connection | undefined;
  private readonly store: Store<State, Action>;

  constructor(store: Store<State, Action>) {
    this.store = store;
  }

  /** Shows a refusal, unless its code is in `expected`: then it resolves to nothing. */
  async ask<T>(
    request: (connection: Connection) => Promise<T>,
    expected: string[] = [],
  ): Promise<T | 'failed' | undefined> {
    if (!this.connection) return 'failed';
    try {
      return await request(this.connection);
    } catch (error) {
      if (error instanceof RefusedError && expected.includes(error.code)) return undefined;
      if (error instanceof RefusedError) this.refused(error);
      else if (!(error instanceof LostError)) throw error;
      return 'failed';
    }
  }

  refused({ message, details }: { message: string; details?: string | undefined }): void {
    this.toast('error', details ? `${message.replace(/\.$/, '')}. ${details}` : message);
  }

  toast(level: NotifyLevel, text: string): void {
    this.store.dispatch({ type: 'toast', level, text });
  }
}
