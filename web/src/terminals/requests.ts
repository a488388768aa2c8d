// Sends requests while connected, and shows the daemon's refusals.

import { type Connection, LostError, RefusedError } from '../protocol/connection';
import type { NotifyLevel, ServerData } from '../protocol/messages';
import { words } from '../words';
import type { Action, State } from './state';
import type { Store } from './store';

/** Refused input: too much of it waits, or a program holds the keyboard. */
const told = new Set(['busy', 'too_large', 'io']);

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

  refused(error: RefusedError): void {
    const { text, advice } = words.refusal(error);
    this.toast('error', [text, advice].filter(Boolean).join(' '));
  }

  /**
   * Something that has no answer was refused. Most often it concerns what this page has left in the
   * meantime, and is of no use to anybody.
   */
  complained({ code, error, details }: ServerData<'error'>): void {
    if (!told.has(code)) return console.debug('holdfast:', code, error);
    this.toast('error', words.told(error, details));
  }

  toast(level: NotifyLevel, text: string): void {
    this.store.dispatch({ type: 'toast', level, text });
  }
}
