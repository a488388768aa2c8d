// The connection to the daemon: a client of the native protocol (docs/protocol.md) that comes back by
// itself.
//
// Invariants
// 1. `ask` waits until pi is the session's agent, also while the daemon is replaced. Nothing is sent
//    before.
// 2. A request that was sent and not answered when the connection was lost fails with `Lost`.

import WebSocket from 'ws';

export type Data = Record<string, unknown>;

export interface Message {
  type: string;
  data: Data;
}

/** Whether the daemon has done it is not known. */
export class Lost extends Error {}

interface Waiting {
  resolve(data: Data): void;
  reject(error: Error): void;
}

interface Options {
  /** The daemon's socket. */
  path: string;
  /** Attaches, on each new connection. */
  attach(): { type: string; data: Data }[];
  heard(message: Message): void;
}

const shortestPause = 50;
const longestPause = 2000;

export class Connection {
  readonly #options: Options;
  readonly #waiting = new Map<number, Waiting>();
  readonly #forReady = new Set<() => void>();
  #socket: WebSocket | undefined;
  #isReady = false;
  #last = 0;
  #pause = shortestPause;
  /** Why it will not come back. */
  #ended: string | undefined;

  constructor(options: Options) {
    this.#options = options;
    this.#connect();
  }

  /** From now on every request fails with this reason. */
  end(why: string) {
    this.#ended ??= why;
    this.#socket?.close();
    for (const go of [...this.#forReady]) go();
  }

  async ask(type: string, data: Data, signal?: AbortSignal): Promise<Data> {
    await this.#ready(signal);
    return this.begin(type, data, signal);
  }

  /** Sends it at once; `onRequest` gets its number, by which its progress is known. */
  async begin(type: string, data: Data, signal?: AbortSignal, onRequest?: (request: number) => void) {
    this.#last += 1;
    const request = this.#last;
    onRequest?.(request);
    const cancel = () => this.tell('cancel', { request });
    signal?.addEventListener('abort', cancel, { once: true });
    try {
      return await new Promise<Data>((resolve, reject) => {
        this.#waiting.set(request, { resolve, reject });
        this.tell(type, data, request);
      });
    } finally {
      signal?.removeEventListener('abort', cancel);
    }
  }

  tell(type: string, data: Data, request?: number) {
    if (this.#socket?.readyState === WebSocket.OPEN) {
      this.#socket.send(JSON.stringify({ type, request, data }));
    } else if (request !== undefined) {
      this.#waiting.get(request)?.reject(new Lost('Holdfast is not connected'));
      this.#waiting.delete(request);
    }
  }

  async #ready(signal?: AbortSignal): Promise<void> {
    for (;;) {
      if (this.#ended !== undefined) throw new Error(this.#ended);
      if (signal?.aborted) throw new Error('it was cancelled');
      if (this.#isReady) return;
      await new Promise<void>((resolve) => {
        const go = () => {
          this.#forReady.delete(go);
          signal?.removeEventListener('abort', go);
          resolve();
        };
        this.#forReady.add(go);
        signal?.addEventListener('abort', go, { once: true });
      });
    }
  }

  #connect() {
    const socket = new WebSocket(`ws+unix:${this.#options.path}:/ws`, 'holdfast.v1');
    this.#socket = socket;
    socket.on('open', () => void this.#attach(socket));
    socket.on('message', (bytes, isBinary) => {
      if (!isBinary) this.#received(JSON.parse(String(bytes)));
    });
    socket.on('error', () => {}); // 'close' follows.
    socket.on('close', () => this.#closed());
  }

  async #attach(socket: WebSocket) {
    try {
      for (const { type, data } of this.#options.attach()) {
        this.#options.heard({ type: `${type}:answer`, data: await this.begin(type, data) });
      }
    } catch (error) {
      if (!(error instanceof Lost)) this.end((error as Error).message);
      return;
    }
    if (this.#socket !== socket) return;
    this.#isReady = true;
    this.#pause = shortestPause;
    for (const go of [...this.#forReady]) go();
  }

  #closed() {
    this.#isReady = false;
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { reject } of waiting) reject(new Lost('the connection to Holdfast was lost'));
    if (this.#ended !== undefined) return;
    setTimeout(() => this.#connect(), this.#pause);
    this.#pause = Math.min(2 * this.#pause, longestPause);
  }

  #received({ type, request, data = {} }: { type: string; request?: number; data?: Data }) {
    const waiting = request === undefined ? undefined : this.#waiting.get(request);
    if (!waiting) return this.#options.heard({ type, data });
    this.#waiting.delete(request as number);
    if (type === 'error') waiting.reject(new Error(String(data.error)));
    else waiting.resolve(data);
  }
}
