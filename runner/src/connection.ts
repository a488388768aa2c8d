// The connection to the daemon. It reconnects by itself, and then sends what was asked meanwhile.

import { lstatSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { StringDecoder } from 'node:string_decoder';
import { type Message, type Params, Peer, type Pending, RpcError } from './peer.ts';
import { errorCode } from './protocol.ts';

const longestLine = 8 * 1024 * 1024;
const shortestPause = 20;
const longestPause = 2000;
const keptLogs = 1000;

// Calls that must not run twice. All others are repeated after a reconnect if the last daemon did
// not answer them.
const askedOnce = new Set(['terminal.create', 'terminal.write', 'process.start', 'agent.call']);

export interface ConnectionOptions {
  path: string;
  /** The runner's first message on every connection. */
  hello(): object;
  /** Gets the daemon's answer to `hello`. */
  welcome(answer: unknown): void;
  handle(method: string, params: Params): unknown;
  /** Gets a result whose caller is gone. */
  undelivered(method: string, params: Params, result: unknown): void;
}

export class Connection {
  readonly peer: Peer;
  readonly #options: ConnectionOptions;
  #socket: Socket | undefined;
  #pause = shortestPause;
  #logs: Message[] = [];

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.peer = new Peer((message) => this.#send(message), options.handle, options.undelivered);
  }

  connect() {
    if (!this.#isOurs()) {
      this.#again();
      return;
    }
    const socket = connect(this.#options.path);
    socket.on('connect', () => this.#connected(socket));
    socket.on('error', () => {}); // 'close' follows.
    socket.on('close', () => this.#closed(socket));
  }

  /** The daemon controls the runner, so its socket must belong to the same user. */
  #isOurs() {
    try {
      return lstatSync(this.#options.path).uid === process.getuid?.();
    } catch {
      return false;
    }
  }

  #again() {
    setTimeout(() => this.connect(), this.#pause);
    this.#pause = Math.min(this.#pause * 2, longestPause);
  }

  #connected(socket: Socket) {
    this.#socket = socket;
    this.#read(socket);
    const waiting = [...this.peer.pending.values()];
    this.peer.call('hello', this.#options.hello()).then(
      (answer) => {
        this.#pause = shortestPause;
        this.#options.welcome(answer);
      },
      () => socket.destroy(),
    );
    for (const message of this.#logs.splice(0)) this.#write(socket, message);
    for (const pending of waiting) this.#sendAgain(socket, pending);
  }

  #sendAgain(socket: Socket, pending: Pending) {
    try {
      pending.sent = this.#write(socket, pending.message);
    } catch (error) {
      this.peer.pending.delete(pending.message.id as number);
      pending.reject(error as Error);
    }
  }

  #closed(socket: Socket) {
    if (this.#socket === socket) {
      this.#socket = undefined;
      this.#forget();
    }
    this.#again();
  }

  #forget() {
    for (const [id, { message, sent, reject }] of this.peer.pending) {
      if (message.method !== 'hello' && !(sent && askedOnce.has(message.method))) continue;
      this.peer.pending.delete(id);
      const text = `the daemon was replaced during ${message.method}; the call may or may not have completed`;
      reject(new RpcError(errorCode.failed, text));
    }
  }

  #read(socket: Socket) {
    const decoder = new StringDecoder('utf8');
    const reply = (message: Message) => this.#socket === socket && this.#write(socket, message);
    let rest = '';
    socket.on('data', (chunk) => {
      rest += decoder.write(chunk);
      const lines = chunk.includes('\n') ? rest.split('\n') : [rest];
      rest = lines.pop() ?? '';
      if (rest.length > longestLine) socket.destroy();
      for (const line of lines) {
        const message = parse(line);
        if (message) this.peer.receive(message, reply);
        else socket.destroy();
      }
    });
  }

  #send(message: Message): boolean {
    if (this.#socket) return this.#write(this.#socket, message);
    if (message.method === 'log') this.#logs = [...this.#logs.slice(1 - keptLogs), message];
    return false;
  }

  #write(socket: Socket, message: Message): boolean {
    const line = JSON.stringify(message);
    if (Buffer.byteLength(line) < longestLine) {
      socket.write(`${line}\n`);
    } else if (message.method === undefined) {
      const error = { code: errorCode.limit, message: 'the result is longer than 8 MiB' };
      socket.write(`${JSON.stringify({ jsonrpc: '2.0', id: message.id, error })}\n`);
    } else {
      throw new RpcError(errorCode.limit, `${message.method} is longer than 8 MiB`);
    }
    return true;
  }
}

function parse(line: string): Message | undefined {
  try {
    const message = JSON.parse(line);
    return typeof message === 'object' && message !== null ? message : undefined;
  } catch {
    return undefined;
  }
}
