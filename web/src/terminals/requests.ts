// Asks the daemon while there is one, and tells the person what it refuses.

import { type Connection, LostError, RefusedError } from '../protocol/connection';
import type { NotifyLevel } from '../protocol/messages';
import type { Action, State } from './state';
import type { Store } from './store';

export class Requests {
  /** None while the daemon is away. */
  connection: Connection | undefined;
  private readonly store: Store<State, Action>;

  constructor(store: Store<State, Action>) {
    this.store = store;
  }

  /** A refusal is shown, unless its code is one of `expected`: then nothing is given. */
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
    this.toast('error', [message, details].filter(Boolean).join('. '));
  }

  toast(level: NotifyLevel, text: string): void {
    this.store.dispatch({ type: 'toast', level, text });
  }
}
