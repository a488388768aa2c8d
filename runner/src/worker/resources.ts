// What extensions keep across reloads.

import type { Resources } from '../../types/index.d.ts';
import type { CloseResult, ResourceAction, ResourceState } from '../protocol.ts';
import { Allowance } from './allowance.ts';
import { messageOf } from './failures.ts';
import { late, within } from './limits.ts';

const mostHeld = 1000;
/** Each is recorded by the daemon, so that they cannot be left out. */
const createdAtOnce = 200;
const createdPerSecond = 50;

type Options = NonNullable<Parameters<Resources['getOrCreate']>[2]>;

interface HeldResource {
  value: unknown;
  options: Options;
  /** The last generation that claimed it. */
  claimed: number;
  state: ResourceState;
  description: string;
}

interface Details {
  description?: string;
  pids?: number[];
}

/** What an extension's table needs from its surroundings. */
export interface Surroundings {
  /** The running generation. Throws if there is none. */
  present(): number;
  /** The latest generation. */
  last(): number;
  tell(action: ResourceAction, key: string, details: Details): void;
  /** Runs `create` so that its timers do not end with the generation. */
  make(create: () => unknown): unknown;
  /** Runs a resource's callbacks. */
  run<T>(work: () => T): T;
  failed(what: string, error: unknown): void;
}

export class ResourceTable implements Resources {
  readonly #held = new Map<string, HeldResource>();
  readonly #coming = new Map<string, Promise<HeldResource>>();
  readonly #surroundings: Surroundings;
  readonly #closeTimeout: number;
  readonly #creations = new Allowance(createdAtOnce, createdPerSecond);

  constructor(surroundings: Surroundings, closeTimeout: number) {
    this.#surroundings = surroundings;
    this.#closeTimeout = closeTimeout;
  }

  getOrCreate = async <T>(key: string, create: () => T | Promise<T>, options: Options = {}): Promise<T> => {
    const generation = this.#surroundings.present();
    const there = this.#held.get(key);
    if (there) return this.#claim(key, there, generation, options).value as T;
    const coming = this.#coming.get(key) ?? this.#create(key, create, options);
    const held = await coming;
    return this.#claim(key, held, generation, options).value as T;
  };

  get = <T>(key: string): T | undefined => {
    const held = this.#held.get(key);
    return held && (this.#claim(key, held, this.#surroundings.present()).value as T);
  };

  list = () => [...this.#held].map(([key, { description, state }]) => ({ key, description, state }));

  close = async (key: string): Promise<boolean> => {
    const held = this.#held.get(key);
    if (!held) return false;
    const { error } = await this.#end(key, held);
    if (error === undefined) return true;
    if (!this.#held.has(key)) this.#held.set(key, held);
    throw new Error(`closing ${key}: ${error}`);
  };

  /** Closes a resource on request from outside. It is forgotten even if closing fails. */
  async closeFor(key: string): Promise<CloseResult> {
    const held = this.#held.get(key);
    if (!held) return { closed: false, error: `there is no resource ${key}` };
    return this.#end(key, held);
  }

  keys(): string[] {
    return [...this.#held.keys()];
  }

  /** A new generation has started. */
  reloaded() {
    for (const [key, held] of this.#held) this.#surroundings.tell('reload', key, this.#describe(held));
  }

  /** Resources that the running generation did not claim become orphans. */
  orphanUnclaimed(present: number | undefined) {
    for (const [key, held] of this.#held) {
      if (held.state === 'live' && held.claimed !== present) this.#orphan(key, held);
    }
  }

  #orphan(key: string, held: HeldResource) {
    held.state = 'orphan';
    this.#surroundings.tell('orphan', key, {});
  }

  #create(key: string, create: () => unknown, options: Options): Promise<HeldResource> {
    if (this.#held.size + this.#coming.size >= mostHeld)
      throw new Error(`an extension can hold at most ${mostHeld} resources; close some`);
    const make = async () => {
      await this.#creations.turn();
      const claimed = this.#surroundings.present();
      const held: HeldResource = {
        value: await this.#surroundings.make(create),
        options,
        claimed,
        state: 'live',
        description: key,
      };
      this.#held.set(key, held);
      this.#surroundings.tell('create', key, this.#describe(held));
      // Its code may have been replaced meanwhile, and the new code may not have claimed it.
      if (claimed < this.#surroundings.last()) this.#orphan(key, held);
      return held;
    };
    const coming = make().finally(() => this.#coming.delete(key));
    this.#coming.set(key, coming);
    return coming;
  }

  #claim(key: string, held: HeldResource, generation: number, options?: Options): HeldResource {
    if (options) held.options = { ...held.options, ...options };
    if (held.claimed >= generation && held.state === 'live') return held;
    // Old code that waited for it does not claim it for the new generation.
    if (generation < this.#surroundings.last()) return held;
    held.claimed = generation;
    held.state = 'live';
    this.#surroundings.tell('adopt', key, this.#describe(held));
    return held;
  }

  #describe(held: HeldResource): Details {
    const { value, options } = held;
    try {
      const { describe, pids: pidsOf } = options;
      if (describe) held.description = this.#surroundings.run(() => String(describe(value)));
      const pids = this.#surroundings.run(() =>
        pidsOf?.(value).filter((pid) => Number.isInteger(pid) && pid > 0),
      );
      return { description: held.description, ...(pids ? { pids } : {}) };
    } catch (error) {
      this.#surroundings.failed('describing a resource', error);
      return { description: held.description };
    }
  }

  async #end(key: string, held: HeldResource): Promise<CloseResult> {
    const { value, options } = held;
    this.#held.delete(key);
    if (!options.close && options.pids) return { closed: false, error: 'it has no close function' };
    try {
      const closing = this.#surroundings.run(() => Promise.resolve(options.close?.(value)));
      const result = await within(closing, this.#closeTimeout);
      if (result === late) return { closed: false, error: `close took longer than ${this.#closeTimeout} ms` };
    } catch (error) {
      return { closed: false, error: messageOf(error) };
    }
    this.#surroundings.tell('close', key, {});
    return { closed: true };
  }
}
