// What pi's API keeps for one extension of a session, over its generations.

import type { Extension } from '../extension.ts';
import { describeError, messageOf } from '../failures.ts';
import type { Host } from '../host.ts';
import type { Entry } from './entries.ts';
import { Widgets } from './widgets.ts';

const flagsKey = 'pi:flags';

export class PiExtension {
  readonly #extension: Extension;
  readonly #host: Host;
  readonly #told = new Set<string>();
  #flags: Record<string, unknown> = {};
  /** Why what it has saved is not known. */
  #unread: unknown = new Error('it was not read yet');
  readonly widgets: Widgets;
  /** What `ui.setEditorText` has set. */
  editorText = '';

  constructor(extension: Extension, host: Host) {
    this.#extension = extension;
    this.#host = host;
    this.widgets = new Widgets(extension.shown);
  }

  readonly #state = {
    get: (key: string) => this.#call('state.get', { key }),
    set: (key: string, value: unknown) => this.#call('state.set', { key, value }),
    keys: async () => ((await this.#call('state.keys', {})) ?? []) as string[],
  };

  readonly flags = {
    get: (name: string) => {
      this.checkRead();
      return Object.hasOwn(this.#flags, name) ? this.#flags[name] : undefined;
    },
    set: async (name: string, value: unknown) => {
      this.checkRead(); // All flags are one value: those that were not read would be lost.
      this.#flags = { ...this.#flags, [name]: value };
      await this.#state.set(flagsKey, this.#flags);
    },
  };

  #call(method: string, params: object) {
    return this.#host.call(method, { ...this.#extension.identity(), ...params });
  }

  /** Reads what its code will ask for without waiting. */
  async read() {
    if (this.#unread === undefined) return;
    try {
      await this.#host.entries.read(this.#extension.name, this.#state);
      this.#flags = ((await this.#state.get(flagsKey)) ?? {}) as Record<string, unknown>;
      this.#unread = undefined;
    } catch (error) {
      this.#unread = error;
      this.#failed('reading what it has saved', error);
    }
  }

  /** Throws if its flags and entries could not be read: they would seem to be empty. */
  checkRead() {
    if (this.#unread === undefined) return;
    const what = `the flags and entries of ${this.#extension.name} could not be read`;
    throw new Error(`${what}: ${messageOf(this.#unread)}. /reload tries again.`);
  }

  /** All entries of the session. */
  entries(): Entry[] {
    this.checkRead();
    return this.#host.entries.all();
  }

  append(content: { type: string; [more: string]: unknown }): Entry {
    return this.#host.entries.append(this.#extension.name, this.#state, content, (error) => {
      this.#failed('saving an entry', error);
      this.#tellOnce(`its entries are not saved: ${messageOf(error)}`);
    });
  }

  /** The name that an extension gave the session, or its own. */
  sessionName(): string {
    const named = this.entries().findLast(({ type }) => type === 'session_info');
    return typeof named?.name === 'string' ? named.name : this.#host.info.name;
  }

  notify(text: string) {
    if (text !== '') this.#extension.shown.notify({ text, level: 'info' });
  }

  needsAgent(member: string) {
    this.#tellOnce(this.#host.agent.lacks(member));
  }

  /** Calls the agent. If it does not offer that, or there is none, the user is told so once. */
  async callAgent<T>(name: string, params: object, otherwise: T): Promise<T> {
    if (this.#host.agent.offers(name)) return (await this.#call('agent.call', { name, params })) as T;
    this.needsAgent(name);
    return otherwise;
  }

  /** The same for a call that nobody waits for. */
  tellAgent(name: string, params: object) {
    this.callAgent(name, params, undefined).catch((error) => {
      const text = `${name} failed: ${messageOf(error)}`;
      this.#host.log('error', text, this.#extension.identity());
      this.#extension.shown.notify({ text: `${this.#extension.name}: ${text}`, level: 'error' });
    });
  }

  lacks(member: string) {
    this.#tellOnce(`it calls pi.${member}, which Holdfast does not have; this has no effect`);
  }

  #tellOnce(what: string) {
    if (this.#told.has(what)) return;
    this.#told.add(what);
    this.#extension.shown.notify({ text: `${this.#extension.name}: ${what}`, level: 'warning' });
  }

  #failed(what: string, error: unknown) {
    this.#host.log('error', describeError(what, error), this.#extension.identity());
  }
}
