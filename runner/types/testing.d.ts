// What an extension's tests use. `holdfast extension test` runs them; docs/extension-tutorial.md
// shows how.

/** A new session, with the extension loaded. It is closed when the test has ended. */
export function openSession(test: { after(work: () => unknown): void }): Promise<TestSession>;

export interface TestSession {
  readonly name: string;
  /** The notifications, the oldest first. */
  readonly notes: string[];
  /** The items in the status bar, by `EXTENSION.KEY`. */
  readonly status: Map<string, string>;
  /** The questions that were asked. */
  readonly questions: Question[];
  /** Answers questions: a yes or no, the option chosen, the text typed. Without it, each is dismissed. */
  answer: (question: Question) => unknown;
  /** What a person types: `/command` or `! command`. Returns its text. */
  run(line: string): Promise<string>;
  /** Calls a tool, and returns its text. */
  tool(name: string, args?: object): Promise<string>;
  /** As if somebody had typed /reload. */
  reload(): Promise<void>;
  /** Attaches an agent, as docs/agents.md describes it. */
  agent(options?: AgentOptions): Promise<TestAgent>;
  /** Waits until `find` returns something. Looks whenever the session shows or asks something. */
  until<T>(find: () => T, timeout?: number): Promise<NonNullable<T>>;
  close(): Promise<void>;
}

export interface Question {
  readonly extension: string;
  readonly kind: 'confirm' | 'select' | 'input';
  readonly title: string;
  readonly message?: string;
  readonly options?: string[];
}

export interface AgentOptions {
  name?: string;
  /** The calls that it offers, and what they do. */
  calls?: Record<string, (params: never) => unknown>;
  state?: object;
}

export interface TestAgent {
  /** What the handlers decide; null if they have no objection. Rejects if one refuses. */
  event<Decision = Record<string, unknown>>(name: string, event?: object): Promise<Decision | null>;
}
