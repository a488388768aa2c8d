// Programs that workers started: finding them, and ending and reaping them when their worker died.

import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const patience = 1000;

/** A process. Its start time tells it apart from a later one with the same pid. */
export interface Process {
  pid: number;
  startedAt: string;
}

/** The process with this pid, also if it is a zombie. */
export function findProcess(pid: number): Process | undefined {
  const { startedAt } = statOf(pid) ?? {};
  return startedAt === undefined ? undefined : { pid, startedAt };
}

/** The process group of this process. */
export function processGroup(): number {
  return Number(statOf(process.pid)?.group);
}

function isRunning({ pid, startedAt }: Process): boolean {
  const stat = statOf(pid);
  return stat?.startedAt === startedAt && stat.state !== 'Z' && stat.state !== 'X';
}

function statOf(pid: number): { state: string; group: string; startedAt: string } | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name, in parentheses, can contain anything, so parse the fields after it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { state: fields[0] ?? '', group: fields[2] ?? '', startedAt: fields[19] ?? '' };
  } catch {
    return undefined;
  }
}

/** The children of one thread of this process. */
export function childrenOfThread(thread: number): number[] {
  return childrenOf(process.pid, thread);
}

/**
 * The children of threads that are not in `living`. When a thread ends, the kernel gives its
 * children to another thread.
 */
export function childrenOfNone(living: Set<number>): number[] {
  const others = threadsOf(process.pid).filter((thread) => !living.has(Number(thread)));
  return others.flatMap((thread) => childrenOf(process.pid, thread));
}

function childrenOf(pid: number, thread: number | string): number[] {
  try {
    const text = readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8');
    return text.split(' ').filter(Boolean).map(Number);
  } catch {
    return []; // It has ended, or this kernel does not list children.
  }
}

/** A process and its descendants, without those that detached themselves or are spared. */
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

/** Ends these processes and their descendants. */
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
    // It has just ended.
  }
}

type Reap = (pid: number) => boolean;

let reap: Reap | undefined;
/** Programs of dead workers. */
let left: Process[] = [];

/** Reaps these from now on, because the worker that started them is dead. */
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
    const text = 'cannot reap programs of dead workers; they stay as zombies until the runner ends';
    console.error(`${text}: ${(error as Error).message.split('\n', 1)[0]}`);
    return () => false;
  }
}
