// Plays the daemon: a real socket that a real runner connects to. Keeps everything it was told, in order.

import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('../dist/runner.mjs', import.meta.url));

// biome-ignore lint/suspicious/noExplicitAny: a test looks into messages of every shape.
export type Any = any;

export interface Told {
  method: string;
  params: Any;
}

export interface Refusal extends Error {
  code: number;
  data?: { advice?: string };
}

type Answer = (params: Any) => unknown;

export class Daemon {
  readonly folder = mkdtempSync(join(tmpdir(), 'holdfast-runner-'));
  readonly told: Told[] = [];
  readonly answers: Record<string, Answer> = { hello: () => ({ settings: this.settings }) };
  readonly state = new Map<string, unknown>();
  settings: Record<string, number> = {};
  runner: ChildProcess | undefined;
  #server: Server | undefined;
  #socket: Socket | undefined;
  #lastId = 0;
  #waiting = new Map<number, (message: Any) => void>();
  #watchers = new Set<() => void>();
  readonly #generations = new Map<string, number>();

  get socketPath(): string {
    return join(this.folder, 'runner.sock');
  }

  startRunner(...more: string[]) {
    const args = [program, '--socket', this.socketPath, ...more];
    const env = { ...process.env, XDG_CACHE_HOME: join(this.folder, 'cache') };
    this.runner = spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit'], cwd: '/', env });
  }

  listen(): Promise<void> {
    this.#server = createServer((socket) => this.#accept(socket));
    return new Promise((resolve) => this.#server?.listen(this.socketPath, resolve));
  }

  /** As if the daemon had died: nobody listens, nothing is answered. */
  die() {
    this.#socket?.destroy();
    this.#socket = undefined;
    this.#waiting.clear();
    this.#server?.close();
    rmSync(this.socketPath, { force: true });
  }

  end() {
    this.runner?.kill('SIGKILL');
    this.die();
    rmSync(this.folder, { recursive: true, force: true });
  }

  call(method: string, params: object): Promise<Any> {
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, ({ result, error }) => {
        if (error) reject(Object.assign(new Error(error.message), { code: error.code, data: error.data }));
        else resolve(result);
      });
      this.#send({ jsonrpc: '2.0', id, method, params });
    });
  }

  notify(method: string, params: object) {
    this.#send({ jsonrpc: '2.0', method, params });
  }

  /** Waits until the runner has told this, and returns it. */
  wait(method: string, fits: (params: Any) => boolean = () => true, limit = 8000): Promise<Any> {
    const find = () => this.told.find((each) => each.method === method && fits(each.params))?.params;
    return this.until(find, `${method} was not told`, limit);
  }

  /** Waits until there is something; looks again after every message. */
  until<T>(find: () => T | undefined | false, complaint: string, limit = 8000): Promise<T> {
    return new Promise((resolve, reject) => {
      const failed = new Error(`${complaint} within ${limit} ms`);
      const look = () => {
        const found = find();
        if (found === undefined || found === false) return;
        finish();
        resolve(found);
      };
      const timer = setTimeout(() => {
        finish();
        const all = this.told.map(({ method, params }) => `${method} ${JSON.stringify(params)}`);
        failed.message += `; told:\n${all.join('\n').slice(-3000)}`;
        reject(failed);
      }, limit);
      const poll = setInterval(look, 20);
      const finish = () => {
        clearTimeout(timer);
        clearInterval(poll);
        this.#watchers.delete(look);
      };
      this.#watchers.add(look);
      look();
    });
  }

  all(method: string, fits: (params: Any) => boolean = () => true): Any[] {
    return this.told
      .filter((each) => each.method === method && fits(each.params))
      .map(({ params }) => params);
  }

  /** The texts that a session was notified of. */
  notes(session?: string): string[] {
    return this.all('ui.notify', (params) => session === undefined || params.session === session).map(
      ({ text }) => text,
    );
  }

  /** Writes a file of an extension and returns its path. */
  write(name: string, code: string): string {
    const path = join(this.folder, 'extensions', name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, code);
    return path;
  }

  /** Extensions as the daemon would ask for them, each with its next generation. */
  wanted(session: string, names: string[]) {
    return names.map((file) => {
      const name = file.replace(/(\/index)?\.\w+$/, '');
      const key = `${session} ${name}`;
      const generation = (this.#generations.get(key) ?? 0) + 1;
      this.#generations.set(key, generation);
      return { name, path: join(this.folder, 'extensions', file), generation };
    });
  }

  async open(id: string, names: string[], { reason = 'startup', cwd = this.folder } = {}): Promise<Any> {
    const session = { id, name: id, kind: 'interactive', userId: 'u1', cwd };
    const { extensions } = await this.call('session.open', {
      session,
      extensions: this.wanted(id, names),
      reason,
    });
    return extensions;
  }

  async reload(session: string, names: string[]): Promise<Any> {
    const { extensions } = await this.call('session.reload', {
      session,
      extensions: this.wanted(session, names),
    });
    return extensions;
  }

  generation(session: string, name: string): number {
    return this.#generations.get(`${session} ${name}`) ?? 0;
  }

  async command(
    session: string,
    extension: string,
    name: string,
    args = '',
    more: object = {},
  ): Promise<Any> {
    const generation = this.generation(session, extension);
    const { text } = await this.call('command', {
      session,
      extension,
      generation,
      name,
      args,
      call: 'c',
      ...more,
    });
    return text;
  }

  tool(session: string, extension: string, name: string, input: object, call = 'c'): Promise<Any> {
    const generation = this.generation(session, extension);
    return this.call('tool', { session, extension, generation, name, arguments: input, call });
  }

  event(session: string, name: string, data: object): Promise<Any> {
    return this.call('event', { session, name, data });
  }

  #accept(socket: Socket) {
    this.#socket = socket;
    let rest = '';
    socket.on('error', () => {});
    socket.setEncoding('utf8').on('data', (text: string) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) this.#receive(JSON.parse(line), socket);
      for (const look of [...this.#watchers]) look();
    });
  }

  async #receive(message: Any, socket: Socket) {
    const { id, method, params } = message;
    if (method === undefined) {
      this.#waiting.get(id)?.(message);
      this.#waiting.delete(id);
      return;
    }
    this.told.push({ method, params });
    if (id === undefined) return;
    try {
      const result = (await (this.answers[method] ?? (() => this.#usual(method, params)))(params)) ?? null;
      if (!socket.destroyed) socket.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`);
    } catch (error) {
      const { code = -32000, message: text } = error as Refusal;
      socket.write(`${JSON.stringify({ jsonrpc: '2.0', id, error: { code, message: text } })}\n`);
    }
  }

  #usual(method: string, { session, extension, key, value }: Any): unknown {
    const id = `${session} ${extension} `;
    if (method === 'state.set') this.state.set(id + key, value);
    if (method === 'state.get') return this.state.get(id + key);
    if (method === 'state.delete') this.state.delete(id + key);
    if (method !== 'state.keys') return null;
    return [...this.state.keys()].filter((each) => each.startsWith(id)).map((each) => each.slice(id.length));
  }

  #send(message: object) {
    this.#socket?.write(`${JSON.stringify(message)}\n`);
  }
}
