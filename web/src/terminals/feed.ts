// Writes one terminal's output to its screen, in order, and acknowledges it.
//
// Two offsets matter:
// - *received*: these bytes will be shown, so a later attachment continues from here;
// - *rendered*: these bytes are acked, so a flood waits in the journal and not in this page.

import type { Size } from './state';

/** The part of a terminal emulator that a feed needs. */
export interface Screen {
  /** Calls `done` when the bytes are processed. Calls come in order. */
  write(bytes: Uint8Array, done: () => void, isSnapshot?: boolean): void;
  resize(size: Size): void;
}

export interface FeedEvents {
  ack(channel: number, offset: number): void;
  /** A snapshot was processed. */
  replaced?(): void;
}

type Step =
  | { kind: 'write'; channel: number; offset: number; bytes: Uint8Array; isSnapshot: boolean }
  | { kind: 'do'; act: () => void }
  | { kind: 'resize'; size: Size };

/** Acks wait for this many bytes or milliseconds: one for every echoed key would be too many. */
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

  /** Where to continue, if the screen already shows the terminal. */
  get since(): number | undefined {
    return this.received;
  }

  /** The screen no longer shows this terminal, so the next attachment needs a snapshot. */
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

  bytes(offset: number, bytes: Uint8Array, isSnapshot = false): void {
    this.received = offset;
    this.steps.push({ kind: 'write', channel: this.channel, offset, bytes, isSnapshot });
    this.advance();
  }

  /** The same as with a size: between the output before it and the output after it. */
  between(act: () => void): void {
    this.steps.push({ kind: 'do', act });
    this.advance();
  }

  /** Takes effect in order with the output around it. */
  resize(size: Size): void {
    this.steps.push({ kind: 'resize', size });
    this.advance();
  }

  private advance(): void {
    for (let step = this.steps[0]; step; step = this.steps[0]) {
      if (step.kind !== 'write') {
        if (this.writing > 0) return;
        this.steps.shift();
        if (step.kind === 'resize') this.screen.resize(step.size);
        else step.act();
      } else {
        this.steps.shift();
        this.write(step);
      }
    }
  }

  private write({ channel, offset, bytes, isSnapshot }: Step & { kind: 'write' }): void {
    ++this.writing;
    const done = () => {
      --this.writing;
      if (isSnapshot) this.events.replaced?.();
      if (channel === this.channel && channel !== 0) this.acknowledge(offset, bytes.length);
      // Defer it: this runs inside the emulator's own write loop.
      if (this.writing === 0 && this.steps.length > 0) queueMicrotask(() => this.advance());
    };
    this.screen.write(bytes, done, isSnapshot);
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
