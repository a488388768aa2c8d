// Handles the daemon's calls in a session's thread, in the right order around reloads.

import { type Params, RpcError } from '../peer.ts';
import { type CloseResult, errorCode, type Outcome, type Reason, type Wanted } from '../protocol.ts';
import { makeContext } from './api.ts';
import { isDeciding } from './decisions.ts';
import { emit, emitWithin } from './events.ts';
import type { Extension } from './extension.ts';
import { messageOf, placeOf } from './failures.ts';
import { collectGarbage } from './garbage.ts';
import { enter, type Generation } from './generation.ts';
import type { Host } from './host.ts';
import { Deadline, late } from './limits.ts';
import { load } from './loading.ts';
import { StaleError } from './stale.ts';
import { asResult, Updates } from './tools.ts';

export class Runtime {
  readonly #host: Host;
  readonly #calls = new Map<string, AbortController>();
  /**
   * `#ready` resolves when loading is done; `#codeReady` already when the code is loaded and only
   * `session_start` handlers are still running.
   */
  #ready: Promise<unknown> | undefined;
  #codeReady: Promise<unknown> | undefined;

  constructor(host: Host) {
    this.#host = host;
  }

  readonly handlers: Record<string, (params: Params) => unknown> = {
    ping: () => null,
    collect: collectGarbage,
    open: ({ extensions, reason }) => this.#load(extensions as Wanted[], reason as Reason),
    reload: ({ extensions }) => this.#load(extensions as Wanted[], 'reload'),
    renamed: ({ name }) => {
      this.#host.info.name = String(name);
    },
    close: ({ reason }) => this.#close(String(reason)),
    event: (params) => this.#event(params),
    agent: ({ agent }) => this.#host.agent.set(agent),
    command: (params) => this.#command(params),
    tool: (params) => this.#tool(params),
    'shell.run': (params) => this.#shell(params),
    cancel: ({ call }) => this.#calls.get(String(call))?.abort(),
    'resource.close': async ({ extension, key }) => {
      await this.#untilReady();
      const table = this.#host.extensions.get(String(extension))?.resources;
      return table?.closeFor(String(key)) ?? { closed: false, error: `no extension ${extension}` };
    },
  };

  /** One load at a time. Calls that arrive meanwhile wait for it. */
  async #load(wanted: Wanted[], reason: Reason): Promise<Outcome[]> {
    const { promise: code, resolve: loaded } = Promise.withResolvers<void>();
    const before = this.#ready ?? Promise.resolve();
    const loading = before.then(() => load(this.#host, wanted, reason, loaded));
    const ready = loading.catch(() => {});
    this.#ready = ready;
    this.#codeReady = Promise.race([code, ready]);
    ready.then(() => {
      if (this.#ready !== ready) return;
      this.#ready = undefined;
      this.#codeReady = undefined;
    });
    return loading;
  }

  /** Returns whether it had to wait. */
  async #untilReady(): Promise<boolean> {
    const waits = this.#ready !== undefined;
    while (this.#ready) await this.#ready;
    return waits;
  }

  async #event({ name, data, call, patient }: Params) {
    const { settings } = this.#host;
    const emission = { name: String(name), data: (data ?? {}) as Params, call: asCall(call) };
    if (patient === 'all') {
      // An agent waits, for whatever its handlers do, and can cancel.
      return await this.#cancellable(call, async (signal) => {
        await this.#codeReady;
        return emit(this.#host, { ...emission, signal });
      });
    }
    if (!isDeciding(emission.name)) {
      await this.#untilReady();
      return emit(this.#host, emission);
    }
    const deadline = new Deadline(settings.handlerTimeout);
    const areGuardsPatient = patient === 'guards';
    try {
      // A session_start handler may have caused this event and wait for it.
      if ((await Promise.race([this.#codeReady, deadline.passed])) === late)
        throw new RpcError(errorCode.failed, 'the extensions are still loading');
      return await this.#cancellable(call, (signal) =>
        emit(this.#host, { ...emission, signal, deadline, areGuardsPatient }),
      );
    } finally {
      deadline.stop();
    }
  }

  async #command(params: Params) {
    const { extension, generation } = await this.#find(params);
    const command = generation.commands.get(String(params.name));
    if (!command) {
      const now = [...generation.commands.keys()].map((name) => `/${name}`).join(', ') || 'no commands';
      const text = `there is no command /${params.name} any more: ${extension.name} was reloaded and has ${now} now`;
      throw new RpcError(errorCode.notFound, text);
    }
    const args = String(params.args ?? '');
    const result = await this.#cancellable(params.call, (signal) => {
      const ctx = makeContext(extension, generation, { id: asCall(params.call), signal }, this.#host);
      return enter(generation, () => command.handler(args, ctx));
    });
    return typeof result === 'string' ? { text: result } : {};
  }

  async #tool(params: Params) {
    const { extension, generation } = await this.#find(params);
    const registered = generation.tools.get(String(params.name));
    if (!registered) throw new RpcError(errorCode.notFound, `${extension.name} has no tool ${params.name}`);
    const input = params.arguments ?? {};
    registered.check(input);
    const call = String(params.call);
    const updates = new Updates((text) => this.#host.notify('progress', { call, text }));
    const update = (text: unknown) => {
      generation.check();
      if (this.#calls.has(call)) updates.add(text);
    };
    const result = await this.#cancellable(call, (signal) => {
      const ctx = makeContext(extension, generation, { id: call, signal }, this.#host);
      const { tool } = registered;
      return enter(generation, () => tool.execute(call, input as never, signal, update, ctx));
    }).finally(() => updates.end());
    return asResult(result);
  }

  async #shell({ call, command, cwd }: Params) {
    const asked = { call: String(call), command: String(command), cwd: String(cwd) };
    const progress = (text: string) => this.#host.notify('progress', { call, text });
    return await this.#cancellable(call, (signal) => this.#host.shells.run(asked, signal, progress));
  }

  /** The call's extension and generation. Calls that had to wait get the running generation. */
  async #find(params: Params): Promise<{ extension: Extension; generation: Generation }> {
    const waited = await this.#untilReady();
    const extension = this.#host.extensions.get(String(params.extension));
    const generation = extension?.current;
    if (!extension || !generation) {
      throw new RpcError(errorCode.notFound, `no extension ${params.extension} runs in this session`);
    }
    if (!waited && generation.number !== params.generation) {
      const text = `generation ${params.generation} of ${extension.name} is not the current one`;
      throw new RpcError(errorCode.stale, `${text}: that is ${generation.number}`);
    }
    return { extension, generation };
  }

  async #cancellable<T>(call: unknown, work: (signal: AbortSignal) => T | Promise<T>): Promise<T> {
    const controller = new AbortController();
    const id = asCall(call);
    if (id !== undefined) this.#calls.set(id, controller);
    try {
      return await work(controller.signal);
    } catch (error) {
      throw asRpcError(error);
    } finally {
      if (id !== undefined) this.#calls.delete(id);
    }
  }

  async #close(reason: string) {
    await this.#untilReady();
    const host = this.#host;
    await emitWithin(host, { name: 'session_shutdown', data: { reason } });
    // End the generations last: a resource may need the session, a terminal say, to close.
    const closed = await this.#closeResources();
    await host.entries.saved();
    for (const { current } of host.order) current?.end('the session was closed');
    host.order = [];
    return [...closed, ...(await this.#closeResources())];
  }

  async #closeResources() {
    const all = [...this.#host.extensions.values()].flatMap((extension) =>
      extension.resources.keys().map((key) => closeOne(extension, key)),
    );
    return await Promise.all(all);
  }
}

async function closeOne(
  extension: Extension,
  key: string,
): Promise<CloseResult & { extension: string; key: string }> {
  return { extension: extension.name, key, ...(await extension.resources.closeFor(key)) };
}

function asCall(call: unknown): string | undefined {
  return typeof call === 'string' ? call : undefined;
}

/** Adds where in the extension's code it failed. */
function asRpcError(error: unknown): unknown {
  if (error instanceof RpcError || error instanceof StaleError) return error;
  const place = placeOf(error);
  const data = place && { advice: `It happened at ${place.file}:${place.line}:${place.column}.` };
  return new RpcError(errorCode.failed, messageOf(error), data);
}
