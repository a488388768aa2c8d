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

/** A time limit that pauses while a person is being asked. */
export class Deadline {
  readonly passed: Promise<typeof late>;
  readonly #milliseconds: number;
  #pass: () => void = () => {};
  #timer: NodeJS.Timeout | undefined;
  #questions = 0;
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

  async whileAsking<T>(answer: Promise<T>): Promise<T> {
    this.#questions += 1;
    clearTimeout(this.#timer);
    try {
      return await answer;
    } finally {
      this.#questions -= 1;
      if (this.#questions === 0 && !this.#stopped) this.#timer = setTimeout(this.#pass, this.#milliseconds);
    }
  }

  stop() {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }
}
