// Draws components of an extension in terminals of its session.

import type { Extension } from '../extension.ts';
import { enter, type Generation } from '../generation.ts';
import type { Host } from '../host.ts';
import type * as Custom from './custom.ts';
import type { CustomOptions, Make, Place } from './custom.ts';

export class Drawing {
  readonly #extension: Extension;
  readonly #generation: Generation;
  readonly #host: Host;
  /** Aborted when the call is cancelled. */
  readonly #signal: AbortSignal;

  constructor(extension: Extension, generation: Generation, host: Host, signal: AbortSignal) {
    this.#extension = extension;
    this.#generation = generation;
    this.#host = host;
    this.#signal = signal;
  }

  async custom(make: Make, options: CustomOptions = {}): Promise<unknown> {
    this.#generation.check();
    const { show } = await this.#code();
    return this.#draw((place, signal) => show(make, options, place, signal));
  }

  async editor(title: string, prefill?: string): Promise<string | undefined> {
    this.#generation.check();
    const { show, editorOf } = await this.#code();
    const make = editorOf(String(title), prefill);
    return (await this.#draw((place, signal) => show(make, {}, place, signal))) as string | undefined;
  }

  /** Loaded with the first component: it costs a session megabytes. */
  async #code(): Promise<typeof Custom> {
    const file = new URL('./pi-custom.mjs', import.meta.url).href;
    return import(/* @vite-ignore */ file);
  }

  async #draw(show: (place: Place, signal: AbortSignal) => Promise<unknown>): Promise<unknown> {
    const ended = new AbortController();
    const release = this.#generation.onEnd(() => ended.abort());
    const place = {
      title: this.#extension.name,
      open: (command: string[]) => this.#open(command),
      enter: <T>(work: () => T) => enter(this.#generation, work),
    };
    try {
      return await show(place, AbortSignal.any([this.#signal, ended.signal]));
    } finally {
      release();
    }
  }

  async #open(command: string[]): Promise<() => void> {
    const made = await this.#extension.call('terminal.create', { command }, this.#generation);
    const { terminalId } = made as { terminalId: string };
    const close = { ...this.#extension.identity(this.#generation.number), terminalId };
    // Also if the generation has just ended. The session may have been closed, and the terminal with it.
    return () => void this.#host.call('terminal.close', close).catch(() => {});
  }
}
