// What the user's pages keep in the daemon: JSON values under names, for the user or for a session,
// the same in every window and on every device (docs/protocol.md, "Preferences").
//
// A change counts here at once, and is sent. What the daemon does not take, because it is away,
// older, or may not, stays in this browser and is tried again.

import { type Connection, LostError, RefusedError } from '../protocol/connection';
import type { ServerMessage } from '../protocol/messages';
import { isRecord } from '../protocol/shape';
import type { Storage } from './persisted';
import type { Requests } from './requests';

/** What is kept under a name, `undefined` if nothing is. */
export interface Keeper {
  get(name: string): unknown;
  /** `undefined` removes it. */
  set(name: string, value: unknown): void;
  /** Changes what is kept, also what another window keeps meanwhile: `change` may run again. */
  update(name: string, change: (kept: unknown) => unknown): void;
  /** Calls `changed` after each change, whoever made it. Returns what ends that. */
  subscribe(name: string, changed: () => void): () => void;
}

interface Change {
  apply(kept: unknown): unknown;
  /** It does not depend on what is kept. */
  isWhole: boolean;
}

/** A name and its value: what the daemon keeps, and the changes that it has not answered. */
interface Entry {
  kept: unknown;
  revision: number;
  changes: Change[];
  /** How many of them are on their way. */
  sent: number;
  /** What is kept, with all the changes. */
  value: unknown;
}

/** Refusals of something that may be taken a little later. */
const passing = new Set(['busy', 'io', 'unavailable', 'timed_out']);
const retryAfterMs = 5000;

function whole(value: unknown): Change {
  return { apply: () => value, isWhole: true };
}

/** The preferences of the user, or of one session. */
class Owner implements Keeper {
  session: string | undefined;
  /** Whose they are, once that is known. */
  user: string | undefined;
  private readonly requests: Requests;
  private readonly store: (owner: Owner) => void;
  private readonly entries = new Map<string, Entry>();
  private readonly listeners = new Map<string, Set<() => void>>();
  private loadedFrom: Connection | undefined;
  private retry: ReturnType<typeof setTimeout> | undefined;

  constructor(session: string | undefined, requests: Requests, store: (owner: Owner) => void) {
    this.session = session;
    this.requests = requests;
    this.store = store;
  }

  get(name: string): unknown {
    return this.entries.get(name)?.value;
  }

  set(name: string, value: unknown): void {
    const entry = this.entry(name);
    entry.changes.length = entry.sent;
    this.change(name, whole(value));
  }

  update(name: string, change: (kept: unknown) => unknown): void {
    this.change(name, { apply: change, isWhole: false });
  }

  subscribe(name: string, changed: () => void): () => void {
    const listeners = this.listeners.get(name) ?? new Set();
    this.listeners.set(name, listeners.add(changed));
    return () => listeners.delete(changed);
  }

  /** Asks for everything, then sends what was changed meanwhile. */
  async load(connection: Connection): Promise<void> {
    try {
      const { values } = await connection.request('preferences', this.address());
      this.loadedFrom = connection;
      const names = new Set([...this.entries.keys(), ...Object.keys(values)]);
      for (const name of names) this.learn(name, values[name]?.value, values[name]?.revision ?? 0);
    } catch (error) {
      return this.failed(error);
    }
    for (const name of this.entries.keys()) void this.send(name);
  }

  /** The daemon keeps this now. */
  learn(name: string, value: unknown, revision: number): void {
    const entry = this.entry(name);
    entry.kept = value ?? undefined;
    entry.revision = revision;
    this.changed(name, entry);
  }

  disconnected(): void {
    clearTimeout(this.retry);
    this.loadedFrom = undefined;
  }

  /** For this browser: all values, and which of them the daemon does not have. */
  toStored(): object {
    const entries = [...this.entries];
    const values = Object.fromEntries(entries.map(([name, { value }]) => [name, value]));
    const unsent = entries.filter(([, { changes }]) => changes.length > 0).map(([name]) => name);
    return { user: this.user, values, unsent };
  }

  fromStored({ user, values, unsent }: Record<string, unknown>): void {
    if (typeof user === 'string') this.user = user;
    if (!isRecord(values) || !Array.isArray(unsent)) return;
    for (const name of [...Object.keys(values), ...unsent]) {
      const entry = this.entry(name);
      entry.value = values[name];
      if (unsent.includes(name)) entry.changes = [whole(entry.value)];
      else entry.kept = entry.value;
    }
  }

  /** They were another user's. */
  forget(): void {
    for (const [name, entry] of this.entries) {
      entry.changes = [];
      this.learn(name, undefined, 0);
    }
  }

  private address(): { session?: string } {
    return this.session === undefined ? {} : { session: this.session };
  }

  private entry(name: string): Entry {
    const known = this.entries.get(name);
    if (known) return known;
    const entry = { kept: undefined, revision: 0, changes: [], sent: 0, value: undefined };
    this.entries.set(name, entry);
    return entry;
  }

  private change(name: string, change: Change): void {
    const entry = this.entry(name);
    entry.changes.push(change);
    this.changed(name, entry);
    // With all the changes of this turn, and after what else it asks for.
    queueMicrotask(() => void this.send(name));
  }

  private changed(name: string, entry: Entry): void {
    const before = entry.value;
    entry.value = entry.changes.reduce((value, { apply }) => apply(value), entry.kept);
    const isSame = JSON.stringify(before) === JSON.stringify(entry.value);
    if (isSame) entry.value = before;
    this.store(this);
    if (isSame) return;
    for (const listener of [...(this.listeners.get(name) ?? [])]) listener();
  }

  private async send(name: string): Promise<void> {
    const { connection } = this.requests;
    const entry = this.entry(name);
    // After the answer, or once everything is loaded, it is sent with what came meanwhile.
    if (!connection || connection !== this.loadedFrom) return;
    if (entry.sent > 0 || entry.changes.length === 0) return;
    if (JSON.stringify(entry.value) === JSON.stringify(entry.kept)) return this.settle(entry);
    entry.sent = entry.changes.length;
    const isWhole = entry.changes.some((change) => change.isWhole);
    const { value = null, revision } = entry;
    try {
      const answer = await connection.request('preference_set', {
        ...this.address(),
        name,
        value,
        ...(isWhole ? {} : { revision }),
      });
      entry.changes.splice(0, entry.sent);
      entry.sent = 0;
      this.learn(name, answer.value, answer.revision);
    } catch (error) {
      entry.sent = 0;
      return this.failed(error);
    }
    void this.send(name);
  }

  /** Nothing is left to be changed. */
  private settle(entry: Entry): void {
    entry.changes = [];
    this.store(this);
  }

  private failed(error: unknown): void {
    if (error instanceof LostError) return;
    if (!(error instanceof RefusedError)) throw error;
    const { connection } = this.requests;
    if (!connection) return;
    if (error.code === 'mismatch') void this.load(connection);
    if (!passing.has(error.code)) return;
    clearTimeout(this.retry);
    this.retry = setTimeout(() => void this.load(connection), retryAfterMs);
  }
}

export class Preferences implements Keeper {
  private readonly requests: Requests;
  private readonly storage: Storage;
  private readonly origin: string;
  private readonly own: Owner;
  private readonly sessions = new Map<string, Owner>();
  private user: string | undefined;

  constructor(requests: Requests, storage: Storage, origin: string) {
    this.requests = requests;
    this.storage = storage;
    this.origin = origin;
    this.own = this.ownerOf(undefined);
  }

  get(name: string): unknown {
    return this.own.get(name);
  }

  set(name: string, value: unknown): void {
    this.own.set(name, value);
  }

  update(name: string, change: (kept: unknown) => unknown): void {
    this.own.update(name, change);
  }

  subscribe(name: string, changed: () => void): () => void {
    return this.own.subscribe(name, changed);
  }

  /** Those of a session of the user's. */
  ofSession(session: string): Keeper {
    const known = this.sessions.get(session);
    if (known) return known;
    const owner = this.ownerOf(session);
    this.sessions.set(session, owner);
    const { connection } = this.requests;
    if (connection && this.user !== undefined) this.load(owner, connection, this.user);
    return owner;
  }

  /** Of `user`, who is signed in. */
  connected(connection: Connection, user: string): void {
    this.user = user;
    for (const owner of this.owners()) {
      if (owner.user !== undefined && owner.user !== user) owner.forget();
      this.load(owner, connection, user);
    }
  }

  disconnected(): void {
    for (const owner of this.owners()) owner.disconnected();
  }

  receive(message: ServerMessage): void {
    switch (message.type) {
      case 'preference_set': {
        // Whoever asked learns it from the answer.
        if (message.request !== undefined) return;
        const { session, name, value, revision } = message.data;
        const owner = session === undefined ? this.own : this.sessions.get(session);
        return owner?.learn(name, value, revision);
      }
      case 'session_renamed': {
        const owner = this.sessions.get(message.data.name);
        if (!owner) return;
        this.forget(message.data.name);
        owner.session = message.data.newName;
        this.sessions.set(message.data.newName, owner);
        return this.store(owner);
      }
      case 'session_closed':
        return this.forget(message.data.name);
    }
  }

  private owners(): Owner[] {
    return [this.own, ...this.sessions.values()];
  }

  private load(owner: Owner, connection: Connection, user: string): void {
    owner.user = user;
    void owner.load(connection);
  }

  private ownerOf(session: string | undefined): Owner {
    const owner = new Owner(session, this.requests, (changed) => this.store(changed));
    try {
      const stored: unknown = JSON.parse(this.storage.getItem(this.key(session)) ?? '');
      if (isRecord(stored)) owner.fromStored(stored);
    } catch {
      // Nothing is stored, it is damaged, or the browser forbids storage.
    }
    return owner;
  }

  private forget(session: string): void {
    this.sessions.delete(session);
    try {
      this.storage.removeItem(this.key(session));
    } catch {
      // As above.
    }
  }

  private key(session: string | undefined): string {
    return `holdfast:${this.origin}:kept${session === undefined ? '' : `:${session}`}`;
  }

  private store(owner: Owner): void {
    try {
      this.storage.setItem(this.key(owner.session), JSON.stringify(owner.toStored()));
    } catch {
      // Storage is full or forbidden, so the values come from the daemon alone.
    }
  }
}
