// A fake daemon: terminals, channels, and sockets that a test can break.

import type { Socket } from '../protocol/connection';
import { decodeFrame, encodeFrame, type Frame } from '../protocol/frames';
import type { TerminalInfo } from '../protocol/messages';

interface Received {
  type: string;
  request?: number;
  data: Record<string, unknown>;
}

export function terminalInfo(terminalId: string, more: Partial<TerminalInfo> = {}): TerminalInfo {
  return {
    terminalId,
    session: 'main',
    order: 0,
    status: 'running',
    rows: 24,
    cols: 80,
    createdAt: '2026-11-15T04:12:07.123Z',
    lastActivityAt: '2026-11-15T04:12:07.123Z',
    command: ['/bin/bash'],
    viewers: 0,
    ...more,
  };
}

export class FakeSocket implements Socket {
  binaryType = 'blob';
  readyState = 0;
  onopen: ((event: never) => void) | null = null;
  onmessage: ((event: never) => void) | null = null;
  onclose: ((event: never) => void) | null = null;
  readonly frames: Frame[] = [];
  private readonly daemon: FakeDaemon;

  constructor(daemon: FakeDaemon) {
    this.daemon = daemon;
  }

  send(data: string | Uint8Array<ArrayBuffer>): void {
    if (typeof data === 'string') this.daemon.receive(this, JSON.parse(data));
    else {
      const frame = decodeFrame(data.buffer);
      if (frame) this.frames.push(frame);
    }
  }

  close(): void {
    this.readyState = 3;
  }

  /** The daemon or the network ends the connection. */
  end(code: number): void {
    this.readyState = 3;
    this.onclose?.({ code } as never);
  }

  open(): void {
    this.readyState = 1;
    this.say('welcome', {
      version: '0.1.0',
      protocol: 'holdfast.v1',
      user: 'ada',
      session: 'main',
      ...this.daemon.scope,
    });
  }

  say(type: string, data: object, request?: number): void {
    this.onmessage?.({ data: JSON.stringify({ type, request, data }) } as never);
  }

  bytes(kind: 'output' | 'snapshot', channel: number, offset: number, text: string): void {
    const frame = encodeFrame(kind, channel, offset, new TextEncoder().encode(text));
    this.onmessage?.({ data: frame.buffer } as never);
  }
}

export class FakeDaemon {
  readonly sockets: FakeSocket[] = [];
  readonly received: Received[] = [];
  terminals: TerminalInfo[] = [];
  /** What `welcome` says about the credential. */
  scope: object = {};
  /** Return an error code to refuse the request. */
  refuse: (message: Received) => string | undefined = () => undefined;
  /** Return an answer to override the default one. */
  special: (data: Received['data'], type: string) => { type: string; data: object } | undefined = () =>
    undefined;
  /** Message types that get no answer until `release`. */
  held = new Set<string>();
  /** What has been typed, under keys. */
  readonly typed: string[] = [];
  /** What is kept, by the session, a space, and the name. */
  readonly preferences = new Map<string, { value: unknown; revision: number }>();
  private readonly keys = new Set<unknown>();
  private waiting: (() => void)[] = [];
  private lastChannel = 0;

  readonly openSocket = (): FakeSocket => {
    const socket = new FakeSocket(this);
    this.sockets.push(socket);
    return socket;
  };

  get socket(): FakeSocket {
    const socket = this.sockets.at(-1);
    if (!socket) throw new Error('nobody has connected');
    return socket;
  }

  asked(type: string): Record<string, unknown>[] {
    return this.received.filter((each) => each.type === type).map((each) => each.data);
  }

  release(): void {
    this.held.clear();
    for (const answer of this.waiting.splice(0)) answer();
  }

  receive(socket: FakeSocket, message: Received): void {
    const whole = { ...message, data: message.data ?? {} };
    this.received.push(whole);
    // Answer asynchronously, as over a network.
    const answer = () => queueMicrotask(() => this.answer(socket, whole));
    if (this.held.has(message.type)) this.waiting.push(answer);
    else answer();
  }

  private answer(socket: FakeSocket, { type, request, data }: Received): void {
    if (socket.readyState !== 1) return;
    const code = this.refuse({ type, data });
    if (code !== undefined) return socket.say('error', { code, error: `refused: ${code}` }, request);
    const special = this.special(data, type);
    if (special) return socket.say(special.type, special.data, request);
    if (type === 'list') socket.say('terminals', { terminals: this.terminals }, request);
    if (type === 'create' || type === 'restore') {
      const former = this.terminals.find((each) => each.terminalId === data.terminalId);
      const terminal = terminalInfo(data.terminalId as string, {
        ...(type === 'restore' && former?.name !== undefined ? { name: former.name } : {}),
        order: this.terminals.length,
        createdAt: `made ${this.received.length}`,
        ...(data.name === undefined ? {} : { name: data.name as string }),
      });
      this.terminals = [...this.terminals.filter((each) => each.terminalId !== data.terminalId), terminal];
      socket.say('created', { terminal }, request);
    }
    if (type === 'attach') {
      const { rows = 24, cols = 80, window = 0, since, hidden } = data;
      const known = this.terminals.find((each) => each.terminalId === data.terminalId);
      const { status = 'running', exitCode } = known ?? {};
      const channel = ++this.lastChannel;
      const offset = since ?? 0;
      const fixed = { role: 'control', lossless: false, window, resumed: since !== undefined, hidden };
      const about = { terminalId: data.terminalId, channel, offset, rows, cols, status, exitCode };
      socket.say('attached', { ...about, ...fixed }, request);
    }
    if (type === 'preferences') this.answerPreferences(socket, data.session as string | undefined, request);
    if (type === 'preference_set') this.keep(socket, data, request);
    if (type === 'reorder') socket.say('reordered', data, request);
    if (type === 'rename') socket.say('renamed', data, request);
    if (type === 'close') socket.say('closed', { ...data, reason: 'user_requested' }, request);
    if (type === 'commands_of')
      socket.say('commands_of', { ...data, state: 'unknown', commands: [] }, request);
    if (type === 'command_output') socket.say('command_output', { ...data, text: '', missing: 0 }, request);
    if (type === 'search') socket.say('found', { matches: [], leftOut: 0, skipped: [] }, request);
    if (type === 'commands') socket.say('commands', { ...data, commands: [] }, request);
    if (type === 'session_switch') socket.say('session_switched', data, request);
    if (type === 'send') {
      // Typed once under each key.
      if (!this.keys.has(data.idempotencyKey)) this.typed.push((data.text ?? data.paste) as string);
      this.keys.add(data.idempotencyKey);
      socket.say('sent', { terminalId: data.terminalId, offset: 0 }, request);
    }
    if (type === 'ping') socket.say('pong', {}, request);
  }

  private answerPreferences(socket: FakeSocket, session: string | undefined, request?: number): void {
    const prefix = `${session ?? ''} `;
    const mine = [...this.preferences].filter(([key]) => key.startsWith(prefix));
    const values = Object.fromEntries(mine.map(([key, kept]) => [key.slice(prefix.length), kept]));
    socket.say('preferences', { session, values }, request);
  }

  /** As the daemon does: the others are told. */
  keep(asker: FakeSocket | undefined, data: Received['data'], request?: number): void {
    const { session, name, value = null } = data;
    const key = `${session ?? ''} ${name}`;
    const revision = this.preferences.get(key)?.revision ?? 0;
    if (data.revision !== undefined && data.revision !== revision)
      return asker?.say('error', { code: 'mismatch', error: 'changed meanwhile' }, request);
    const kept = { value, revision: revision + 1 };
    if (value === null) this.preferences.delete(key);
    else this.preferences.set(key, kept);
    for (const socket of this.sockets)
      if (socket.readyState === 1)
        socket.say('preference_set', { session, name, ...kept }, socket === asker ? request : undefined);
  }
}
