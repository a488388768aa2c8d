// What an extension may use. docs/extensions.md says when and why; this says the shapes.

/** The entry of an extension: its default export, or an export `registerTools`. It has ten seconds. */
export type Extension = (pi: ExtensionAPI, session: SessionContext) => unknown;

type Awaitable<T> = T | Promise<T>;

/** Why the code was loaded. `recover`: the worker or the runner had died. */
export type StartReason = 'startup' | 'new' | 'resume' | 'reload' | 'recover';

/** The session an extension runs in: the same object over all reloads. */
export interface SessionContext {
  readonly id: string;
  readonly name: string;
  readonly kind: 'interactive' | 'background';
  readonly userId: string;
  readonly cwd: string;
  /** Counts the loads of this extension in this session, also over restarts. */
  readonly generation: number;
  /** Why the code was loaded this time. */
  readonly reason: StartReason;
  readonly resources: Resources;
  readonly state: State;
  readonly terminals: Terminals;
  readonly processes: Processes;
}

/** What must stay over reloads. Keys are the extension's own. */
export interface Resources {
  /** What is there under this key; else what `create` makes, once, however many ask at the same time. */
  getOrCreate<T>(key: string, create: () => Awaitable<T>, options?: ResourceOptions<T>): Promise<T>;
  get<T = unknown>(key: string): T | undefined;
  list(): { key: string; description: string; state: 'live' | 'orphan' }[];
  /** Calls its `close` and forgets it; false if there was none. */
  close(key: string): Promise<boolean>;
}

export interface ResourceOptions<T> {
  close?(value: T): unknown;
  /** A line for people. */
  describe?(value: T): string;
  /** The processes that belong to it: they outlive the worker, and can be ended without it. */
  pids?(value: T): number[];
}

/** JSON in the database, also over reboots. 256 KiB a value, 4 MiB an extension. */
export interface State {
  get<T = unknown>(key: string): Promise<T | undefined>;
  set(key: string, value: unknown): Promise<void>;
  delete(key: string): Promise<void>;
  keys(): Promise<string[]>;
}

export interface TerminalOptions {
  command?: string[];
  cwd?: string;
  env?: Record<string, string>;
  name?: string;
  rows?: number;
  cols?: number;
}

/** Terminals of the session. They outlive the runner. */
export interface Terminals {
  create(options?: TerminalOptions): Promise<Terminal>;
  list(): Promise<Terminal[]>;
  get(id: string): Promise<Terminal | undefined>;
}

export interface Terminal {
  readonly id: string;
  readonly name: string | undefined;
  write(text: string): Promise<void>;
  /** What its screen shows. */
  text(): Promise<string>;
  close(): Promise<void>;
}

/** Programs started with `exec(…, {keep: true})`. They outlive the runner. */
export interface Processes {
  list(): Promise<KeptProcess[]>;
  get(id: string): Promise<KeptProcess | undefined>;
}

export interface KeptProcess {
  readonly id: string;
  readonly pid: number;
  readonly name: string | undefined;
  /** The newest 256 KiB of what it has written. */
  output(): Promise<{ text: string; exitCode?: number }>;
  wait(): Promise<{ exitCode: number }>;
  kill(): Promise<void>;
}

/** What one generation of an extension registers and calls. After a reload it refuses everything. */
export interface ExtensionAPI {
  /** Returns a function that takes the handler away. */
  on<Name extends keyof Events>(
    event: Name,
    handler: Handler<Name>,
    options?: Name extends DecidingEvent ? HandlerOptions : Record<string, never>,
  ): () => void;
  registerCommand(name: string, command: Command): void;
  registerTool<Parameters = Record<string, unknown>>(tool: Tool<Parameters>): void;
  /** A bus between the extensions of a session. */
  readonly events: Bus;
  /** Runs a program in the session's directory. With `keep` it is given to the keeper and outlives the runner. */
  exec(
    command: string,
    args: string[] | undefined,
    options: ExecOptions & { keep: true },
  ): Promise<KeptProcess>;
  exec(command: string, args?: string[], options?: ExecOptions): Promise<ExecResult>;
}

export interface Bus {
  /** Returns a function that takes the handler away. */
  on(name: string, handler: (data: unknown) => unknown): () => void;
  emit(name: string, data?: unknown): void;
}

export interface ExecOptions {
  cwd?: string;
  env?: Record<string, string | undefined>;
  input?: string;
  /** In milliseconds. */
  timeout?: number;
  signal?: AbortSignal;
  keep?: boolean;
  /** What a kept process is called. */
  name?: string;
}

export interface ExecResult {
  stdout: string;
  stderr: string;
  code: number | null;
  signal: string | null;
}

export interface Command {
  description?: string;
  /** `args` is the text after the name. A text that it returns is the command's result. */
  handler(args: string, ctx: Context): unknown;
}

export interface Tool<Parameters = Record<string, unknown>> {
  name: string;
  description?: string;
  /** A JSON Schema, by which `params` are checked. */
  parameters?: object;
  execute(
    id: string,
    params: Parameters,
    signal: AbortSignal,
    onUpdate: (update: ToolResult) => void,
    ctx: Context,
  ): Awaitable<ToolResult | undefined>;
}

export type ToolResult = string | { content: { type: 'text'; text: string }[]; details?: unknown };

/** Comes with every call. */
export interface Context {
  readonly ui: UI;
  readonly session: SessionContext;
  readonly cwd: string;
  /** Aborted when the caller cancels. */
  readonly signal: AbortSignal;
}

export type Level = 'info' | 'success' | 'warning' | 'error';

/** Shown where the session is shown, and nowhere else. A question that nobody answers gets its safe answer. */
export interface UI {
  notify(text: string, level?: Level): void;
  confirm(title: string, message?: string, options?: AskOptions): Promise<boolean>;
  select(title: string, options: string[], more?: AskOptions): Promise<string | undefined>;
  input(title: string, placeholder?: string, options?: AskOptions): Promise<string | undefined>;
  /** An item in the status bar; `undefined` takes it away. */
  setStatus(key: string, text: string | undefined): void;
}

export interface AskOptions {
  /** In milliseconds; 60,000 unless told. */
  timeout?: number;
}

/** The data of every event, and what handlers may return. */
export interface Events {
  session_start: { data: { reason: StartReason }; result: undefined };
  session_before_reload: { data: Record<string, never>; result: undefined };
  session_shutdown: { data: { reason: 'reload' | 'close' | 'quit' }; result: undefined };
  session_before_switch: {
    data: { from: string; to: string };
    result: { cancel?: boolean; reason?: string };
  };
  session_switch: { data: { from: string; to: string }; result: undefined };
  user_bash: {
    data: { command: string; cwd: string };
    result: { argv: string[] } | { result: { output: string; exitCode: number } };
  };
  terminal_before_create: {
    data: Creation;
    result: Partial<Creation> | { cancel: boolean; reason?: string };
  };
  terminal_created: { data: TerminalEvent; result: undefined };
  terminal_attached: { data: TerminalEvent; result: undefined };
  terminal_orphaned: { data: TerminalEvent; result: undefined };
  terminal_closed: { data: TerminalEvent; result: undefined };
  terminal_exited: { data: { terminalId: string; exitCode: number }; result: undefined };
}

/** Events whose handlers can refuse or change what is about to happen. */
export type DecidingEvent = 'session_before_switch' | 'user_bash' | 'terminal_before_create';

export interface HandlerOptions {
  /** No answer is a no: if the handler throws, takes too long or does not run, what it was to decide does not happen. */
  mustDecide?: boolean;
}

export type Handler<Name extends keyof Events> = (
  event: Events[Name]['data'],
  ctx: Context,
  // biome-ignore lint/suspicious/noConfusingVoidType: a handler without a return statement is a handler too.
) => Awaitable<Events[Name]['result'] | undefined | void>;

export interface Creation {
  argv: string[];
  cwd: string;
  env: Record<string, string>;
}

export interface TerminalEvent {
  terminalId: string;
  name?: string;
}

/** What a `pi` or `ctx` of an ended generation throws. Nothing has happened by such a call. */
export declare class StaleError extends Error {
  readonly extension: string;
  readonly generation: number;
}
