// A small seeded generator of random numbers (mulberry32): the same seed gives the same stream on
// every machine, which Math.random does not.

export class Random {
  #state;

  constructor(seed) {
    this.#state = seed >>> 0;
  }

  next() {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let t = this.#state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  }

  chance(probability) {
    return this.next() < probability;
  }

  // From low to high, both included.
  integer(low, high) {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  pick(items) {
    return items[this.integer(0, items.length - 1)];
  }

  sample(items, count) {
    const left = [...items];
    const chosen = [];
    while (chosen.length < count && left.length > 0) {
      chosen.push(left.splice(this.integer(0, left.length - 1), 1)[0]);
    }
    return chosen;
  }
}
