// What the main thread knows about a session, so that `hello` never waits for a worker.

import type { Registered, ResourceNote, ResourceState, Wanted } from './protocol.ts';

interface RecordedResource {
  extension: string;
  generation: number;
  key: string;
  description: string;
  pids: number[];
  state: ResourceState;
}

export class Record {
  readonly #registered = new Map<string, Registered & { generation: number }>();
  readonly #resources = new Map<string, RecordedResource>();
  /** All extensions ever wanted, in the order in which they were first wanted. */
  readonly #names: string[] = [];
  #paths = new Map<string, string>();
  children: number[] = [];

  /** Sets what to load next. */
  want(extensions: Wanted[]) {
    this.#paths = new Map(extensions.map(({ name, path }) => [name, path]));
    for (const { name } of extensions) if (!this.#names.includes(name)) this.#names.push(name);
  }

  /** The name of the extension with this number in the worker (running_times.ts). */
  name(number: number): string | undefined {
    return this.#names[number - 1];
  }

  registered({ extension, generation, ...all }: Registered & { extension: string; generation: number }) {
    const { commands, tools, events, mustDecide } = all;
    this.#registered.set(extension, { generation, commands, tools, events, mustDecide });
  }

  /** Forgets what other extensions registered. */
  running(names: string[]) {
    for (const name of this.#registered.keys()) if (!names.includes(name)) this.#registered.delete(name);
  }

  resource({ extension, generation, key, action, description, pids }: ResourceNote) {
    const id = `${extension}\n${key}`;
    if (action === 'close') {
      this.#resources.delete(id);
      return;
    }
    const before = this.#resources.get(id);
    this.#resources.set(id, {
      extension,
      generation,
      key,
      description: description ?? before?.description ?? key,
      pids: pids ?? before?.pids ?? [],
      state: action === 'orphan' ? 'orphan' : action === 'reload' ? (before?.state ?? 'live') : 'live',
    });
  }

  forget(extension: string, key: string) {
    this.#resources.delete(`${extension}\n${key}`);
  }

  /** The processes that belong to resources. */
  namedPids(): Set<number> {
    return new Set([...this.#resources.values()].flatMap(({ pids }) => pids));
  }

  announcement() {
    const extensions = [...this.#registered].map(([name, registered]) => {
      return { name, path: this.#paths.get(name) ?? '', ...registered };
    });
    return { extensions, resources: [...this.#resources.values()], children: this.children };
  }
}
