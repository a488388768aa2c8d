// Redraws screens that failed: at once, but each only every few seconds in case it fails again.

const every = 5000;

export class Renewals {
  private readonly renew: (terminalId: string) => void;
  private readonly waiting = new Map<string, ReturnType<typeof setTimeout>>();
  private readonly last = new Map<string, number>();

  constructor(renew: (terminalId: string) => void) {
    this.renew = renew;
  }

  /** False if the screen is already waiting to be redrawn. */
  failed(terminalId: string): boolean {
    if (this.waiting.has(terminalId)) return false;
    const delay = Math.max(0, (this.last.get(terminalId) ?? 0) + every - Date.now());
    const timer = setTimeout(() => {
      this.waiting.delete(terminalId);
      this.last.set(terminalId, Date.now());
      this.renew(terminalId);
    }, delay);
    this.waiting.set(terminalId, timer);
    return true;
  }

  stop(): void {
    for (const timer of this.waiting.values()) clearTimeout(timer);
    this.waiting.clear();
  }
}
