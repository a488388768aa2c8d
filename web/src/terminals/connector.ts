// Keeps a connection to the daemon: opens one, notices when it is lost, and opens the next after a
// pause. There is never more than one, no matter how often it is woken.

import { Connection, type Socket } from '../protocol/connection';
import type { Frame } from '../protocol/frames';
import type { ServerMessage } from '../protocol/messages';
import { delayBefore } from './backoff';
import type { Away, ConnectionState, Refusal } from './state';

export interface ConnectorOptions {
  openSocket(): Socket;
  /** Why the daemon refused the WebSocket; `undefined` if retrying may help. */
  probe(): Promise<Refusal | Away | undefined>;
  events: {
    /** The daemon sent `welcome`. */
    connected(connection: Connection, welcome: ServerMessage & { type: 'welcome' }): void;
    message(message: ServerMessage): void;
    frame(frame: Frame): void;
    state(state: ConnectionState): void;
  };
  random?(): number;
  isOffline?(): boolean;
}

const openTimeout = 10_000;
const pingInterval = 10_000;
const pingTimeout = 5_000;
/** How long an answer to a key may take before the page says that none comes. */
const answerTimeout = 2_000;

/** The close code that browsers report when a connection ends without one. */
const abnormal = 1006;
const serviceRestart = 1012;

export class Connector {
  private readonly options: ConnectorOptions;
  private connection: Connection | undefined;
  private welcomed = false;
  private stopped = true;
  private isSilent = false;
  /** Failures in a row. */
  private attempt = 0;
  private retryTimer: ReturnType<typeof setTimeout> | undefined;
  private openTimer: ReturnType<typeof setTimeout> | undefined;
  private pingTimer: ReturnType<typeof setInterval> | undefined;
  /** Numbers the probes, so that a late answer is ignored. */
  private lastProbe = 0;

  constructor(options: ConnectorOptions) {
    this.options = options;
  }

  start(): void {
    if (!this.stopped) return;
    this.stopped = false;
    this.open();
  }

  stop(): void {
    this.stopped = true;
    clearTimeout(this.retryTimer);
    this.connection?.drop();
  }

  /** Skips the pause. Does nothing while a connection is open or opening. */
  retry(): void {
    if (this.stopped || this.connection) return;
    clearTimeout(this.retryTimer);
    this.open();
  }

  /** Something was sent that is answered at once. Says so if nothing comes. */
  expectAnswer(connection: Connection): void {
    const { heard } = connection;
    setTimeout(() => {
      if (this.connection !== connection || connection.heard !== heard || this.isSilent) return;
      this.isSilent = true;
      this.options.events.state({ kind: 'connected', isSilent: true });
      this.ping(connection);
    }, answerTimeout);
  }

  /** The network or the machine may have been down: checks whether the connection still works. */
  wake(): void {
    if (this.connection && this.welcomed) this.ping(this.connection);
    else this.retry();
  }

  private open(): void {
    if (this.stopped || this.connection) return;
    this.welcomed = false;
    this.options.events.state({ kind: 'connecting' });
    const connection = new Connection(this.options.openSocket(), {
      message: (message) => this.receive(connection, message),
      frame: (frame) => {
        this.heardAgain();
        this.options.events.frame(frame);
      },
      closed: (code) => void this.closed(code),
    });
    this.connection = connection;
    this.openTimer = setTimeout(() => connection.drop(abnormal), openTimeout);
  }

  private receive(connection: Connection, message: ServerMessage): void {
    this.heardAgain();
    if (message.type !== 'welcome') return this.options.events.message(message);
    clearTimeout(this.openTimer);
    this.welcomed = true;
    this.attempt = 0;
    let { heard } = connection;
    this.pingTimer = setInterval(() => {
      if (connection.heard === heard) this.ping(connection);
      heard = connection.heard;
    }, pingInterval);
    this.options.events.state({ kind: 'connected' });
    this.options.events.connected(connection, message);
  }

  private heardAgain(): void {
    if (!this.isSilent) return;
    this.isSilent = false;
    this.options.events.state({ kind: 'connected' });
  }

  /** A dead network does not close the connection. An unanswered ping is the only sign. */
  private ping(connection: Connection): void {
    const { heard } = connection;
    connection.request('ping', {}).catch(() => {});
    setTimeout(() => {
      if (this.connection === connection && connection.heard === heard) connection.drop(abnormal);
    }, pingTimeout);
  }

  private async closed(code: number): Promise<void> {
    const wasWelcomed = this.welcomed;
    clearTimeout(this.openTimer);
    clearInterval(this.pingTimer);
    this.connection = undefined;
    this.welcomed = false;
    this.isSilent = false;
    if (this.stopped) return;
    if (wasWelcomed && (code === serviceRestart || code === abnormal)) {
      // The daemon is restarting or the connection just broke: the first retry usually works.
      this.options.events.state({ kind: 'connecting' });
      this.attempt = 1;
      return this.open();
    }
    ++this.attempt;
    const waiting = this.wait();
    const probe = ++this.lastProbe;
    const why = await this.options.probe();
    if (this.stopped || this.connection || probe !== this.lastProbe || why === undefined) return;
    if (why === 'away') return this.options.events.state({ ...waiting, isAway: true });
    clearTimeout(this.retryTimer);
    this.options.events.state({ kind: 'refused', why });
    // Retry only after a limit; the other refusals need the user.
    if (why === 'too_many' || why === 'full') this.retryTimer = setTimeout(() => this.open(), 15_000);
  }

  private wait(): ConnectionState & { kind: 'waiting' } {
    const random = this.options.random ?? Math.random;
    const delay = delayBefore(this.attempt, random());
    const offline = this.options.isOffline?.() ?? false;
    const waiting = { kind: 'waiting' as const, until: Date.now() + delay, offline };
    this.options.events.state(waiting);
    clearTimeout(this.retryTimer);
    this.retryTimer = setTimeout(() => this.open(), delay);
    return waiting;
  }
}
