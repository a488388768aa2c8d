// Finds workers that are blocked or use too much memory, without waking idle ones.
//
// Node's own memory limit for workers does not help: an allocation far beyond it ends the whole
// process. So it is set too high to be reached between two checks.

export interface Watched {
  /** Its event loop's idle and active time so far, in milliseconds. Both are 0 before it runs. */
  times(): { idle: number; active: number };
  ping(): Promise<unknown>;
  /** Its memory in bytes. */
  memory(): Promise<number>;
  stuck(): void;
  outOfMemory(): void;
}

export interface Limits {
  stuckAfter: number;
  memory: number;
}

const longestInterval = 250;
const looksPerLimit = 5;
/** A worker that is busy less than this fraction of the time is not asked for its memory. */
const busy = 0.1;
/** Garbage counts until it is collected, so decide after several checks, or at twice the limit. */
const looksOverLimit = 4;

/** Checks a worker regularly. Returns a function that stops it. */
export function watch(worker: Watched, { stuckAfter, memory }: Limits): () => void {
  const interval = Math.min(longestInterval, stuckAfter / looksPerLimit);
  let before = worker.times();
  let restlessSince: number | undefined;
  let asked = false;
  let overLimit = 0;

  const ask = () => {
    asked = true;
    const answered = () => {
      asked = false;
      restlessSince = undefined;
    };
    worker.ping().then(answered, answered);
  };

  const weigh = async () => {
    const held = await worker.memory();
    overLimit = held > memory ? overLimit + 1 : 0;
    if (overLimit >= looksOverLimit || held > 2 * memory) worker.outOfMemory();
  };

  const look = () => {
    const now = worker.times();
    const restless = now.active > 0 && now.idle === before.idle;
    const worked = now.active - before.active;
    before = now;
    if (worked > interval * busy) weigh().catch(() => {});
    if (asked && restlessSince !== undefined && performance.now() - restlessSince > stuckAfter) {
      // If this thread was the blocked one, the answer may be waiting to be read.
      setImmediate(() => asked && worker.stuck());
    } else if (restless && !asked) {
      restlessSince = performance.now() - interval;
      ask();
    }
  };
  const timer = setInterval(look, interval);
  timer.unref();
  return () => clearInterval(timer);
}
