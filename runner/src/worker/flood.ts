// Limits what extensions write to the log: a burst, then so many lines a second.

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

/** Wraps a log. Drops lines beyond the limit, and tells the log and the user how many. */
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
    // Tell now: in an endless loop no timer would run.
    tellUser('warning', `more than ${perSecond} log lines a second; dropping the rest`, of);
    const timer = setTimeout(() => {
      tellUser('warning', `${allowance.leftOut} log lines were dropped`, of);
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
