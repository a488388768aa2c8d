// One extension of the session, across all its generations.

import type { SessionContext } from '../../types/index.d.ts';
import { RpcError } from '../peer.ts';
import { errorCode, type Identity, type Reason } from '../protocol.ts';
import { callingGeneration } from './calling.ts';
import { describeError } from './failures.ts';
import { enter, type Generation, making, tending } from './generation.ts';
import type { Host } from './host.ts';
import type { Code } from './loader.ts';
import { PiExtension } from './pi/extension.ts';
import { ResourceTable } from './resources.ts';
import { sessionContext } from './session.ts';
import { Shown } from './shown.ts';
import { StaleError } from './stale.ts';

export class Extension {
  readonly name: string;
  /** Its number in running_times.ts. */
  readonly number: number;
  readonly resources: ResourceTable;
  readonly shown: Shown;
  readonly pi: PiExtension;
  /** The second argument of the entry. */
  readonly session: SessionContext;
  readonly #host: Host;
  #announced: Generation | undefined;
  #announcing = false;
  reason: Reason = 'startup';
  current: Generation | undefined;
  /** The running generation. */
  code: Code | undefined;
  /** The number of the latest generation. */
  last = 0;

  constructor(name: string, host: Host) {
    this.name = name;
    this.number = host.extensions.size + 1;
    this.#host = host;
    this.resources = new ResourceTable(
      {
        present: () => this.#present().number,
        last: () => this.last,
        tell: (action, key, told) => host.notify('resource', { ...this.identity(), key, action, ...told }),
        make: (create) => making.run(this.#present(), create),
        run: (work) => tending.run(true, () => (this.current ? enter(this.current, work) : work())),
        failed: (what, error) => host.log('warning', describeError(what, error), this.identity()),
      },
      host.settings.closeTimeout,
    );
    this.shown = new Shown(name, (method, params) => {
      host.call(method, { ...this.identity(), ...params }).catch((error) => {
        host.log('warning', describeError(method, error), this.identity());
      });
    });
    this.pi = new PiExtension(this, host);
    this.session = sessionContext(this, host);
  }

  identity(generation = this.last): Identity {
    return { session: this.#host.info.id, extension: this.name, generation };
  }

  /** Calls the daemon on behalf of the running generation. Refused if ended code asks for it. */
  async callForPresent(method: string, params: object): Promise<unknown> {
    if (!tending.getStore()) callingGeneration(this.name)?.check();
    return this.call(method, params, this.#present());
  }

  async call(method: string, params: object, generation: Generation): Promise<unknown> {
    generation.check();
    try {
      return await this.#host.call(method, { ...this.identity(generation.number), ...params });
    } catch (error) {
      if (!(error instanceof RpcError && error.code === errorCode.stale)) throw error;
      throw new StaleError(error.message, this.name, generation.number);
    }
  }

  /** A new generation takes over; its code is about to run. */
  begin(generation: Generation, reason: Reason) {
    this.current = generation;
    this.reason = reason;
    if (generation.number === this.last) return;
    this.last = generation.number;
    this.resources.reloaded();
  }

  /** Tells the daemon everything this extension has registered. */
  announce() {
    const { current } = this;
    this.#announced = current;
    if (!current) return;
    const describe = (text: string | undefined) => (text === undefined ? {} : { description: text });
    this.#host.notify('registered', {
      ...this.identity(current.number),
      commands: [...current.commands].map(([name, { description }]) => ({ name, ...describe(description) })),
      tools: [...current.tools.values()].map(({ tool: { name, description, parameters } }) => {
        return { name, ...describe(description), ...(parameters ? { parameters } : {}) };
      }),
      events: eventsOf([...current.handlers]),
      mustDecide: eventsOf([...current.handlers].filter(({ mustDecide }) => mustDecide)),
    });
  }

  /** The same, once for several changes in a row. Does nothing until the factory is done. */
  announceSoon() {
    if (this.#announcing || this.#announced !== this.current) return;
    this.#announcing = true;
    queueMicrotask(() => {
      this.#announcing = false;
      if (this.#announced === this.current) this.announce();
    });
  }

  #present(): Generation {
    if (this.current) return this.current;
    const text = `${this.name} in session ${this.#host.info.name} is no longer running`;
    throw new StaleError(text, this.name, this.last);
  }
}

function eventsOf(handlers: { event: string }[]): string[] {
  return [...new Set(handlers.map(({ event }) => event))];
}
