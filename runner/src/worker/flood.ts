// Limits what extensions write to the log: a burst, then so many lines a second.

import { Allowance } from './allowance.ts';
import type { Log } from './failures.ts';

/** Each line is a row in the database: 2,000 held up other sessions for up to 240 ms. */
const atOnce = 500;
const perSecond = 20;
const longestLine = 4096;
const betweenTellings = 10_000;

interface Lines {
  allowance: Allowance;
  leftOut: number;
}

/** Wraps a log. Drops lines beyond the limit, and tells the log and the user how many. */
export function withoutFlood(log: Log, tellUser: Log): Log {
  const all = new Map<string | undefined, Lines>();
  return (level, text, of) => {
    const lines = all.get(of?.extension) ?? { allowance: new Allowance(atOnce, perSecond), leftOut: 0 };
    all.set(of?.extension, lines);
    if (lines.allowance.take()) {
      log(level, text.length > longestLine ? `${text.slice(0, longestLine)}…` : text, of);
      return;
    }
    lines.leftOut += 1;
    if (lines.leftOut > 1) return;
    // Tell now: in an endless loop no timer would run.
    tellUser('warning', `more than ${perSecond} log lines a second; dropping the rest`, of);
    const timer = setTimeout(() => {
      tellUser('warning', `${lines.leftOut} log lines were dropped`, of);
      lines.leftOut = 0;
    }, betweenTellings);
    timer.unref();
  };
}
