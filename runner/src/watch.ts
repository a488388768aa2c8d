// Finds workers whose event loop is blocked, without ever waking one that rests.

export interface Watched {
  /** How long its loop has rested so far, in milliseconds; undefined before the loop runs. */
  rested(): number | undefined;
  ping(): Promise<unknown>;
  stuck(): void;
}

const looksPerLimit = 5;

/** Looks at a worker now and then; returns a function that ends this. */
export function watch(worker: Watched, stuckAfter: number): () => void {
  let restedBefore = worker.rested();
  let askedAt = 0;
  const interval = stuckAfter / looksPerLimit;
  const timer = setInterval(() => {
    const rested = worker.rested();
    const restless = rested !== undefined && rested === restedBefore;
    restedBefore = rested;
    const now = performance.now();
    if (askedAt !== 0) {
      // It was restless for one interval before it was asked.
      if (now - askedAt >= stuckAfter - interval) worker.stuck();
    } else if (restless) {
      askedAt = now;
      const answered = () => {
        askedAt = 0;
      };
      worker.ping().then(answered, answered);
    }
  }, interval);
  timer.unref();
  return () => clearInterval(timer);
}
