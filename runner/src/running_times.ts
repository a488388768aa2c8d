// Which extension's code a worker is running, and how long each has run. It is kept in memory
// shared with the main thread, which needs it when the worker does not answer.

/** Extensions are numbered from 1, in the order in which the worker first saw them. 0 is nobody. */
export const nobody = 0;
const mostExtensions = 256;
/** An extension is to blame if it caused more than this share. */
const clear = 2 / 3;

export class RunningTimes {
  readonly memory: SharedArrayBuffer;
  /** The running extension, and the worker's thread id. */
  readonly #words: Int32Array;
  /** Running times in milliseconds. */
  readonly #spent: Float64Array;
  #since = 0;

  constructor(memory = new SharedArrayBuffer(8 + mostExtensions * 8)) {
    this.memory = memory;
    this.#words = new Int32Array(memory, 0, 2);
    this.#spent = new Float64Array(memory, 8);
  }

  get running(): number {
    return Atomics.load(this.#words, 0);
  }

  get thread(): number {
    return Atomics.load(this.#words, 1);
  }

  set thread(thread: number) {
    Atomics.store(this.#words, 1, thread);
  }

  /** Switches to another extension's code. Returns whose ran before. */
  turn(to: number): number {
    const before = this.running;
    const now = performance.now();
    this.#spent[before] = (this.#spent[before] ?? 0) + now - this.#since;
    this.#since = now;
    Atomics.store(this.#words, 0, to < mostExtensions ? to : nobody);
    return before;
  }

  /** How long each extension has run so far. Time of nobody's code is not counted. */
  spent(): number[] {
    return [0, ...this.#spent.slice(1)];
  }
}

/** Finds out which extension made a worker grow or keeps it busy. Samples from the main thread. */
export class Culprit {
  readonly #times: RunningTimes;
  readonly #grown: number[] = [];
  #looks: { time: number; spent: number[] }[];
  #held = 0;

  constructor(times: RunningTimes) {
    this.#times = times;
    this.#looks = [{ time: performance.now(), spent: times.spent() }];
  }

  /** Takes the worker's memory now. The growth is charged to the extensions that ran meanwhile. */
  weighed(held: number) {
    const shares = this.#sharesSince(this.#looks.at(-1));
    const more = held - this.#held;
    const sum = total(this.#grown);
    this.#held = held;
    this.#looks = [...this.#looks.slice(-1), { time: performance.now(), spent: this.#times.spent() }];
    const all = total(shares);
    for (let each = 0; each < shares.length; each += 1) {
      const before = this.#grown[each] ?? 0;
      const share = all > 0 ? (shares[each] ?? 0) / all : Number(each === nobody);
      // Garbage collection happens at any time, whoever runs.
      this.#grown[each] =
        more > 0 ? before + more * share : sum > 0 ? before * Math.max(0, 1 + more / sum) : 0;
    }
  }

  /** The extension that made it grow. */
  grower(): number {
    return clearlyMost(this.#grown);
  }

  /** The extension that keeps it busy. */
  runner(): number {
    return this.#times.running || clearlyMost(this.#sharesSince(this.#looks[0]));
  }

  /** How long each has run since then, including the one that is still running. */
  #sharesSince(look: { time: number; spent: number[] } | undefined): number[] {
    const shares = this.#times.spent().map((spent, each) => spent - (look?.spent[each] ?? 0));
    const { running } = this.#times;
    const rest = performance.now() - (look?.time ?? 0) - total(shares);
    if (running !== nobody && rest > 0) shares[running] = (shares[running] ?? 0) + rest;
    return shares;
  }
}

function total(values: number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

function clearlyMost(values: number[]): number {
  const most = values.reduce((best, value, each) => (value > (values[best] ?? 0) ? each : best), nobody);
  return (values[most] ?? 0) > clear * total(values) ? most : nobody;
}
