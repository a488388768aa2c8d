// What a person types and pastes, on its way to the daemon.
//
// Invariants
// 1. Every piece has a key under which the daemon types it once, however often it is sent.
// 2. A piece is kept until the daemon has answered. A new connection sends what is left, in order.
// 3. The daemon remembers the last 64 keys of a terminal. So few pieces are under way at once, and
//    one that may have arrived is sent again unasked only if nobody else typed there meanwhile.

import { type Connection, LostError, RefusedError } from '../protocol/connection';
import { words } from '../words';
import type { Requests } from './requests';
import { type Action, type State, tabOf } from './state';
import type { Store } from './store';

interface Piece {
  key: string;
  kind: 'text' | 'paste';
  text: string;
  typedAt: number;
  /** When it was last sent. It may have arrived. */
  sentAt?: number;
  isUnderWay: boolean;
}

/** `busy`: somebody else has typed. `lost`: so was the connection. */
type Answer = 'done' | 'busy' | 'lost';

export interface TypingEvents {
  /** Bytes that are sent as they are, without a key; none only say that somebody types. */
  bytes(terminalId: string, kind: Piece['kind'], text: string): void;
  /** Something was sent that the daemon answers at once. */
  sent(connection: Connection): void;
}

const mostUnderWay = 16;
/** The daemon takes 32 KiB under one key. What is longer is sent without. */
const mostKeyed = 16 * 1024;
/** How many characters wait for a connection. */
const mostWaiting = 4096;
/** Older than this, nobody remembers what they typed: ask before it is sent. */
const stale = 60_000;
/** How much later than sent a piece may have arrived. */
const slack = 1000;

export class Typing {
  private readonly store: Store<State, Action>;
  private readonly requests: Requests;
  private readonly events: TypingEvents;
  private readonly newKey: () => string;
  private readonly queues = new Map<string, Piece[]>();
  /** Terminals of an older keeper, which knows no keys. */
  private readonly keyless = new Set<string>();
  /** Terminals where it is being found out what has arrived. */
  private readonly resending = new Set<string>();

  constructor(store: Store<State, Action>, requests: Requests, events: TypingEvents, newKey: () => string) {
    this.store = store;
    this.requests = requests;
    this.events = events;
    this.newKey = newKey;
  }

  add(terminalId: string, kind: Piece['kind'], text: string): void {
    if (text === '') return;
    const queue = this.queues.get(terminalId) ?? [];
    this.queues.set(terminalId, queue);
    const isOnline = this.isOnline(terminalId);
    if (!isOnline && lengthOf(queue) + text.length > mostWaiting)
      return this.requests.toast('warning', words.typing.full);
    const last = queue.at(-1);
    const isSame =
      kind === 'text' && last?.kind === 'text' && last.text.length + text.length <= mostKeyed / 4;
    if (last && isSame && last.sentAt === undefined) last.text += text;
    else queue.push({ key: this.newKey(), kind, text, typedAt: Date.now(), isUnderWay: false });
    if (isOnline) this.flush(terminalId);
    if (!isOnline || this.isShown(terminalId)) this.show(terminalId);
  }

  /** The terminal can be typed into again. */
  attached(terminalId: string): void {
    const queue = this.queues.get(terminalId) ?? [];
    if (this.resending.has(terminalId) || !this.isOnline(terminalId)) return;
    if (queue.every(({ isUnderWay }) => isUnderWay)) return;
    const isStale = queue.some(({ typedAt }) => Date.now() - typedAt > stale);
    if (isStale) this.show(terminalId, true);
    else void this.sendAgain(terminalId, queue);
  }

  /** The connection was lost. What was under way may have arrived. */
  disconnected(): void {
    for (const [terminalId, queue] of this.queues) {
      for (const piece of queue) piece.isUnderWay = false;
      if (queue.length > 0) this.show(terminalId, false);
    }
  }

  /** The daemon has not answered for a while. */
  silent(): void {
    for (const [terminalId, queue] of this.queues) if (queue.length > 0) this.show(terminalId);
  }

  /** The person says whether to send what was kept for long. */
  decide(terminalId: string, isWanted: boolean): void {
    if (!isWanted) return this.drop(terminalId);
    this.show(terminalId, false);
    for (const piece of this.queues.get(terminalId) ?? []) delete piece.sentAt;
    this.flush(terminalId);
  }

  /** Another terminal takes this one's place. What was typed was not meant for it. */
  replaced(terminalId: string): void {
    if (this.queues.get(terminalId)?.length) this.requests.toast('warning', words.typing.ended);
    this.drop(terminalId);
  }

  drop(terminalId: string): void {
    this.queues.delete(terminalId);
    this.keyless.delete(terminalId);
    if (this.isShown(terminalId)) this.store.dispatch({ type: 'tab_pending', terminalId, pending: null });
  }

  private isOnline(terminalId: string): boolean {
    const status = tabOf(this.store.get(), terminalId)?.status.kind;
    return this.requests.connection !== undefined && status === 'connected';
  }

  private isShown(terminalId: string): boolean {
    return tabOf(this.store.get(), terminalId)?.pending !== undefined;
  }

  private isAsking(terminalId: string): boolean {
    return tabOf(this.store.get(), terminalId)?.pending?.asks ?? false;
  }

  /** Shows what is not known to have arrived. */
  private show(terminalId: string, asks = this.isAsking(terminalId)): void {
    const text = (this.queues.get(terminalId) ?? []).map((piece) => piece.text).join('');
    const pending = text === '' ? null : { text, asks };
    this.store.dispatch({ type: 'tab_pending', terminalId, pending });
  }

  /** Sends what waits, unless the person has to decide about it. */
  private flush(terminalId: string): void {
    if (this.resending.has(terminalId) || this.isAsking(terminalId)) return;
    const queue = this.queues.get(terminalId) ?? [];
    for (const piece of queue) {
      if (queue.filter(({ isUnderWay }) => isUnderWay).length >= mostUnderWay) return;
      if (!piece.isUnderWay) void this.send(terminalId, piece);
    }
  }

  private async sendAgain(terminalId: string, queue: Piece[]): Promise<void> {
    this.resending.add(terminalId);
    const answer = await this.findOut(terminalId, queue);
    this.resending.delete(terminalId);
    if (answer === 'lost') return;
    this.show(terminalId, answer === 'busy');
    this.flush(terminalId);
  }

  /** Sends what may have arrived, one piece after the other. */
  private async findOut(terminalId: string, queue: Piece[]): Promise<Answer> {
    for (const piece of queue.filter(({ sentAt, isUnderWay }) => sentAt !== undefined && !isUnderWay)) {
      const ifIdle = Math.max(0, Date.now() - (piece.sentAt ?? 0) - slack);
      const answer = await this.send(terminalId, piece, ifIdle);
      if (answer !== 'done') return answer;
    }
    return 'done';
  }

  private async send(terminalId: string, piece: Piece, ifIdle?: number): Promise<Answer> {
    const { connection } = this.requests;
    if (!connection) return 'lost';
    const wasSent = piece.sentAt !== undefined;
    piece.isUnderWay = true;
    if (ifIdle === undefined) piece.sentAt = Date.now();
    try {
      const asked = this.isKeyed(terminalId, piece)
        ? this.ask(connection, terminalId, piece, ifIdle)
        : this.sendBytes(connection, terminalId, piece, wasSent);
      this.events.sent(connection);
      await asked;
    } catch (error) {
      if (error instanceof LostError) return 'lost';
      if (!(error instanceof RefusedError)) throw error;
      if (error.code === 'busy' && ifIdle !== undefined) {
        piece.isUnderWay = false;
        return 'busy';
      }
      if (error.code === 'unsupported') return this.sendWithoutKey(terminalId, piece);
      this.requests.refused(error);
    }
    const queue = this.queues.get(terminalId) ?? [];
    // It may have been dropped meanwhile.
    if (queue.includes(piece)) queue.splice(queue.indexOf(piece), 1);
    if (this.isShown(terminalId)) this.show(terminalId);
    this.flush(terminalId);
    return 'done';
  }

  private sendWithoutKey(terminalId: string, piece: Piece): 'done' {
    this.keyless.add(terminalId);
    piece.isUnderWay = false;
    delete piece.sentAt;
    this.flush(terminalId);
    return 'done';
  }

  private ask(connection: Connection, terminalId: string, { key, kind, text }: Piece, ifIdle?: number) {
    if (ifIdle === undefined) this.events.bytes(terminalId, 'text', '');
    return connection.request('send', {
      terminalId,
      ...(kind === 'text' ? { text } : { paste: text }),
      idempotencyKey: key,
      ...(ifIdle === undefined ? {} : { ifIdle }),
    });
  }

  /** Without a key. The daemon has it when it answers what was sent after it. */
  private sendBytes(connection: Connection, terminalId: string, piece: Piece, wasSent: boolean) {
    // It may have arrived, and would be typed twice.
    if (wasSent) this.requests.toast('warning', words.typing.unsure);
    else this.events.bytes(terminalId, piece.kind, piece.text);
    return connection.request('ping', {});
  }

  private isKeyed(terminalId: string, { text }: Piece): boolean {
    return !this.keyless.has(terminalId) && new TextEncoder().encode(text).length <= mostKeyed;
  }
}

function lengthOf(queue: Piece[]): number {
  return queue.reduce((sum, { text }) => sum + text.length, 0);
}
