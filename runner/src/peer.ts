// One side of a JSON-RPC 2.0 connection, over the daemon's socket or a worker's port.

import { errorCode } from './protocol.ts';

export type Params = Record<string, unknown>;

export interface Message {
  jsonrpc: '2.0';
  id?: number | string | null;
  method?: string;
  params?: Params;
  result?: unknown;
  error?: { code: number; message: string; data?: unknown };
}

export class RpcError extends Error {
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.name = 'RpcError';
    this.code = code;
    this.data = data;
  }
}

/** A call without an answer yet. */
export interface Pending {
  message: Message & { method: string };
  sent: boolean;
  resolve(result: unknown): void;
  reject(error: Error): void;
}

/** Sends a message. Returns false if it could not. */
export type Send = (message: Message) => boolean;

export class Peer {
  readonly pending = new Map<number, Pending>();
  readonly #send: Send;
  readonly #handle: (method: string, params: Params) => unknown;
  readonly #undelivered: (method: string, params: Params, result: unknown) => void;
  #lastId = 0;
  #ended: Error | undefined;

  constructor(
    send: Send,
    handle: (method: string, params: Params) => unknown,
    undelivered: (method: string, params: Params, result: unknown) => void = () => {},
  ) {
    this.#send = send;
    this.#handle = handle;
    this.#undelivered = undelivered;
  }

  call(method: string, params: object): Promise<unknown> {
    this.#lastId += 1;
    const id = this.#lastId;
    const message = { jsonrpc: '2.0' as const, id, method, params: params as Params };
    if (this.#ended) return Promise.reject(this.#ended);
    return new Promise((resolve, reject) => {
      const pending: Pending = { message, sent: false, resolve, reject };
      this.pending.set(id, pending);
      try {
        pending.sent = this.#send(message);
      } catch (error) {
        this.pending.delete(id);
        reject(error);
      }
    });
  }

  notify(method: string, params: object): boolean {
    return this.#send({ jsonrpc: '2.0', method, params: params as Params });
  }

  /** Handles an incoming message. `reply` answers its sender. */
  receive(message: Message, reply: Send = this.#send) {
    if (message.method !== undefined) void this.#answer(message, message.method, reply);
    else this.#settle(message);
  }

  get ended(): boolean {
    return this.#ended !== undefined;
  }

  /** The other side is gone: rejects all pending calls. */
  end(error: Error) {
    this.#ended = error;
    const lost = [...this.pending.values()];
    this.pending.clear();
    for (const pending of lost) pending.reject(error);
  }

  #settle({ id, result, error }: Message) {
    const pending = typeof id === 'number' ? this.pending.get(id) : undefined;
    if (!pending) return;
    this.pending.delete(id as number);
    if (error) pending.reject(new RpcError(error.code, error.message, error.data));
    else pending.resolve(result);
  }

  async #answer({ id, params = {} }: Message, method: string, reply: Send) {
    // Let callers see the answers that came before this message first.
    await undefined;
    try {
      const result = (await this.#handle(method, params)) ?? null;
      if (id === undefined || id === null) return;
      if (!reply({ jsonrpc: '2.0', id, result })) this.#undelivered(method, params, result);
    } catch (error) {
      if (id !== undefined && id !== null) reply({ jsonrpc: '2.0', id, error: asRpcError(error) });
    }
  }
}

function asRpcError(error: unknown): NonNullable<Message['error']> {
  if (error instanceof RpcError) {
    const data = error.data === undefined ? {} : { data: error.data };
    return { code: error.code, message: error.message, ...data };
  }
  const message = error instanceof Error ? error.message || error.name : String(error);
  const code = error instanceof Error && error.name === 'StaleError' ? errorCode.stale : errorCode.failed;
  return { code, message };
}
