// One load of one extension: what it registered, and what ends with it.

import { AsyncLocalStorage, createHook } from 'node:async_hooks';
import type { Command, Tool } from '../../types/index.d.ts';
import { ownThread } from '../cpu.ts';
import { nobody, type RunningTimes } from '../running_times.ts';
import { StaleError } from './stale.ts';

export type AnyHandler = (data: unknown, ctx: unknown) => unknown;

export interface RegisteredTool {
  tool: Tool;
  /** Throws if the parameters do not match the schema. */
  check(params: unknown): void;
}

/** The generation whose code is running, followed through asynchronous calls. */
export const running = new AsyncLocalStorage<Generation>();

let times: RunningTimes | undefined;

/** Keeps the main thread informed whose code runs, also in callbacks of timers and sockets. */
export function shareRunningTimes(shared: RunningTimes) {
  times = shared;
  shared.thread = ownThread();
  const before: number[] = [];
  createHook({
    before: () => before.push(shared.turn(running.getStore()?.ofExtension ?? nobody)),
    after: () => shared.turn(before.pop() ?? nobody),
  }).enable();
}

/** Runs code of this generation. */
export function enter<T>(generation: Generation, work: () => T): T {
  return blamed(generation.ofExtension, () => running.run(generation, work));
}

/** Runs work for the extension with this number (running_times.ts), without a generation. */
export function blamed<T>(ofExtension: number, work: () => T): T {
  const before = times?.turn(ofExtension) ?? nobody;
  try {
    return work();
  } finally {
    times?.turn(before);
  }
}

/** The generation whose resource is being created, followed through asynchronous calls. */
export const making = new AsyncLocalStorage<Generation>();

/** Set while a resource is closed or described, by whichever code made it. */
export const tending = new AsyncLocalStorage<true>();

export class Generation {
  readonly extension: string;
  readonly number: number;
  /** The number of the extension itself (running_times.ts). */
  readonly ofExtension: number;
  readonly commands = new Map<string, Command>();
  readonly tools = new Map<string, RegisteredTool>();
  readonly handlers = new Set<{ event: string; handler: AnyHandler; mustDecide: boolean }>();
  readonly listeners = new Set<{ name: string; handler: (data: unknown) => unknown }>();
  readonly #session: { readonly name: string };
  readonly #cleanups = new Set<() => void>();
  #ended: string | undefined;

  constructor(
    { name, number: ofExtension }: { name: string; number: number },
    number: number,
    session: { readonly name: string },
  ) {
    this.extension = name;
    this.ofExtension = ofExtension;
    this.number = number;
    this.#session = session;
  }

  get alive(): boolean {
    return this.#ended === undefined;
  }

  /** Whether the running code is creating one of its resources. */
  get makes(): boolean {
    return making.getStore() === this;
  }

  /** Throws if this generation has ended. */
  check() {
    if (this.#ended !== undefined) throw this.#stale();
  }

  #stale(): StaleError {
    const self = `this is generation ${this.number} of ${this.extension} in session ${this.#session.name}`;
    return new StaleError(`${self}; ${this.#ended}`, this.extension, this.number);
  }

  /**
   * Calls `cleanup` when this generation ends, except for what belongs to one of its resources.
   * Returns a function that cancels this.
   */
  onEnd(cleanup: () => void): () => void {
    if (this.makes) return () => {};
    if (this.alive) this.#cleanups.add(cleanup);
    else cleanup();
    return () => this.#cleanups.delete(cleanup);
  }

  /** The promise's value. Rejects with a StaleError if this generation ends before. */
  async whileAlive<T>(promise: Promise<T>): Promise<T> {
    let cancel = () => {};
    const ended = new Promise<never>((_resolve, reject) => {
      cancel = this.onEnd(() => reject(this.#stale()));
    });
    try {
      return await Promise.race([promise, ended]);
    } finally {
      cancel();
    }
  }

  end(because: string) {
    if (!this.alive) return;
    this.#ended = because;
    for (const cleanup of this.#cleanups) cleanup();
    this.#cleanups.clear();
    this.commands.clear();
    this.tools.clear();
    this.handlers.clear();
    this.listeners.clear();
  }
}
