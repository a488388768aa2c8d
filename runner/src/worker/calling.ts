// Tells which generation's code makes a call, by the code that is on the stack. The asynchronous
// context cannot tell: a connection that outlives a reload calls new code from an old context, and
// new code may call a function that old code has left.

import type { Generation } from './generation.ts';

/** Whom a load of code acts for: another generation, if it is started once more. */
export interface Owner {
  generation: Generation;
}

const mostScripts = 10_000;
/** All code of extensions, by the hash of its source, which is another in each load. Oldest first. */
const scripts = new Map<string, Owner>();

/** The file that calls this belongs to that code. Returns what it gets. */
export function claim<T>(owner: Owner, gets: T): T {
  const [, , caller] = stack();
  if (caller) scripts.set(caller.getScriptHash(), owner);
  const oldest = scripts.keys().next().value;
  if (scripts.size > mostScripts && oldest !== undefined) scripts.delete(oldest);
  return gets;
}

/** The generation of this extension whose code is running; undefined if no such code is on the stack. */
export function callingGeneration(extension: string): Generation | undefined {
  for (const site of stack()) {
    const generation = scripts.get(site.getScriptHash())?.generation;
    if (generation) return generation.extension === extension ? generation : undefined;
  }
  return undefined;
}

function stack(): NodeJS.CallSite[] {
  const { prepareStackTrace, stackTraceLimit } = Error;
  const holder: { stack?: unknown } = {};
  Error.prepareStackTrace = (_error, sites) => sites;
  Error.stackTraceLimit = 20;
  Error.captureStackTrace(holder, stack);
  const sites = holder.stack as NodeJS.CallSite[];
  Object.assign(Error, { prepareStackTrace, stackTraceLimit });
  return sites;
}
