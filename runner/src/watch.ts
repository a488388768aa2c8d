// Finds workers that are blocked or hold too much memory, without ever waking one that rests.
//
// Node's own limit for a worker's memory is no help: an allocation that goes far beyond it ends the whole process. So
// it is set so high that nothing gets there between two looks.

export interface Watched {
  /** How long its loop has rested and worked so far, in milliseconds; both are 0 before it runs. */
  times(): { idle: number; active: number };
  ping(): Promise<unknown>;
  /** How much it holds, in bytes. */
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
/** A worker that works less than this part of the time is not asked how much memory it holds. */
const busy = 0.1;
/** What is no longer used counts until it is collected, so it takes several looks, or twice as much, to decide. */
const looksOverLimit = 4;

/** Looks at a worker now and then; returns a function that ends this. */
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
      // An answer may be waiting to be read, if this thread is what was held up.
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
