// Time limits.

export const late = Symbol('late');

/** The promise's value, or `late` if it takes longer. */
export async function within<T>(promise: T | Promise<T>, milliseconds: number): Promise<T | typeof late> {
  const deadline = new Deadline(milliseconds);
  try {
    return await Promise.race([promise, deadline.passed]);
  } finally {
    deadline.stop();
  }
}

/** The same, but time counts only while this thread has nothing to do. */
export async function withinIdle<T>(promise: T | Promise<T>, milliseconds: number): Promise<T | typeof late> {
  const { idle: before } = performance.eventLoopUtilization();
  let stop = () => {};
  const limit = new Promise<typeof late>((resolve) => {
    const look = () => {
      const left = milliseconds - (performance.eventLoopUtilization().idle - before);
      if (left <= 0) resolve(late);
      else timer = setTimeout(look, Math.max(left, 1));
    };
    let timer = setTimeout(look, milliseconds);
    stop = () => clearTimeout(timer);
  });
  try {
    return await Promise.race([promise, limit]);
  } finally {
    stop();
  }
}

/** A time limit that can pause, while a person is being asked for instance. */
export class Deadline {
  readonly passed: Promise<typeof late>;
  readonly #milliseconds: number;
  #pass: () => void = () => {};
  #timer: NodeJS.Timeout | undefined;
  #pauses = 0;
  #stopped = false;
  isPast = false;

  constructor(milliseconds: number) {
    this.#milliseconds = milliseconds;
    this.passed = new Promise((resolve) => {
      this.#pass = () => {
        this.isPast = true;
        resolve(late);
      };
    });
    this.#timer = setTimeout(this.#pass, milliseconds);
  }

  async pausedFor<T>(work: Promise<T>): Promise<T> {
    this.#pauses += 1;
    clearTimeout(this.#timer);
    try {
      return await work;
    } finally {
      this.#pauses -= 1;
      if (this.#pauses === 0 && !this.#stopped) this.#timer = setTimeout(this.#pass, this.#milliseconds);
    }
  }

  stop() {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }
}
