// Whose code a worker runs, and for how long each extension's has run. It lies in memory that worker and main thread
// share, since it is asked for when the worker does not answer any more.

/** Extensions have a number from 1 on, in the order in which the worker first heard of them; 0 is nobody. */
export const nobody = 0;
const mostExtensions = 256;
/** The part of the whole that makes somebody the one whose it is. */
const clear = 2 / 3;

export class Whose {
  readonly memory: SharedArrayBuffer;
  /** The one that runs, and the number of the worker's thread. */
  readonly #words: Int32Array;
  /** In milliseconds. */
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

  /** Another's code runs from now on; returns whose ran before. */
  turn(to: number): number {
    const before = this.running;
    const now = performance.now();
    this.#spent[before] = (this.#spent[before] ?? 0) + now - this.#since;
    this.#since = now;
    Atomics.store(this.#words, 0, to < mostExtensions ? to : nobody);
    return before;
  }

  /** How long each has run so far; what nobody ran is not counted. */
  spent(): number[] {
    return [0, ...this.#spent.slice(1)];
  }
}

/** Finds out who has made a worker grow, or keeps it busy: from the main thread, by looking now and then. */
export class Blame {
  readonly #whose: Whose;
  readonly #grown: number[] = [];
  #looks: { time: number; spent: number[] }[];
  #held = 0;

  constructor(whose: Whose) {
    this.#whose = whose;
    this.#looks = [{ time: performance.now(), spent: whose.spent() }];
  }

  /** The worker holds so much now; what came on top belongs to those who ran meanwhile. */
  weighed(held: number) {
    const shares = this.#sharesSince(this.#looks.at(-1));
    const more = held - this.#held;
    const sum = total(this.#grown);
    this.#held = held;
    this.#looks = [...this.#looks.slice(-1), { time: performance.now(), spent: this.#whose.spent() }];
    const all = total(shares);
    for (let each = 0; each < shares.length; each += 1) {
      const before = this.#grown[each] ?? 0;
      const share = all > 0 ? (shares[each] ?? 0) / all : Number(each === nobody);
      // What is no longer needed is collected at any time, whoever runs.
      this.#grown[each] =
        more > 0 ? before + more * share : sum > 0 ? before * Math.max(0, 1 + more / sum) : 0;
    }
  }

  /** The one by whom it has grown. */
  grower(): number {
    return clearlyMost(this.#grown);
  }

  /** The one that keeps it busy. */
  runner(): number {
    return this.#whose.running || clearlyMost(this.#sharesSince(this.#looks[0]));
  }

  /** How long each has run since then, also the one that has not ended yet. */
  #sharesSince(look: { time: number; spent: number[] } | undefined): number[] {
    const shares = this.#whose.spent().map((spent, each) => spent - (look?.spent[each] ?? 0));
    const { running } = this.#whose;
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
