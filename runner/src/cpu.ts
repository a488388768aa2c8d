// Threads, and the CPU time that they have used.

import { readFileSync, readlinkSync } from 'node:fs';

const millisecondsPerTick = 10; // Linux counts in hundredths of a second.

/** The kernel's number of the thread that calls this. */
export function ownThread(): number {
  const [, thread = '0'] = /(\d+)$/.exec(readlinkSync('/proc/thread-self')) ?? [];
  return Number(thread);
}

/** CPU time in milliseconds of a thread of this process; 0 if it has ended. */
export function cpuTime(thread: number): number {
  try {
    const stat = readFileSync(`/proc/self/task/${thread}/stat`, 'utf8');
    // The name, in parentheses, can contain anything, so parse the fields after it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * millisecondsPerTick;
  } catch {
    return 0;
  }
}
