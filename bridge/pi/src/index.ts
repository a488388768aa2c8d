// Makes pi the agent of the Holdfast session in whose terminal it runs: the session's extensions get
// pi's events, and pi gets their decisions, tools, commands, questions and messages.

import { join } from 'node:path';
import type { ExtensionAPI, ExtensionContext } from '@earendil-works/pi-coding-agent';
import { callsOf, stateOf } from './calls.ts';
import { Connection, type Data, Lost, type Message } from './connection.ts';
import { asRefusal, asResult, changesState, type Event, events } from './events.ts';
import { Shown } from './shown.ts';

/** What the daemon takes in one message. */
const largestMessage = 1_000_000;

interface Offer {
  tools: { name: string; description?: string; parameters?: object }[];
  events: string[];
}

export default function bridge(pi: ExtensionAPI) {
  const { HOLDFAST_RUNTIME_DIR: dir, HOLDFAST_SESSION: session } = process.env;
  if (!dir || !session) throw new Error('This is no terminal of Holdfast. Start pi in one: holdfast new -- pi …');
  new Bridge(pi, join(dir, 'daemon.sock'), session).begin();
}

class Bridge {
  readonly #pi: ExtensionAPI;
  readonly #path: string;
  #session: string;
  readonly #calls: ReturnType<typeof callsOf>;
  readonly #tools = new Set<string>();
  readonly #commands = new Set<string>();
  readonly #progress = new Map<number, (text: string) => void>();
  readonly #told = new Set<string>();
  #shown: Shown | undefined;
  #wanted = new Set<string>();
  #ctx: ExtensionContext | undefined;
  #connection: Connection | undefined;
  #lastState = '';
  #settled: (() => void)[] = [];

  constructor(pi: ExtensionAPI, path: string, session: string) {
    this.#pi = pi;
    this.#path = path;
    this.#session = session;
    this.#calls = callsOf(pi, () => this.#context, (resolve) => this.#settled.push(resolve));
  }

  get #context(): ExtensionContext {
    if (!this.#ctx) throw new Error('pi has not started');
    return this.#ctx;
  }

  begin() {
    const { on } = this.#pi as unknown as {
      on(name: string, handler: (event: Event, ctx: ExtensionContext) => unknown): void;
    };
    on('session_start', async (_event, ctx) => this.#start(ctx));
    on('session_shutdown', () => this.#connection?.end('pi has ended'));
    on('user_bash', () => ({ operations: { exec: (...args: Parameters<Bridge['shell']>) => this.shell(...args) } }));
    on('agent_settled', () => {
      for (const resolve of this.#settled.splice(0)) resolve();
    });
    for (const name of events) on(name, (event, ctx) => this.#forward(event, ctx));
  }

  async #start(ctx: ExtensionContext) {
    this.#ctx = ctx;
    this.#connection?.end('pi has started again');
    const connection = new Connection({
      path: this.#path,
      attach: () => {
        this.#lastState = '';
        const name = 'pi';
        const calls = Object.keys(this.#calls);
        const state = stateOf(this.#pi, this.#context);
        return [
          { type: 'agent_attach', data: { session: this.#session, name, calls, state, takeover: true } },
          { type: 'commands', data: { session: this.#session } },
        ];
      },
      heard: (message) => this.#heard(message),
    });
    this.#connection = connection;
    this.#shown = new Shown(ctx, connection);
    // The first turn has all tools.
    await connection.ask('ping', {});
  }

  async #forward(event: Event, ctx: ExtensionContext): Promise<unknown> {
    const { type } = event;
    const connection = this.#connection;
    if (!connection) return undefined;
    const isWanted = type === 'tool_call' || this.#wanted.has(type);
    if (isWanted || changesState.has(type)) this.#tellState(connection, ctx);
    if (!isWanted) return undefined;
    const { type: _, ...data } = { ...event };
    const message = { session: this.#session, name: type, event: JSON.parse(JSON.stringify(data)) };
    if (JSON.stringify(message).length > largestMessage) {
      return this.#refuse(event, 'it is larger than Holdfast takes (1 MiB)');
    }
    for (;;) {
      try {
        const { decision } = await connection.ask('agent_event', message, ctx.signal);
        return asResult(event, decision as Data | null);
      } catch (error) {
        // The next daemon decides.
        if (!(error instanceof Lost)) return this.#refuse(event, (error as Error).message);
      }
    }
  }

  /** Tells what cannot be refused. */
  #refuse(event: Event, reason: string): unknown {
    const refusal = asRefusal(event, reason);
    if ((refusal === undefined || event.type === 'input') && !this.#told.has(event.type + reason)) {
      this.#told.add(event.type + reason);
      this.#context.ui.notify(`Holdfast, ${event.type}: ${reason}`, 'warning');
    }
    return refusal;
  }

  #tellState(connection: Connection, ctx: ExtensionContext) {
    this.#ctx = ctx;
    const state = stateOf(this.#pi, this.#context);
    const text = JSON.stringify(state);
    if (text === this.#lastState) return;
    this.#lastState = text;
    connection.tell('agent_state', { session: this.#session, state });
  }

  /** A `!` command: Holdfast's extensions decide where it runs. */
  async shell(
    command: string,
    _cwd: string,
    { onData, signal }: { onData: (data: Buffer) => void; signal?: AbortSignal },
  ): Promise<{ exitCode: number | null }> {
    let seen = '';
    const { text = '', error, exitCode } = await this.#run(`! ${command}`, signal, (more) => {
      seen += more;
      onData(Buffer.from(more));
    });
    if (error !== undefined) throw new Error(error);
    if (seen === '' && text !== '') onData(Buffer.from(text));
    return { exitCode: exitCode ?? 0 };
  }

  async #run(line: string, signal?: AbortSignal, progress: (text: string) => void = () => {}) {
    const { request, answer } = await this.#ask('run', { session: this.#session, line }, signal, progress);
    try {
      return (await answer) as { text?: string; error?: string; exitCode?: number };
    } finally {
      this.#progress.delete(request);
    }
  }

  async #ask(type: string, data: Data, signal: AbortSignal | undefined, progress: (text: string) => void) {
    const connection = this.#connection;
    if (!connection) throw new Error('Holdfast is not connected');
    await connection.ask('ping', {}, signal);
    let request = 0;
    const answer = connection.begin(type, data, signal, (number) => {
      request = number;
      this.#progress.set(number, progress);
    });
    return { request, answer };
  }

  #heard({ type, data }: Message) {
    if (type === 'agent_attach:answer' || type === 'agent_offer') this.#offered(data as unknown as Offer);
    if (type === 'commands:answer' || type === 'commands') this.#addCommands(data);
    if (type === 'progress') this.#progress.get(Number(data.request))?.(String(data.text));
    if (type === 'agent_call') void this.#called(data);
    if (type === 'session_renamed' && data.name === this.#session) this.#session = String(data.newName);
    if (type === 'agent_detached') this.#connection?.end(`Holdfast has let pi go: ${data.reason}`);
    this.#shown?.heard({ type, data });
  }

  #offered({ tools, events: wanted }: Offer) {
    this.#wanted = new Set(wanted);
    const names = new Set(tools.map(({ name }) => name));
    for (const tool of tools) this.#addTool(tool);
    const gone = [...this.#tools].filter((name) => !names.has(name));
    if (gone.length === 0) return;
    this.#pi.setActiveTools(this.#pi.getActiveTools().filter((name) => !gone.includes(name)));
  }

  #addTool({ name, description = '', parameters }: Offer['tools'][number]) {
    this.#tools.add(name);
    this.#pi.registerTool({
      name,
      label: name,
      description,
      parameters: (parameters ?? { type: 'object', properties: {} }) as never,
      execute: async (_id, args, signal, onUpdate) => {
        const data = { session: this.#session, name, arguments: args };
        const { request, answer } = await this.#ask('tool', data, signal, (text) =>
          onUpdate?.({ content: [{ type: 'text', text }], details: undefined }),
        );
        try {
          const { content, details } = await answer;
          return { content: content as { type: 'text'; text: string }[], details };
        } finally {
          this.#progress.delete(request);
        }
      },
    });
  }

  #addCommands({ commands }: Data) {
    for (const { name, extension, description } of commands as Record<string, string>[]) {
      if (!name || extension === 'holdfast' || this.#commands.has(name)) continue;
      this.#commands.add(name);
      this.#pi.registerCommand(name, {
        description: description ?? `of ${extension}`,
        handler: async (args, ctx) => {
          const { text, error } = await this.#run(`/${name} ${args}`);
          if (error ?? text) ctx.ui.notify(error ?? text ?? '', error ? 'error' : 'info');
        },
      });
    }
  }

  async #called({ id, name, params }: Data) {
    const about = { session: this.#session, id };
    try {
      const call = this.#calls[String(name)];
      if (!call) throw new Error(`pi does not offer ${name}`);
      const result = await call(params as Data);
      this.#connection?.tell('agent_result', { ...about, result: result ?? null });
    } catch (error) {
      this.#connection?.tell('agent_result', { ...about, error: (error as Error).message });
    }
  }
}
