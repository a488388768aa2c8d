// How often something may happen: some times at once, then so many times a second.

export class Allowance {
  readonly #atOnce: number;
  readonly #perSecond: number;
  #left: number;
  #at = performance.now();

  constructor(atOnce: number, perSecond: number) {
    this.#atOnce = atOnce;
    this.#perSecond = perSecond;
    this.#left = atOnce;
  }

  /** Whether it may happen once more now. */
  take(): boolean {
    const now = performance.now();
    this.#left = Math.min(this.#atOnce, this.#left + ((now - this.#at) * this.#perSecond) / 1000);
    this.#at = now;
    if (this.#left < 1) return false;
    this.#left -= 1;
    return true;
  }

  /** Waits until it may happen once more. */
  async turn() {
    while (!this.take()) await new Promise((resolve) => setTimeout(resolve, 1000 / this.#perSecond));
  }
}
