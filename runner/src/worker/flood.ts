// What extensions write to the log, as much of it as anybody can read: some at once, then so many lines a second.

import type { Log } from './failures.ts';

const atOnce = 2000;
const perSecond = 20;
const longestLine = 4096;
const betweenTellings = 10_000;

interface Allowance {
  lines: number;
  at: number;
  leftOut: number;
}

/** The same log for as many lines as are allowed; of the others it and the user are told that they were left out. */
export function withoutFlood(log: Log, tellUser: Log): Log {
  const allowances = new Map<string | undefined, Allowance>();
  return (level, text, of) => {
    const allowance = allowances.get(of?.extension) ?? { lines: atOnce, at: performance.now(), leftOut: 0 };
    allowances.set(of?.extension, allowance);
    if (isAllowed(allowance)) {
      log(level, text.length > longestLine ? `${text.slice(0, longestLine)}…` : text, of);
      return;
    }
    allowance.leftOut += 1;
    if (allowance.leftOut > 1) return;
    // Now, for a loop without end lets nothing happen later.
    tellUser('warning', `more than ${perSecond} lines a second go to the log; the others are left out`, of);
    const timer = setTimeout(() => {
      tellUser('warning', `${allowance.leftOut} lines were left out of the log`, of);
      allowance.leftOut = 0;
    }, betweenTellings);
    timer.unref();
  };
}

function isAllowed(allowance: Allowance): boolean {
  const now = performance.now();
  allowance.lines = Math.min(atOnce, allowance.lines + ((now - allowance.at) * perSecond) / 1000);
  allowance.at = now;
  if (allowance.lines < 1) return false;
  allowance.lines -= 1;
  return true;
}
