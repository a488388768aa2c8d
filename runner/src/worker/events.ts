// Passes events to the handlers of all extensions, one after the other, and collects decisions.

import type { BashOperations } from '../../types/index.d.ts';
import { editsIn, forHandler, joined } from './agent_decisions.ts';
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
  /** Whose handlers to call. Default: all running extensions. */
  to?: Extension[];
  call?: string | undefined;
  signal?: AbortSignal;
  /** How long to wait. */
  deadline?: Deadline;
  /** The deadline is not for handlers that must decide: the caller waits, and can cancel. */
  areGuardsPatient?: boolean;
}

/** An extension that must decide did not, so the action is refused. */
interface Refusal {
  refused: { extension: string; reason: string };
}

/** A handler's answer, or why there is none. */
type Reply = { returned: unknown } | { silence: string };

/** Runs the handlers. Returns their decision, or null. */
export async function emit(host: Host, emission: Emission): Promise<Data | Refusal | null> {
  const { name } = emission;
  let decided: Data = {};
  for (const one of handlersOf(emission.to ?? host.order, name)) {
    const before = { ...emission.data, ...decided };
    const data = forHandler(name, before);
    const reply = await hear(host, one, { ...emission, data });
    if (!isDeciding(name)) continue;
    const decision = 'returned' in reply ? readDecision(name, reply.returned) : undefined;
    if (!decision) {
      const reason = 'silence' in reply ? reply.silence : nonsense(host, one, name);
      if (one.mustDecide) return { refused: { extension: one.extension.name, reason } };
      continue;
    }
    if (decision.isFinal) return asSent(host, one, emission, decision.values);
    decided = joined(name, decided, { ...editsIn(name, before, data), ...decision.values });
  }
  return Object.keys(decided).length > 0 ? decided : null;
}

/** A decision as the daemon gets it: functions stay here. */
function asSent(host: Host, { generation }: Listening, { call }: Emission, values: Data): Data {
  const { operations } = values;
  return operations ? host.shells.keep(call, generation, operations as BashOperations) : values;
}

function nonsense(host: Host, { extension, generation }: Listening, event: string): string {
  const text = `a handler of ${event} returned an invalid answer`;
  host.log('warning', text, extension.identity(generation.number));
  return 'its answer is invalid';
}

/** The same, with its own time limit. */
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

/** Asks one handler, unless nobody waits for its answer. Events without an answer always arrive. */
async function hear(host: Host, one: Listening, emission: Emission): Promise<Reply> {
  const { name, deadline, signal, areGuardsPatient } = emission;
  if (isDeciding(name) && signal?.aborted) return { silence: 'the call was cancelled' };
  if (isDeciding(name) && deadline?.isPast) return { silence: 'the handlers before it took too long' };
  if (!one.generation.alive) return { silence: 'its code was being replaced' };
  const replaced = Promise.withResolvers<Reply>();
  const cancel = one.generation.onEnd(() => replaced.resolve({ silence: 'its code was being replaced' }));
  const running = run(host, one, emission);
  const isPatient = one.mustDecide && areGuardsPatient;
  const reply = await Promise.race([
    isPatient && deadline ? deadline.pausedFor(running) : running,
    replaced.promise,
    ...(deadline ? [deadline.passed] : []),
    ...(signal && !deadline ? [cancelled(signal)] : []),
  ]).finally(cancel);
  if (reply !== late) return reply;
  tellLate(host, one, name);
  return { silence: `it took longer than ${host.settings.handlerTimeout / 1000} s` };
}

function cancelled(signal: AbortSignal): Promise<Reply> {
  return new Promise((resolve) => {
    const stop = () => resolve({ silence: 'the call was cancelled' });
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
}

/** Tells the user if things continue without an answer. Otherwise the caller is told. */
function tellLate(host: Host, { extension, generation, mustDecide }: Listening, event: string) {
  const goesOn = isDeciding(event) && !mustDecide;
  const text = `a handler of ${event} took too long${goesOn ? '; continuing without it' : ''}`;
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
    return { returned: await enter(generation, () => handler({ type: name, ...data }, ctx)) };
  } catch (error) {
    const text = describeError(`a handler of ${name} failed`, error);
    host.log('error', text, extension.identity(generation.number));
    return { silence: describeError('it failed', error) };
  }
}
