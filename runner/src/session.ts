// A session as the main thread sees it: its worker, and what is known about it.

import { setTimeout as delay } from 'node:timers/promises';
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import { cpuTime } from './cpu.ts';
import { type Message, type Params, Peer, RpcError } from './peer.ts';
import {
  childrenOfNone,
  childrenOfThread,
  endProcesses,
  findProcess,
  inherit,
  isInherited,
  type Process,
} from './processes.ts';
import type {
  EndReason,
  Outcome,
  Registered,
  ResourceNote,
  SessionInfo,
  Settings,
  Wanted,
} from './protocol.ts';
import { errorCode } from './protocol.ts';
import { Record } from './record.ts';
import { Culprit, nobody, RunningTimes } from './running_times.ts';
import { type Watched, watch } from './watch.ts';

const patience = 1000;
/** In MiB; see watch.ts. */
const memoryNobodyReaches = 4096;

const notifications = new Set(['registered', 'resource', 'children', 'progress', 'log', 'ui.withdraw']);

export interface End {
  reason: EndReason;
  detail?: string;
  /** The extension that caused it, if known. */
  extension?: string;
}

/** What a worker is about to do while it loads. */
export interface Doing {
  what: string;
  extension: string;
}

/** Passed to a worker when it starts. */
export interface WorkerData {
  info: SessionInfo;
  settings: Settings;
  compiler: { port: MessagePort; signal: SharedArrayBuffer };
  times: SharedArrayBuffer;
}

export interface Surroundings {
  settings: Settings;
  /** A promise to wait for if the compiler is not ready yet. */
  compilerReady(): Promise<unknown> | undefined;
  /** CPU time in milliseconds that the compiler has used so far. */
  compiled(): number;
  connectCompiler(port: MessagePort, signal: SharedArrayBuffer): void;
  /** Calls the daemon. */
  call(method: string, params: Params): Promise<unknown>;
  notify(method: string, params: object): void;
  ended(session: Session, end: End | 'closed'): void;
}

export class Session {
  /** Sessions whose thread has not ended. */
  static readonly #living = new Set<Session>();
  readonly id: string;
  readonly #worker: Worker;
  readonly #peer: Peer;
  readonly #record = new Record();
  readonly #surroundings: Surroundings;
  readonly #unwatch: () => void;
  readonly #times = new RunningTimes();
  readonly #culprit = new Culprit(this.#times);
  #children: Process[] = [];
  /** Pids of children that were told to end. */
  readonly #ending = new Set<number>();
  #loading = 0;
  /** What it is loading right now, for people. */
  #doing: Doing | undefined;
  #end: End | undefined;
  #closed = false;

  constructor(info: SessionInfo, surroundings: Surroundings) {
    this.id = info.id;
    this.#surroundings = surroundings;
    this.#worker = startWorker(info, this.#times, surroundings);
    this.#peer = new Peer(
      (message) => {
        this.#worker.postMessage(message);
        return true;
      },
      (method, params) => this.#fromWorker(method, params),
    );
    this.#worker.on('message', (message: Message) => this.#peer.receive(message));
    this.#worker.on('error', (error) => this.#failed(error));
    Session.#living.add(this);
    // Handle its last messages first.
    this.#worker.on('exit', (code) => setImmediate(() => this.#gone(code)));
    this.#unwatch = watch(this.#watched(surroundings.settings), surroundings.settings);
  }

  /** Loads or reloads the extensions. */
  async load(
    method: 'open' | 'reload',
    extensions: Wanted[],
    params: Params,
  ): Promise<{ extensions: Outcome[] }> {
    this.#loading += 1;
    try {
      // Do not await a ready compiler: the daemon's next message would overtake this one.
      const compiler = this.#surroundings.compilerReady();
      if (compiler) await compiler;
      this.#record.want(extensions);
      const outcomes = (await this.#peer.call(method, { ...params, extensions })) as Outcome[];
      const running = outcomes.filter(({ status }) => status !== 'failed').map(({ name }) => name);
      this.#record.running(running);
      return { extensions: outcomes };
    } finally {
      this.#loading -= 1;
      this.#doing = undefined;
    }
  }

  ask(method: string, params: Params): Promise<unknown> {
    return this.#peer.call(method, params);
  }

  tell(method: string, params: Params) {
    this.#peer.notify(method, params);
  }

  async closeResource(extension: string, key: string) {
    const result = await this.#peer.call('resource.close', { extension, key });
    this.#record.forget(extension, key);
    return result;
  }

  async close(params: Params): Promise<unknown> {
    const resources = await this.#peer.call('close', params);
    this.#closed = true;
    await this.#endChildren();
    await this.#terminate({ reason: 'exit' });
    return { resources };
  }

  /** Waits for the worker to reap its programs: only the thread that started them can. */
  async #endChildren() {
    this.#endUnnamed();
    const until = performance.now() + 2 * patience;
    while (this.#unnamedChildren().length > 0 && performance.now() < until) await delay(10);
  }

  /** Programs that belong to no resource. */
  #unnamedChildren(): Process[] {
    const named = this.#record.namedPids();
    return this.#children.filter(({ pid }) => !named.has(pid));
  }

  #endUnnamed() {
    const fresh = this.#unnamedChildren().filter(({ pid }) => !this.#ending.has(pid));
    for (const { pid } of fresh) this.#ending.add(pid);
    endProcesses(fresh, this.#record.namedPids());
  }

  kill(): Promise<void> {
    return this.#terminate({ reason: 'killed' });
  }

  announcement() {
    const loading = this.#loading > 0 ? { loading: true } : {};
    return { id: this.id, ...this.#record.announcement(), ...loading };
  }

  #fromWorker(method: string, params: Params): unknown {
    if (method === 'doing') {
      this.#doing = params as never as Doing;
      return null;
    }
    if (method === 'registered' && !params.failed)
      this.#record.registered(params as never as Registered & Wanted & { extension: string });
    if (method === 'resource') this.#record.resource(params as never as ResourceNote);
    if (method === 'children') this.#setChildren(params.pids as number[]);
    if (notifications.has(method)) return this.#surroundings.notify(method, params);
    return this.#surroundings.call(method, params);
  }

  /** Programs that no worker reported and whose thread has ended. */
  static #untold(): number[] {
    const living = [...Session.#living];
    const told = new Set(living.flatMap((session) => session.#record.children));
    const left = childrenOfNone(new Set(living.map((session) => session.#times.thread)));
    return left.filter((pid) => !told.has(pid) && !isInherited(pid));
  }

  #setChildren(pids: number[]) {
    this.#record.children = [...new Set(pids)];
    const known = new Map(this.#children.map((child) => [child.pid, child]));
    this.#children = this.#record.children.flatMap((pid) => known.get(pid) ?? findProcess(pid) ?? []);
  }

  #watched(settings: Settings): Watched {
    const { memory } = settings;
    return {
      times: () => this.#worker.performance.eventLoopUtilization(),
      ping: () => this.#peer.call('ping', {}),
      memory: async () => {
        const { used_heap_size: used, external_memory: external } = await this.#worker.getHeapStatistics();
        this.#culprit.weighed(used + external);
        return used + external;
      },
      collect: () => this.#peer.call('collect', {}),
      loading: () => {
        if (this.#loading === 0) return undefined;
        const { thread } = this.#times;
        // Until it has told its thread, it is starting: that counts as work.
        const used = thread === 0 ? performance.now() : cpuTime(thread);
        return { used, compiled: this.#surroundings.compiled() };
      },
      stuck: () => {
        const extension = this.#named(this.#culprit.runner());
        void this.#terminate({ reason: 'stuck', detail: this.#howLong(settings), ...extension });
      },
      outOfMemory: () => {
        const extension = this.#named(this.#culprit.grower());
        const detail = `more than ${Math.round(memory / 1024 / 1024)} MiB`;
        void this.#terminate({ reason: 'memory', detail, ...extension });
      },
    };
  }

  /** Why it counts as stuck. */
  #howLong({ stuckAfter, loadingTime }: Settings): string {
    if (!this.#doing) return `blocked for ${stuckAfter} ms`;
    const { what, extension } = this.#doing;
    const work = `while ${what} ${extension}`;
    return `it has used ${loadingTime} ms of CPU time, or did nothing for ${stuckAfter} ms, ${work}`;
  }

  #named(extension: number): { extension?: string } {
    const name = extension === nobody ? undefined : this.#record.name(extension);
    return name === undefined ? {} : { extension: name };
  }

  #failed(error: Error & { code?: string }) {
    const reason = error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'memory' : 'crashed';
    this.#end ??= { reason, detail: error.message, ...this.#named(this.#times.running) };
  }

  async #terminate(end: End) {
    this.#end ??= end;
    // Include programs that the blocked worker could not report.
    this.#setChildren([...this.#record.children, ...childrenOfThread(this.#times.thread)]);
    // A thread blocked in a system call ends only when that returns, so do not wait for it forever.
    const ended = this.#worker.terminate();
    this.#endUnnamed();
    await Promise.race([ended, delay(patience)]);
    this.#exited(end);
  }

  /** The worker's thread has ended. */
  #gone(code: number) {
    Session.#living.delete(this);
    this.#setChildren([...this.#record.children, ...Session.#untold()]);
    this.#endUnnamed();
    inherit(this.#children);
    this.#exited({ reason: 'exit', detail: `exit code ${code}`, ...this.#named(this.#times.running) });
  }

  #exited(end: End) {
    if (this.#peer.ended) return;
    const told = this.#end ?? end;
    this.#unwatch();
    const text = `the worker of session ${this.id} has ended (${told.reason})`;
    this.#peer.end(new RpcError(errorCode.failed, text));
    this.#surroundings.ended(this, this.#closed ? 'closed' : told);
  }
}

function startWorker(
  info: SessionInfo,
  times: RunningTimes,
  { settings, connectCompiler }: Surroundings,
): Worker {
  const { port1, port2 } = new MessageChannel();
  const signal = new SharedArrayBuffer(4);
  connectCompiler(port2, signal);
  return new Worker(new URL('./worker.mjs', import.meta.url), {
    name: info.name.slice(0, 15),
    workerData: {
      info,
      settings,
      compiler: { port: port1, signal },
      times: times.memory,
    } satisfies WorkerData,
    transferList: [port1],
    env: { ...process.env, PWD: info.cwd },
    execArgv: [],
    resourceLimits: {
      // A MiB less in each session, which mostly does nothing.
      maxYoungGenerationSizeMb: 3,
      maxOldGenerationSizeMb: Math.ceil(settings.memory / 1024 / 1024) + memoryNobodyReaches,
    },
  });
}
