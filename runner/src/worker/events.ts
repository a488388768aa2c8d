// Hands events to the handlers of all extensions, one after the other, and finds what they decide.

import { makeContext } from './api.ts';
import { isDeciding, readDecision } from './decisions.ts';
import type { Extension } from './extension.ts';
import { describeError } from './failures.ts';
import { type AnyHandler, enter, type Generation } from './generation.ts';
import type { Host } from './host.ts';
import { Deadline, late } from './limits.ts';

type Data = Record<string, unknown>;

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

/** An extension that must decide has not: what it was asked about must not happen. */
interface Refusal {
  refused: { extension: string; reason: string };
}

/** What a handler returned, or why it returned nothing. */
type Reply = { returned: unknown } | { silence: string };

/** Runs the handlers; returns what they have decided, or null. */
export async function emit(host: Host, emission: Emission): Promise<Data | Refusal | null> {
  const { name } = emission;
  let decided: Data = {};
  for (const one of handlersOf(emission.to ?? host.order, name)) {
    const reply = await hear(host, one, { ...emission, data: { ...emission.data, ...decided } });
    if (!isDeciding(name)) continue;
    const decision = 'returned' in reply ? readDecision(name, reply.returned) : undefined;
    if (!decision) {
      const reason = 'silence' in reply ? reply.silence : nonsense(host, one, name);
      if (one.mustDecide) return { refused: { extension: one.extension.name, reason } };
      continue;
    }
    if (decision.isFinal) return decision.values;
    decided = { ...decided, ...decision.values };
  }
  return Object.keys(decided).length > 0 ? decided : null;
}

function nonsense(host: Host, { extension, generation }: Listening, event: string): string {
  const text = `the answer of a handler of ${event} makes no sense`;
  host.log('warning', text, extension.identity(generation.number));
  return 'its answer makes no sense';
}

/** The same, with a limit of its own. */
export async function emitWithin(host: Host, emission: Emission): Promise<Data | Refusal | null> {
  const deadline = new Deadline(host.settings.handlerTimeout);
  try {
    return await emit(host, { ...emission, deadline });
  } finally {
    deadline.stop();
  }
}

interface Listening {
  extension: Extension;
  generation: Generation;
  handler: AnyHandler;
  mustDecide: boolean;
}

function handlersOf(extensions: Extension[], event: string): Listening[] {
  return extensions.flatMap((extension) => {
    const generation = extension.current;
    if (!generation) return [];
    const handlers = [...generation.handlers].filter((each) => each.event === event);
    return handlers.map(({ handler, mustDecide }) => ({ extension, generation, handler, mustDecide }));
  });
}

/** Asks one handler, unless nobody waits for its answer any more. What needs no answer it gets to know in any case. */
async function hear(host: Host, one: Listening, emission: Emission): Promise<Reply> {
  const { name, deadline, signal } = emission;
  if (isDeciding(name) && signal?.aborted) return { silence: 'the call was cancelled' };
  if (isDeciding(name) && deadline?.isPast) return { silence: 'the handlers before it took too long' };
  if (!one.generation.alive) return { silence: 'its code was being replaced' };
  const running = run(host, one, emission);
  const reply = deadline ? await Promise.race([running, deadline.passed]) : await running;
  if (reply !== late) return reply;
  tellLate(host, one, name);
  return { silence: `it took longer than ${host.settings.handlerTimeout / 1000} s` };
}

/** What goes on without an answer, its user gets to know; what does not is told to whoever asked. */
function tellLate(host: Host, { extension, generation, mustDecide }: Listening, event: string) {
  const goesOn = isDeciding(event) && !mustDecide;
  const text = `a handler of ${event} took too long${goesOn ? '; it goes on without it' : ''}`;
  const identity = extension.identity(generation.number);
  host.notify('log', { ...identity, level: 'warning', text, ...(goesOn ? { show: true } : {}) });
}

async function run(
  host: Host,
  { extension, generation, handler }: Listening,
  { name, data, call, signal = new AbortController().signal, deadline }: Emission,
): Promise<Reply> {
  const ctx = makeContext(
    extension,
    generation,
    { id: call, signal, ...(deadline ? { deadline } : {}) },
    host,
  );
  try {
    return { returned: await enter(generation, () => handler(data, ctx)) };
  } catch (error) {
    const text = describeError(`a handler of ${name} failed`, error);
    host.log('error', text, extension.identity(generation.number));
    return { silence: describeError('it failed', error) };
  }
}
