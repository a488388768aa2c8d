// What an extension's tests use: `@holdfast/extension/testing`. Each session is a real one, of the
// daemon that `holdfast extension test` has started.

import { randomUUID } from 'node:crypto';
import type { AgentOptions, Question, TestAgent, TestSession } from '../../types/testing.d.ts';
import { Connection, type Data, type Message } from './connection.ts';

const usualTimeout = 10_000;

interface Test {
  after(work: () => unknown): void;
}

export async function openSession(test: Test): Promise<TestSession> {
  const { HOLDFAST_TEST_URL: url, HOLDFAST_TEST_TOKEN: token } = process.env;
  if (!url || !token) throw new Error('run these tests with `holdfast extension test`');
  const name = `test-${randomUUID().slice(0, 8)}`;
  const session = new Session(name);
  const connection = await Connection.open(url, token, (message) => session.heard(message));
  test.after(() => session.close());
  await session.begin(connection);
  return session;
}

class Session implements TestSession {
  readonly name: string;
  readonly notes: string[] = [];
  readonly status = new Map<string, string>();
  readonly questions: Question[] = [];
  answer: (question: Question) => unknown = () => null;
  #connection: Connection | undefined;
  #agent: Agent | undefined;
  readonly #watchers = new Set<() => void>();
  #errors: string[] = [];

  constructor(name: string) {
    this.name = name;
  }

  get #daemon(): Connection {
    if (!this.#connection) throw new Error('the session is closed');
    return this.#connection;
  }

  async begin(connection: Connection) {
    this.#connection = connection;
    await connection.ask('session_create', { name: this.name });
    await connection.ask('commands', { session: this.name });
    // Waits until the extensions are there: a command of theirs does.
    await this.#run('/help');
    if (this.#errors.length > 0) throw new Error(this.#errors.join('\n'));
  }

  async close() {
    const connection = this.#connection;
    this.#connection = undefined;
    try {
      await connection?.ask('session_close', { name: this.name });
    } finally {
      connection?.close();
    }
  }

  async #run(line: string) {
    return await this.#daemon.ask<{ text?: string; error?: string; exitCode?: number }>('run', {
      session: this.name,
      line,
    });
  }

  async run(line: string): Promise<string> {
    const { text = '', error } = await this.#run(line);
    if (error !== undefined) throw new Error(error);
    return text;
  }

  async tool(name: string, args: object = {}): Promise<string> {
    const { content } = await this.#daemon.ask<{ content: { text?: string }[] }>('tool', {
      session: this.name,
      name,
      arguments: args,
    });
    return content.map(({ text = '' }) => text).join('\n');
  }

  async reload(): Promise<void> {
    await this.run('/reload');
  }

  async agent({ name = 'test', calls = {}, state = {} }: AgentOptions = {}): Promise<TestAgent> {
    this.#agent = new Agent(this.#daemon, this.name, calls);
    await this.#daemon.ask('agent_attach', { session: this.name, name, calls: Object.keys(calls), state });
    return this.#agent;
  }

  until<T>(find: () => T, timeout = usualTimeout): Promise<NonNullable<T>> {
    return new Promise((resolve, reject) => {
      const look = () => {
        const found = find();
        if (!found) return;
        finish();
        resolve(found);
      };
      const timer = setTimeout(() => {
        finish();
        reject(new Error(`it did not happen within ${timeout} ms; notes: ${JSON.stringify(this.notes)}`));
      }, timeout);
      const finish = () => {
        clearTimeout(timer);
        this.#watchers.delete(look);
      };
      this.#watchers.add(look);
      look();
    });
  }

  heard({ type, data }: Message) {
    if (type === 'notify') this.notes.push(String(data.text));
    if (type === 'notify' && data.level === 'error') this.#errors.push(String(data.text));
    if (type === 'status') this.#setStatus(data);
    if (type === 'ui_request') this.#asked(data as unknown as Question & { id: string });
    if (type === 'agent_call') void this.#agent?.called(data);
    for (const look of [...this.#watchers]) look();
  }

  #setStatus({ key, text }: Data) {
    if (text === null) this.status.delete(String(key));
    else this.status.set(String(key), String(text));
  }

  #asked(question: Question & { id: string }) {
    this.questions.push(question);
    this.#daemon.tell('ui_answer', { id: question.id, value: this.answer(question) ?? null });
  }
}

class Agent implements TestAgent {
  readonly #daemon: Connection;
  readonly #session: string;
  readonly #calls: NonNullable<AgentOptions['calls']>;

  constructor(daemon: Connection, session: string, calls: NonNullable<AgentOptions['calls']>) {
    this.#daemon = daemon;
    this.#session = session;
    this.#calls = calls;
  }

  async event<Decision>(name: string, event: object = {}): Promise<Decision | null> {
    const { decision } = await this.#daemon.ask<{ decision: Decision | null }>('agent_event', {
      session: this.#session,
      name,
      event,
    });
    return decision;
  }

  async called({ id, name, params }: Data) {
    const about = { session: this.#session, id };
    try {
      const result = await this.#calls[String(name)]?.(params as never);
      this.#daemon.tell('agent_result', { ...about, result: result ?? null });
    } catch (error) {
      this.#daemon.tell('agent_result', { ...about, error: String((error as Error).message) });
    }
  }
}
