// Programs that a worker has started: which they are, and how they end when nobody is left to look after them.

import { readFileSync } from 'node:fs';

const patience = 2000;

/** A process, told from a later one that got its number by the time at which it was started. */
export interface Process {
  pid: number;
  startedAt: string;
}

/** The process with this number, unless there is none or it has ended and only waits to be noticed. */
export function findProcess(pid: number): Process | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name, in parentheses, may hold anything; the fields after it do not.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' || fields[0] === 'X' ? undefined : { pid, startedAt: fields[19] ?? '' };
  } catch {
    return undefined;
  }
}

export function endProcesses(processes: Process[]) {
  for (const process of processes) signal(process, 'SIGTERM');
  if (processes.length === 0) return;
  setTimeout(() => {
    for (const process of processes) signal(process, 'SIGKILL');
  }, patience).unref();
}

function signal({ pid, startedAt }: Process, name: NodeJS.Signals) {
  if (findProcess(pid)?.startedAt !== startedAt) return;
  try {
    process.kill(pid, name);
  } catch {
    // It ended in this moment.
  }
}
