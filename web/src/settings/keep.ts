// What is kept in this browser: preferences of the device, for as long as the daemon is not asked.

import { isRecord } from '../protocol/shape';
import type { Keeper } from '../terminals/preferences';

type Kept = Pick<Storage, 'getItem' | 'setItem'>;

const key = 'holdfast:preferences';

/** In this browser. Its other windows notice changes. */
export class BrowserStore implements Keeper {
  private readonly storage: () => Kept;
  private readonly listeners = new Map<string, Set<() => void>>();
  private values: Record<string, unknown>;

  constructor(storage: () => Kept = () => localStorage) {
    this.storage = storage;
    this.values = this.load();
  }

  /** Begins to listen to other windows. Returns what ends that. */
  watch(): () => void {
    const changed = (event: StorageEvent) => {
      if (event.key !== null && event.key !== key) return;
      const old = this.values;
      this.values = this.load();
      for (const name of new Set([...Object.keys(old), ...Object.keys(this.values)]))
        if (JSON.stringify(old[name]) !== JSON.stringify(this.values[name])) this.tell(name);
    };
    addEventListener('storage', changed);
    return () => removeEventListener('storage', changed);
  }

  get(name: string): unknown {
    return this.values[name];
  }

  set(name: string, value: unknown): void {
    this.values = { ...this.values, [name]: value };
    try {
      // What this version does not know stays.
      this.storage().setItem(key, JSON.stringify({ ...this.load(), [name]: value }));
    } catch {
      // The browser forbids storage, so the choice lasts until the page is closed.
    }
    this.tell(name);
  }

  update(name: string, change: (kept: unknown) => unknown): void {
    this.set(name, change(this.get(name)));
  }

  subscribe(name: string, listener: () => void): () => void {
    const listeners = this.listeners.get(name) ?? new Set();
    this.listeners.set(name, listeners.add(listener));
    return () => listeners.delete(listener);
  }

  private tell(name: string): void {
    for (const listener of [...(this.listeners.get(name) ?? [])]) listener();
  }

  private load(): Record<string, unknown> {
    try {
      const value: unknown = JSON.parse(this.storage().getItem(key) ?? '{}');
      return isRecord(value) ? value : {};
    } catch {
      return {}; // Damaged, or the browser forbids storage.
    }
  }
}
