// Loads and reloads a session's extensions, step by step.

import { keepCompiled } from '../kept.ts';
import type { Outcome, Reason, Wanted } from '../protocol.ts';
import { makeApi } from './api.ts';
import { emitWithin } from './events.ts';
import { Extension } from './extension.ts';
import { failureOf } from './failures.ts';
import { blamed, enter, Generation } from './generation.ts';
import type { Host } from './host.ts';
import { late, withinIdle } from './limits.ts';
import { type Checked, type Code, LoadError, mustDecide } from './loader.ts';

interface Plan {
  wanted: Wanted;
  extension: Extension;
  checked: Checked;
}

/** Makes exactly these extensions run. Calls `loaded` when their code is loaded. */
export async function load(
  host: Host,
  wanted: Wanted[],
  reason: Reason,
  loaded: () => void,
): Promise<Outcome[]> {
  const plans = wanted.map((each) => plan(host, each));
  const keeping = plans.filter(({ checked, extension }) => checked.failure && extension.current);
  const kept = keeping.map(({ extension }) => extension);
  const ending = host.order.filter((extension) => !kept.includes(extension));
  await emitWithin(host, { name: 'session_before_reload', data: {}, to: ending });
  await emitWithin(host, { name: 'session_shutdown', data: { reason: 'reload' }, to: ending });
  const before = new Map(ending.map((extension) => [extension, endGeneration(host, extension, plans)]));

  const outcomes: Outcome[] = [];
  host.order = plans.map(({ extension }) => extension);
  for (const each of plans) {
    const { extension } = each;
    if (kept.includes(extension)) outcomes.push(outcome(each, 'kept', extension.last, each.checked.failure));
    else outcomes.push(await start(host, each, reason, before.get(extension)));
  }
  host.order = host.order.filter(({ current }) => current !== undefined);
  loaded();
  keepCompiled();
  const started = host.order.filter((extension) => !kept.includes(extension));
  await emitWithin(host, { name: 'session_start', data: { reason }, to: started });
  for (const extension of host.extensions.values())
    extension.resources.orphanUnclaimed(extension.current?.number);
  return outcomes;
}

function plan(host: Host, wanted: Wanted): Plan {
  const { name } = wanted;
  const extension = host.extensions.get(name) ?? new Extension(name, host);
  host.extensions.set(name, extension);
  host.notify('doing', { what: 'compiling', extension: name });
  return { wanted, extension, checked: blamed(extension.number, () => host.loader.check(wanted.path)) };
}

/** Ends the running generation of an extension. Returns its code. */
function endGeneration(host: Host, extension: Extension, plans: Plan[]): Code | undefined {
  const next = plans.find((each) => each.extension === extension)?.wanted.generation;
  const because = next === undefined ? 'the extension was removed' : `generation ${next} has taken over`;
  const { current } = extension;
  if (current) {
    extension.shown.flush();
    withdraw(host, extension, current, because);
  }
  extension.current = undefined;
  return extension.code;
}

/** Ends a generation, and takes its open questions away. */
function withdraw(host: Host, extension: Extension, generation: Generation, because: string) {
  generation.end(because);
  host.notify('ui.withdraw', extension.identity(generation.number));
}

async function start(host: Host, plan: Plan, reason: Reason, old: Code | undefined): Promise<Outcome> {
  const started = await startNew(host, plan, reason, old);
  if (started.status === 'failed') announceFailed(host, plan);
  return started;
}

/** What it never could declare: a guard that has never run must not be passed over. */
function announceFailed(host: Host, { extension, checked, wanted: { generation } }: Plan) {
  const nothing = { commands: [], tools: [], events: [] };
  const declared = { ...nothing, mustDecide: mustDecide(checked), failed: true };
  host.notify('registered', { ...extension.identity(generation), ...declared });
}

async function startNew(host: Host, plan: Plan, reason: Reason, old: Code | undefined): Promise<Outcome> {
  const { wanted, extension, checked } = plan;
  const { generation: number, path } = wanted;
  if (checked.failure) return outcome(plan, 'failed', number, checked.failure);
  const importNew = (owner: Generation) => host.loader.import(path, checked, owner);
  const failure = await run(host, extension, number, reason, importNew);
  if (failure === undefined) return outcome(plan, 'loaded', number);
  if (!old) return outcome(plan, 'failed', number, failure);
  const again = await run(host, extension, number, reason, async (generation) => {
    old.owner.generation = generation;
    return old;
  });
  return outcome(plan, again === undefined ? 'restarted' : 'failed', number, failure);
}

/** Starts a generation with the code that `get` loads. Returns the error, if any. */
async function run(
  host: Host,
  extension: Extension,
  number: number,
  reason: Reason,
  get: (owner: Generation) => Promise<Code>,
): Promise<unknown> {
  const generation = new Generation(extension, number, host.info);
  extension.begin(generation, reason);
  const limit = host.settings.factoryTimeout;
  const work = enter(generation, async () => {
    await extension.pi.read();
    host.notify('doing', { what: 'importing', extension: extension.name });
    const code = await get(generation);
    host.notify('doing', { what: 'running the factory of', extension: extension.name });
    await code.factory(makeApi(extension, generation, host), extension.session);
    return code;
  });
  try {
    const code = await withinIdle(work, limit);
    if (code === late) throw new LoadError(`its factory took longer than ${limit} ms`, {});
    extension.code = code;
    extension.announce();
    return undefined;
  } catch (error) {
    work.catch(() => {}); // A timeout was already reported.
    withdraw(host, extension, generation, 'it could not be loaded');
    extension.current = undefined;
    return error ?? new Error('it failed without an error');
  }
}

function outcome(
  { wanted }: Plan,
  status: Outcome['status'],
  generation: number,
  failure?: unknown,
): Outcome {
  const error = failure === undefined ? {} : { error: failureOf(failure) };
  return { name: wanted.name, generation, status, ...error };
}
