// Finds workers that are blocked or use too much memory, without waking idle ones.
//
// Node's own memory limit for workers does not help: an allocation far beyond it ends the whole
// process. So it is set too high to be reached between two checks.

export interface Watched {
  /** Its event loop's idle and active time so far, in milliseconds. Both are 0 before it runs. */
  times(): { idle: number; active: number };
  ping(): Promise<unknown>;
  /** Its memory in bytes, garbage included. */
  memory(): Promise<number>;
  /** Has it collect its garbage. Ends when that is done; a blocked worker does not. */
  collect(): Promise<unknown>;
  /**
   * CPU time in milliseconds that it has used so far, and that its files took to compile, while it
   * loads. Undefined if it does not load.
   */
  loading(): { used: number; compiled: number } | undefined;
  stuck(): void;
  outOfMemory(): void;
}

export interface Limits {
  stuckAfter: number;
  memory: number;
  /** CPU time that a worker may block for while it loads. */
  loadingTime: number;
}

const longestInterval = 250;
const looksPerLimit = 5;
/** A worker that is busy less than this fraction of the time is not asked for its memory. */
const busy = 0.1;
/** It may hold more for a moment. */
const looksOverLimit = 4;
/** How long a worker that holds twice the limit may take to collect its garbage. */
const collectPatience = 500;

/** Checks a worker regularly. Returns a function that stops it. */
export function watch(worker: Watched, limits: Limits): () => void {
  const interval = Math.min(longestInterval, limits.stuckAfter / looksPerLimit);
  const weigh = scale(worker, limits.memory);
  const block = blocking(worker, limits);
  let before = worker.times();
  let asked = false;
  let overLimit = false;

  const ask = () => {
    asked = true;
    const answered = () => {
      asked = false;
    };
    worker.ping().then(answered, answered);
  };

  const look = () => {
    const now = worker.times();
    const restless = now.active > 0 && now.idle === before.idle;
    const worked = now.active - before.active;
    before = now;
    if (overLimit || worked > interval * busy) {
      const found = (over: boolean) => {
        overLimit = over;
      };
      weigh().then(found, () => found(false));
    }
    if (asked && block.isTooLong()) {
      // If this thread was the blocked one, the answer may be waiting to be read.
      setImmediate(() => asked && worker.stuck());
    } else if (restless && !asked) {
      block.begin(performance.now() - interval);
      ask();
    }
  };
  const timer = setInterval(look, interval);
  timer.unref();
  return () => clearInterval(timer);
}

/**
 * Returns a function that judges what a worker holds, and whether that is more than the limit.
 * Garbage does not count. A worker that is too busy to collect it is judged at twice the limit: V8
 * collects by itself before half of what it holds is garbage (main.ts).
 */
function scale(worker: Watched, memory: number): () => Promise<boolean> {
  let weighing = false;
  let looks = 0;
  const judge = (held: number) => {
    looks = held > memory ? looks + 1 : 0;
    if (looks >= looksOverLimit || held > 2 * memory) worker.outOfMemory();
    return held > memory;
  };
  const weigh = async () => {
    const held = await worker.memory();
    if (held <= memory) return judge(held);
    const look = () => worker.memory().then((still) => still > 2 * memory && worker.outOfMemory());
    const timer = setInterval(() => look().catch(() => {}), collectPatience);
    try {
      await worker.collect();
    } finally {
      clearInterval(timer);
    }
    return judge(await worker.memory());
  };
  return async () => {
    if (weighing) return true;
    weighing = true;
    try {
      return await weigh();
    } finally {
      weighing = false;
    }
  };
}

/** How long a worker is blocked: by the clock, or while it loads by its CPU time. */
function blocking(worker: Watched, { stuckAfter, loadingTime }: Limits) {
  let since = 0;
  let usedBefore = 0;
  let worked = 0;
  let workedAt = 0;
  return {
    begin(at: number) {
      since = at;
      workedAt = at;
      usedBefore = worker.loading()?.used ?? 0;
      worked = 0;
    },
    isTooLong(): boolean {
      const now = performance.now();
      const load = worker.loading();
      if (!load) return now - since > stuckAfter;
      // On a busy machine it may get little time, but it gets some.
      usedBefore = Math.min(usedBefore, load.used);
      if (load.used + load.compiled !== worked) {
        worked = load.used + load.compiled;
        workedAt = now;
      }
      return load.used - usedBefore > loadingTime || now - workedAt > stuckAfter;
    },
  };
}
