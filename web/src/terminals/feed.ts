// Brings what the daemon sends for one terminal onto its screen, in order, and says how far the screen has come.
//
// Two offsets matter. What was *received* is certain to be shown, so that is where a later attachment goes on from.
// What was *rendered* is acked, so that a flood waits in the journal and not in this page.

import type { Size } from './state';

/** A terminal emulator, as far as a feed needs one. */
export interface Screen {
  /** Calls `done` when the bytes have been taken in; calls follow each other in order. */
  write(bytes: Uint8Array, done: () => void): void;
  resize(size: Size): void;
}

export interface FeedEvents {
  ack(channel: number, offset: number): void;
}

type Step =
  | { kind: 'write'; channel: number; offset: number; bytes: Uint8Array }
  | { kind: 'resize'; size: Size };

/** Acks wait for this many bytes, or for this many milliseconds: one for each keystroke's echo would be too many. */
const ackBytes = 32 * 1024;
const ackDelay = 20;

export class Feed {
  private readonly screen: Screen;
  private readonly events: FeedEvents;
  private readonly steps: Step[] = [];
  private writing = 0;
  private channel = 0;
  private received: number | undefined;
  private rendered = 0;
  private unacked = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(screen: Screen, events: FeedEvents) {
    this.screen = screen;
    this.events = events;
  }

  /** Where to go on from, if the screen shows the terminal already. */
  get since(): number | undefined {
    return this.received;
  }

  /** The screen no longer shows this terminal: the next attachment needs a snapshot. */
  forget(): void {
    this.received = undefined;
  }

  attached(channel: number, offset: number, size: Size): void {
    this.channel = channel;
    this.rendered = offset;
    this.unacked = 0;
    this.resize(size);
  }

  detached(): void {
    this.channel = 0;
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  bytes(offset: number, bytes: Uint8Array): void {
    this.received = offset;
    this.steps.push({ kind: 'write', channel: this.channel, offset, bytes });
    this.advance();
  }

  /** Takes effect between what came before it and what comes after. */
  resize(size: Size): void {
    this.steps.push({ kind: 'resize', size });
    this.advance();
  }

  private advance(): void {
    for (let step = this.steps[0]; step; step = this.steps[0]) {
      if (step.kind === 'resize') {
        if (this.writing > 0) return;
        this.steps.shift();
        this.screen.resize(step.size);
      } else {
        this.steps.shift();
        this.write(step);
      }
    }
  }

  private write({ channel, offset, bytes }: Step & { kind: 'write' }): void {
    ++this.writing;
    this.screen.write(bytes, () => {
      --this.writing;
      if (channel === this.channel && channel !== 0) this.acknowledge(offset, bytes.length);
      // Not from within the emulator's own loop over its writes.
      if (this.writing === 0 && this.steps.length > 0) queueMicrotask(() => this.advance());
    });
  }

  private acknowledge(offset: number, size: number): void {
    this.rendered = offset;
    this.unacked += size;
    if (this.unacked >= ackBytes) this.sendAck();
    else this.timer ??= setTimeout(() => this.sendAck(), ackDelay);
  }

  private sendAck(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.unacked = 0;
    if (this.channel !== 0) this.events.ack(this.channel, this.rendered);
  }
}
