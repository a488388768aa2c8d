// How long to wait before the next attempt. Jitter keeps browsers from reconnecting in step.

const first = 250;
const longest = 15_000;

/** Milliseconds before attempt number `attempt`, counted from 0. `random` is in [0, 1). */
export function delayBefore(attempt: number, random: number): number {
  if (attempt <= 0) return 0;
  const full = Math.min(longest, first * 2 ** (attempt - 1));
  return Math.round(full * (0.5 + random / 2));
}
