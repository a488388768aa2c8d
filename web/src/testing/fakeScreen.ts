// A fake screen: records its calls, and processes bytes at once or when the test says so.

import type { ShellCommand } from '../protocol/messages';
import type { TabScreen } from '../terminals/attachments';
import type { Size } from '../terminals/state';

export class FakeScreen implements TabScreen {
  /** Bytes as text, sizes as "COLSxROWS", in order. */
  readonly log: string[] = [];
  isSlow = false;
  isDisposed = false;
  private waiting: (() => void)[] = [];

  write(bytes: Uint8Array, done: () => void): void {
    const take = () => {
      this.log.push(new TextDecoder().decode(bytes));
      done();
    };
    if (this.isSlow) this.waiting.push(take);
    else take();
  }

  resize({ rows, cols }: Size): void {
    this.log.push(`${cols}x${rows}`);
  }

  lacksCommands = false;

  marked({ text }: ShellCommand, offset: number): void {
    this.log.push(`${text} at ${offset}`);
  }

  know(commands: readonly ShellCommand[]): void {
    this.log.push(`knows ${commands.map(({ text }) => text).join()}`);
  }

  keepAbove(): void {
    this.log.push('kept above');
  }

  dispose(): void {
    this.isDisposed = true;
  }

  /** Processes what was written so far. */
  catchUp(): void {
    for (const take of this.waiting.splice(0)) take();
  }
}
