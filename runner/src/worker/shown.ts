// What an extension shows: notifications, status items and questions. Bounded here, because
// everything that is shown passes through what all sessions share.
//
// Invariants
// 1. Notifications beyond the rate are left out and counted. The user is told how many.
// 2. Of a status item the newest text arrives, also if its generation ends meanwhile.

import { stripVTControlCharacters } from 'node:util';
import { Allowance } from './allowance.ts';

const notesAtOnce = 100;
const notesPerSecond = 10;
const betweenTellings = 2000;
const longestNote = 16_384;
const mostItems = 100;
const itemsAtOnce = 20;
const itemsPerSecond = 10;
const mostQuestions = 50;

/** Sends to the daemon. */
type Send = (method: string, params: object) => void;

export class Shown {
  readonly #send: Send;
  readonly #extension: string;
  readonly #notes = new Allowance(notesAtOnce, notesPerSecond);
  readonly #changes = new Allowance(itemsAtOnce, itemsPerSecond);
  /** The keys of all items. */
  readonly #items = new Set<string>();
  /** What has not been sent. */
  readonly #unsent = new Map<string, string | undefined>();
  #timer: NodeJS.Timeout | undefined;
  #leftOut = 0;
  #questions = 0;

  constructor(extension: string, send: Send) {
    this.#extension = extension;
    this.#send = send;
  }

  notify(params: { text: string; level: string }) {
    if (this.#notes.take()) {
      this.#send('ui.notify', { ...params, text: short(params.text) });
      return;
    }
    this.#leftOut += 1;
    if (this.#leftOut === 1) setTimeout(() => this.#tellLeftOut(), betweenTellings);
  }

  #tellLeftOut() {
    const text = `${this.#extension}: ${this.#leftOut} notifications were left out (more than ${notesPerSecond} a second)`;
    this.#leftOut = 0;
    this.#send('ui.notify', { text, level: 'warning' });
  }

  setStatus(key: string, text: string | undefined) {
    if (text !== undefined && !this.#items.has(key) && this.#items.size >= mostItems)
      throw new Error(`an extension can show at most ${mostItems} status items`);
    if (text === undefined && !this.#items.delete(key)) return;
    if (text !== undefined) this.#items.add(key);
    this.#unsent.set(key, text === undefined ? undefined : short(text));
    if (this.#changes.take()) this.flush();
    else this.#timer ??= setTimeout(() => this.flush(), 1000 / itemsPerSecond);
  }

  /** Sends what waits. */
  flush() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (const [key, text] of this.#unsent) this.#send('ui.status', { key, text: text ?? null });
    this.#unsent.clear();
  }

  async ask<T>(question: () => Promise<T>): Promise<T> {
    if (this.#questions >= mostQuestions)
      throw new Error(`an extension can ask at most ${mostQuestions} questions at once`);
    this.#questions += 1;
    try {
      return await question();
    } finally {
      this.#questions -= 1;
    }
  }
}

/** What a page shows is text: colours, which are meant for terminals, leave no trace in it. */
function short(styled: string): string {
  const text = stripVTControlCharacters(styled.slice(0, 2 * longestNote));
  return text.length > longestNote ? `${text.slice(0, longestNote)}…` : text;
}
