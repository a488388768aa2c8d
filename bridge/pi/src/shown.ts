// What the session's extensions show and ask, in pi. Questions are also asked on the session's pages;
// the first answer counts.

import type { ExtensionContext } from '@earendil-works/pi-coding-agent';
import type { Connection, Data, Message } from './connection.ts';

interface Question {
  id: string;
  kind: 'confirm' | 'select' | 'input';
  title: string;
  message?: string;
  options?: string[];
  placeholder?: string;
  timeoutMs?: number;
}

export class Shown {
  readonly #ctx: ExtensionContext;
  readonly #connection: Connection;
  readonly #open = new Map<string, AbortController>();

  constructor(ctx: ExtensionContext, connection: Connection) {
    this.#ctx = ctx;
    this.#connection = connection;
  }

  heard({ type, data }: Message) {
    const { ui } = this.#ctx;
    if (type === 'notify') ui.notify(String(data.text), levelOf(data.level));
    if (type === 'status') ui.setStatus(String(data.key), (data.text ?? undefined) as string | undefined);
    if (type === 'ui_closed') this.#open.get(String(data.id))?.abort();
    if (type === 'ui_request' && this.#ctx.hasUI) void this.#ask(data as unknown as Question);
  }

  async #ask(question: Question) {
    const closed = new AbortController();
    this.#open.set(question.id, closed);
    try {
      const value = await this.#answer(question, { signal: closed.signal, timeout: question.timeoutMs });
      if (!closed.signal.aborted) this.#connection.tell('ui_answer', { id: question.id, value: value ?? null });
    } finally {
      this.#open.delete(question.id);
    }
  }

  #answer({ kind, title, message = '', options = [], placeholder }: Question, how: Data) {
    const { ui } = this.#ctx;
    if (kind === 'confirm') return ui.confirm(title, message, how);
    if (kind === 'select') return ui.select(title, options, how);
    return ui.input(title, placeholder, how);
  }
}

function levelOf(level: unknown): 'info' | 'warning' | 'error' {
  return level === 'warning' || level === 'error' ? level : 'info';
}
