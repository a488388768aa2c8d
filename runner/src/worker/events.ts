// Hands events to the handlers of all extensions, one after the other, and finds what they decide.

import { makeContext } from './api.ts';
import type { Extension } from './extension.ts';
import { describeError } from './failures.ts';
import { type AnyHandler, enter, type Generation } from './generation.ts';
import type { Host } from './host.ts';
import { Deadline, late } from './limits.ts';

type Data = Record<string, unknown>;

/** For events whose answer counts: what a handler's return value means; undefined if it means nothing. */
const deciding: Record<string, (returned: Data) => Data | undefined> = {
  session_before_switch: ({ cancel, reason }) =>
    cancel === true ? { cancel, ...(typeof reason === 'string' ? { reason } : {}) } : undefined,
  user_bash: ({ argv, result }) => {
    if (isTexts(argv)) return { argv };
    return typeof result === 'object' && result !== null ? { result } : undefined;
  },
  terminal_before_create: ({ argv, cwd, env }) => ({
    ...(isTexts(argv) ? { argv } : {}),
    ...(typeof cwd === 'string' ? { cwd } : {}),
    ...(typeof env === 'object' && env !== null ? { env } : {}),
  }),
};

export function isDeciding(event: string): boolean {
  return event in deciding;
}

export interface Emission {
  name: string;
  data: Data;
  /** Whose handlers; all that run unless told. */
  to?: Extension[];
  call?: string | undefined;
  signal?: AbortSignal;
  /** Until when it is waited for. */
  deadline?: Deadline;
}

/** Runs the handlers; returns what they have decided, or null. */
export async function emit(host: Host, emission: Emission): Promise<Data | null> {
  const { name, deadline } = emission;
  const decide = deciding[name];
  let decided: Data | null = null;
  for (const { extension, generation, handler } of handlersOf(emission.to ?? host.order, name)) {
    // What nobody waits for any more still gets to know.
    if ((deadline?.isPast || emission.signal?.aborted) && decide) break;
    if (!generation.alive) continue;
    const data = { ...emission.data, ...decided };
    const running = run(host, extension, generation, handler, { ...emission, data });
    const returned = deadline ? await Promise.race([running, deadline.passed]) : await running;
    if (returned === late) {
      const text = `a handler of ${name} took too long`;
      host.log('warning', text, extension.identity(generation.number));
    } else if (decide && typeof returned === 'object' && returned !== null) {
      const decision = decide(returned as Data);
      if (decision && name !== 'terminal_before_create') return decision;
      if (decision && Object.keys(decision).length > 0) decided = Object.assign(decided ?? {}, decision);
    }
  }
  return decided;
}

/** The same, with a limit of its own. */
export async function emitWithin(host: Host, emission: Emission): Promise<Data | null> {
  const deadline = new Deadline(host.settings.handlerTimeout);
  try {
    return await emit(host, { ...emission, deadline });
  } finally {
    deadline.stop();
  }
}

function handlersOf(extensions: Extension[], event: string) {
  return extensions.flatMap((extension) => {
    const generation = extension.current;
    if (!generation) return [];
    const handlers = [...generation.handlers].filter((each) => each.event === event);
    return handlers.map(({ handler }) => ({ extension, generation, handler }));
  });
}

async function run(
  host: Host,
  extension: Extension,
  generation: Generation,
  handler: AnyHandler,
  { name, data, call, signal = new AbortController().signal, deadline }: Emission,
): Promise<unknown> {
  const ctx = makeContext(
    extension,
    generation,
    { id: call, signal, ...(deadline ? { deadline } : {}) },
    host,
  );
  try {
    return await enter(generation, () => handler(data, ctx));
  } catch (error) {
    const text = describeError(`a handler of ${name} failed`, error);
    host.log('error', text, extension.identity(generation.number));
    return undefined;
  }
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.length > 0 && value.every((each) => typeof each === 'string');
}
