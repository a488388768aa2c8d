// One WebSocket to the daemon: requests with their answers, events, frames. After a loss it is not
// reused; the client opens a new connection.

import { chunks, decodeFrame, encodeFrame, type Frame } from './frames';
import {
  type ClientMessages,
  type ClientType,
  decodeMessage,
  encodeMessage,
  type RequestId,
  type ServerData,
  type ServerMessage,
} from './messages';

export const subprotocol = 'holdfast.v1';
const inputChunk = 64 * 1024;

/** The daemon refused a request. `code` is for programs, the message for people. */
export class RefusedError extends Error {
  override name = 'RefusedError';
  readonly code: string;
  readonly details: string | undefined;
  /** What was asked. */
  readonly asked: ClientType;

  constructor(data: ServerData<'error'>, asked: ClientType) {
    super(data.error);
    this.asked = asked;
    this.code = data.code;
    this.details = data.details;
  }
}

/** The connection ended before the answer arrived. */
export class LostError extends Error {
  override name = 'LostError';
}

/** The part of a WebSocket that a connection uses, so that tests can pass a fake. */
export interface Socket {
  binaryType: string;
  readonly readyState: number;
  send(data: string | Uint8Array<ArrayBuffer>): void;
  close(code?: number, reason?: string): void;
  onopen: ((event: never) => void) | null;
  onmessage: ((event: never) => void) | null;
  onclose: ((event: never) => void) | null;
}

export interface ConnectionEvents {
  message(message: ServerMessage): void;
  frame(frame: Frame): void;
  closed(code: number): void;
}

type Answer<T extends ClientType> = ClientMessages[T]['answer'] extends infer A
  ? A extends ServerMessage['type']
    ? ServerData<A>
    : undefined
  : never;

interface Pending {
  type: ClientType;
  resolve(data: unknown): void;
  reject(error: Error): void;
  progress?: ((text: string) => void) | undefined;
}

const open = 1;

export class Connection {
  /** How many messages and frames have arrived. */
  heard = 0;
  private readonly socket: Socket;
  private readonly events: ConnectionEvents;
  private readonly pending = new Map<RequestId, Pending>();
  private lastRequest = 0;
  private ended = false;

  constructor(socket: Socket, events: ConnectionEvents) {
    this.socket = socket;
    this.events = events;
    socket.binaryType = 'arraybuffer';
    socket.onmessage = ({ data }: { data: unknown }) => this.receive(data);
    socket.onclose = ({ code }: { code: number }) => this.end(code);
  }

  /**
   * Sends a request and resolves to its answer. Rejects with a RefusedError or a LostError.
   * `progress` gets text that arrives before the answer.
   */
  request<T extends ClientType>(
    type: T,
    data: ClientMessages[T]['data'],
    progress?: (text: string) => void,
  ): Promise<Answer<T>> {
    if (this.ended || this.socket.readyState !== open) return Promise.reject(new LostError('not connected'));
    const request = ++this.lastRequest;
    return new Promise((resolve, reject) => {
      this.pending.set(request, { type, resolve: resolve as (data: unknown) => void, reject, progress });
      this.socket.send(encodeMessage(type, data, request));
    });
  }

  /** Nobody waits for the answers to these any more. The daemon may answer all the same. */
  cancel(type: ClientType): void {
    for (const [request, each] of this.pending) if (each.type === type) this.tell('cancel', { request });
  }

  /** Sends a message that has no answer. */
  tell<T extends ClientType>(type: T, data: ClientMessages[T]['data']): void {
    if (this.isOpen()) this.socket.send(encodeMessage(type, data));
  }

  /** No bytes at all still tell that somebody is typing. */
  input(channel: number, bytes: Uint8Array): void {
    if (!this.isOpen()) return;
    for (const piece of bytes.length === 0 ? [bytes] : chunks(bytes, inputChunk))
      this.socket.send(encodeFrame('input', channel, 0, piece));
  }

  /** Each frame says how much of the paste is still to come. */
  paste(channel: number, bytes: Uint8Array): void {
    if (!this.isOpen()) return;
    let left = bytes.length;
    for (const piece of chunks(bytes, inputChunk)) {
      left -= piece.length;
      this.socket.send(encodeFrame('paste', channel, left, piece));
    }
  }

  ack(channel: number, offset: number): void {
    if (this.isOpen()) this.socket.send(encodeFrame('ack', channel, offset));
  }

  isOpen(): boolean {
    return !this.ended && this.socket.readyState === open;
  }

  /** Ends the connection now. A dead network would never complete the closing handshake. */
  drop(code = 1000): void {
    if (this.ended) return;
    this.socket.close(1000);
    this.end(code);
  }

  private receive(data: unknown): void {
    if (this.ended) return;
    ++this.heard;
    try {
      if (typeof data === 'string') this.receiveMessage(data);
      else if (data instanceof ArrayBuffer) {
        const frame = decodeFrame(data);
        if (frame) this.events.frame(frame);
      }
    } catch (error) {
      // Skip a malformed message; later ones can still be read.
      console.error('holdfast:', error);
    }
  }

  private receiveMessage(source: string): void {
    const message = decodeMessage(source);
    if (!message) return;
    // Handle events before answers: frames follow `attached` at once and need its channel.
    this.events.message(message);
    if (message.type === 'progress')
      return this.pending.get(message.data.request)?.progress?.(message.data.text);
    if (message.request === undefined) return;
    const pending = this.pending.get(message.request);
    this.pending.delete(message.request);
    if (message.type === 'error') pending?.reject(new RefusedError(message.data, pending.type));
    else pending?.resolve(message.data);
  }

  private end(code: number): void {
    if (this.ended) return;
    this.ended = true;
    this.socket.onopen = this.socket.onmessage = this.socket.onclose = null;
    for (const { reject } of this.pending.values()) reject(new LostError('the connection was lost'));
    this.pending.clear();
    this.events.closed(code);
  }
}
