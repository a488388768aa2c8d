// Programs that a worker has started: which they are, and how they end when nobody is left to look after them.

import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const patience = 1000;

/** A process, told from a later one that got its number by the time at which it was started. */
export interface Process {
  pid: number;
  startedAt: string;
}

/** The process with this number, also if it has ended and only waits to be noticed. */
export function findProcess(pid: number): Process | undefined {
  const { startedAt } = statOf(pid) ?? {};
  return startedAt === undefined ? undefined : { pid, startedAt };
}

function isRunning({ pid, startedAt }: Process): boolean {
  const stat = statOf(pid);
  return stat?.startedAt === startedAt && stat.state !== 'Z' && stat.state !== 'X';
}

function statOf(pid: number): { state: string; startedAt: string } | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name, in parentheses, may hold anything; the fields after it do not.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { state: fields[0] ?? '', startedAt: fields[19] ?? '' };
  } catch {
    return undefined;
  }
}

/** What one thread of this process has started. */
export function childrenOfThread(thread: number): number[] {
  return childrenOf(process.pid, thread);
}

/** What threads have started that are no more; the children of one that ends are given to any other. */
export function childrenOfNone(living: Set<number>): number[] {
  const others = threadsOf(process.pid).filter((thread) => !living.has(Number(thread)));
  return others.flatMap((thread) => childrenOf(process.pid, thread));
}

function childrenOf(pid: number, thread: number | string): number[] {
  try {
    const text = readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8');
    return text.split(' ').filter(Boolean).map(Number);
  } catch {
    return []; // It has ended, or this kernel does not tell.
  }
}

/** A process and all that it has started, unless they have detached themselves; without those that are spared. */
function family(pid: number, spared: Set<number>): Process[] {
  if (spared.has(pid)) return [];
  const children = threadsOf(pid).flatMap((thread) => childrenOf(pid, thread));
  return [...[findProcess(pid) ?? []].flat(), ...children.flatMap((child) => family(child, spared))];
}

function threadsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return []; // It has ended.
  }
}

/** Ends these and what they have started. */
export function endProcesses(processes: Process[], spared: Set<number>) {
  const familiesOf = (some: Process[]) => some.filter(isRunning).flatMap(({ pid }) => family(pid, spared));
  const all = familiesOf(processes);
  for (const process of all) signal(process, 'SIGTERM');
  if (all.length === 0) return;
  setTimeout(() => {
    for (const process of familiesOf(all)) signal(process, 'SIGKILL');
  }, patience).unref();
}

function signal(target: Process, name: NodeJS.Signals) {
  if (!isRunning(target)) return;
  try {
    process.kill(target.pid, name);
  } catch {
    // It ended in this moment.
  }
}

type Reap = (pid: number) => boolean;

let reap: Reap | undefined;
/** Programs of threads that are no more. */
let left: Process[] = [];

/** From now on the end of these is taken note of here, since the thread that had started them is no more. */
export function inherit(processes: Process[]) {
  const fresh = processes.filter(({ pid }) => !isInherited(pid));
  if (fresh.length === 0) return;
  left.push(...fresh);
  if (!reap) {
    reap = findReap();
    process.on('SIGCHLD', reapAll);
  }
  reapAll();
}

export function isInherited(pid: number): boolean {
  return left.some((process) => process.pid === pid);
}

function reapAll() {
  left = left.filter(({ pid, startedAt }) => statOf(pid)?.startedAt === startedAt && !reap?.(pid));
}

function findReap(): Reap {
  try {
    return createRequire(import.meta.url)('./reap.node') as Reap;
  } catch (error) {
    const text = 'programs of workers that have died stay in the process table until the runner ends';
    console.error(`${text}: ${(error as Error).message.split('\n', 1)[0]}`);
    return () => false;
  }
}
