// A generation's `pi`, and the `ctx` passed with every call.

import { resolve } from 'node:path';
import type {
  AskOptions,
  Command,
  Context,
  ExecOptions,
  ExtensionAPI,
  HandlerOptions,
  Tool,
  UI,
} from '../../types/index.d.ts';
import { isDeciding, mustUsuallyDecide } from './decisions.ts';
import { execute } from './exec.ts';
import type { Extension } from './extension.ts';
import { describeError } from './failures.ts';
import { type AnyHandler, enter, type Generation } from './generation.ts';
import type { Host } from './host.ts';
import type { Deadline } from './limits.ts';
import { piMembers } from './pi/api.ts';
import { piContext, piUi } from './pi/context.ts';
import { Drawing } from './pi/drawing.ts';
import { withUnknown } from './pi/unknown.ts';
import { asProcess } from './session.ts';
import { compileSchema } from './tools.ts';

const askTimeout = 60_000;

// None of these is frozen: extensions wrap them in proxies and replace members, which a frozen object
// does not allow. Each generation and each call has its own.

export function makeApi(extension: Extension, generation: Generation, host: Host): ExtensionAPI {
  // The daemon is told once when the factory is done, and then after each later change.
  const changed = () => {
    if (extension.current === generation) extension.announceSoon();
  };
  const registerCommand = (command: string, { description, handler }: Command) => {
    generation.check();
    const more = description === undefined ? {} : { description: String(description) };
    generation.commands.set(name(command, 'command'), { handler: callable(handler), ...more });
    changed();
  };
  const api = {
    ...piMembers(extension, generation, host, registerCommand),
    on(event: string, handler: AnyHandler, options: HandlerOptions = {}) {
      generation.check();
      const mustDecide = isToDecide(name(event, 'event'), options);
      return add(generation.handlers, { event, handler: callable(handler), mustDecide }, changed);
    },
    registerCommand,
    registerTool(tool: Tool) {
      generation.check();
      registerTool(generation, tool);
      changed();
    },
    events: makeBus(generation, host),
    exec: (command: string, args?: string[], options?: ExecOptions) =>
      exec(extension, generation, host, command, args, options),
  };
  return withUnknown(api, (name) => extension.pi.lacks(name)) as unknown as ExtensionAPI;
}

/** A misspelt option would silently disable a guard, so it is an error. */
function isToDecide(event: string, options: HandlerOptions): boolean {
  const { mustDecide = mustUsuallyDecide(event), ...unknown } = options;
  const [wrong] = Object.keys(unknown);
  if (wrong !== undefined) throw new TypeError(`on() has no option ${wrong}`);
  if (typeof mustDecide !== 'boolean') throw new TypeError('mustDecide must be true or false');
  if (mustDecide && !isDeciding(event)) throw new TypeError(`handlers of ${event} cannot decide anything`);
  return mustDecide;
}

function registerTool(generation: Generation, tool: Tool) {
  name(tool.name, 'tool');
  callable(tool.execute);
  if (!tool.parameters) {
    generation.tools.set(tool.name, { tool, check: () => {} });
    return;
  }
  // Only JSON values can be sent to others.
  const parameters = JSON.parse(JSON.stringify(tool.parameters));
  const { check, forget } = compileSchema(tool.name, parameters);
  generation.onEnd(forget);
  const execute = tool.execute.bind(tool);
  generation.tools.set(tool.name, { tool: { ...tool, parameters, execute }, check });
}

function makeBus(generation: Generation, host: Host): ExtensionAPI['events'] {
  return Object.freeze({
    on(event: string, handler: (data: unknown) => unknown) {
      generation.check();
      return add(generation.listeners, { name: event, handler: callable(handler) }, () => {});
    },
    emit(event: string, data?: unknown) {
      generation.check();
      for (const { current } of host.order) {
        for (const { name, handler } of [...(current?.listeners ?? [])]) {
          if (name === event && current) void hear(current, handler, data, host);
        }
      }
    },
  });
}

async function hear(generation: Generation, handler: (data: unknown) => unknown, data: unknown, host: Host) {
  try {
    await enter(generation, () => handler(data));
  } catch (error) {
    const { extension, number } = generation;
    host.log('error', describeError('a listener failed', error), { extension, generation: number });
  }
}

async function exec(
  extension: Extension,
  generation: Generation,
  host: Host,
  command: string,
  args: string[] = [],
  { keep, name, ...options }: ExecOptions = {},
) {
  generation.check();
  const cwd = resolve(host.info.cwd, options.cwd ?? '');
  if (!keep) return execute(command, args, { ...options, cwd });
  const { env } = options;
  const params = { argv: [command, ...args], cwd, ...(env ? { env } : {}), ...(name ? { name } : {}) };
  const started = (await extension.call('process.start', params, generation)) as { id: string; pid: number };
  return asProcess(extension, { ...started, ...(name ? { name } : {}) });
}

export interface Call {
  /** The daemon's id for it. */
  id?: string | undefined;
  signal: AbortSignal;
  deadline?: Deadline;
}

export function makeContext(extension: Extension, generation: Generation, call: Call, host: Host): Context {
  return {
    ...piContext(extension, generation, host),
    ui: makeUi(extension, generation, call, host),
    session: extension.session,
    cwd: host.info.cwd,
    signal: call.signal,
  };
}

function makeUi(
  extension: Extension,
  generation: Generation,
  { id, deadline, signal }: Call,
  host: Host,
): UI {
  const inCall = id === undefined ? {} : { call: id };
  const { shown } = extension;
  const wait = <T>(ask: () => Promise<T>): Promise<T> => {
    const bounded = shown.ask(() => generation.whileAlive(ask()));
    return deadline ? deadline.pausedFor(bounded) : bounded;
  };
  const ask = async (
    kind: string,
    title: string,
    params: object,
    { timeout = askTimeout }: AskOptions = {},
  ) => {
    const asked = { kind, title, timeoutMs: timeout, ...params, ...inCall };
    return wait(() => extension.call('ui.ask', asked, generation));
  };
  const input: UI['input'] = async (title, placeholder, options) =>
    asChoice(await ask('input', title, placeholder === undefined ? {} : { placeholder }, options));
  return {
    ...piUi(extension, generation, { wait, drawing: new Drawing(extension, generation, host, signal) }),
    notify: (text, level = 'info') => {
      generation.check();
      shown.notify({ text: String(text), level, ...inCall });
    },
    confirm: async (title, message, options) =>
      (await ask('confirm', title, message === undefined ? {} : { message }, options)) === true,
    select: async (title, options, more) => asChoice(await ask('select', title, { options }, more)),
    input,
    setStatus: (key, text) => {
      generation.check();
      shown.setStatus(key, text);
    },
  } satisfies UI;
}

function asChoice(answer: unknown): string | undefined {
  return typeof answer === 'string' ? answer : undefined;
}

function add<T>(all: Set<T>, one: T, changed: () => void): () => void {
  all.add(one);
  changed();
  return () => {
    if (all.delete(one)) changed();
  };
}

function name(value: string, what: string): string {
  if (typeof value === 'string' && value !== '' && !/\s/.test(value)) return value;
  throw new TypeError(`the name of a ${what} must be a single word, not ${JSON.stringify(value)}`);
}

function callable<T>(handler: T): T {
  if (typeof handler === 'function') return handler;
  throw new TypeError(`a handler must be a function, not ${typeof handler}`);
}
