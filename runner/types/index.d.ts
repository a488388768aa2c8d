// The API for extensions. docs/extensions.md explains it; this file has the types.

import type { AgentCalls, AgentEvents, AgentView } from './agents.d.ts';

export type * from './agents.d.ts';

/** An extension's entry: its default export or an export `registerTools`. It has ten seconds. */
export type Extension = (pi: ExtensionAPI, session: SessionContext) => unknown;

type Awaitable<T> = T | Promise<T>;

/** Why the code was loaded. `recover` means that the worker or the runner had died. */
export type StartReason = 'startup' | 'new' | 'resume' | 'reload' | 'recover';

/** The session an extension runs in: the same object across all reloads. */
export interface SessionContext {
  readonly id: string;
  readonly name: string;
  readonly kind: 'interactive' | 'background';
  readonly userId: string;
  readonly cwd: string;
  /** Counts the loads of this extension in this session, across restarts. */
  readonly generation: number;
  /** Why the code was loaded this time. */
  readonly reason: StartReason;
  readonly resources: Resources;
  readonly state: State;
  readonly terminals: Terminals;
  readonly processes: Processes;
}

/** What must survive reloads. Each extension has its own keys. */
export interface Resources {
  /** Gets the resource, or creates it. Concurrent calls create it only once. */
  getOrCreate<T>(key: string, create: () => Awaitable<T>, options?: ResourceOptions<T>): Promise<T>;
  get<T = unknown>(key: string): T | undefined;
  list(): { key: string; description: string; state: 'live' | 'orphan' }[];
  /** Calls its `close` and forgets it. False if there is none. */
  close(key: string): Promise<boolean>;
}

export interface ResourceOptions<T> {
  close?(value: T): unknown;
  /** A one-line description for people. */
  describe?(value: T): string;
  /** Its processes. They outlive the worker and can be ended without it. */
  pids?(value: T): number[];
}

/** JSON values that survive reboots. At most 256 KiB each, and 4 MiB for an extension. */
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
  /** The text on its screen. */
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
  /** The newest 256 KiB of its output. */
  output(): Promise<{ text: string; exitCode?: number }>;
  wait(): Promise<{ exitCode: number }>;
  kill(): Promise<void>;
}

/** What a generation uses to register and call things. After a reload, every call throws. */
export interface ExtensionAPI {
  /** Returns a function that removes the handler. */
  on<Name extends keyof Events>(
    event: Name,
    handler: Handler<Name>,
    options?: Name extends DecidingEvent ? HandlerOptions : Record<string, never>,
  ): () => void;
  registerCommand(name: string, command: Command): void;
  registerTool<Parameters = Record<string, unknown>>(tool: Tool<Parameters>): void;
  /** A bus between the extensions of a session. */
  readonly events: Bus;
  /** Runs a program in the session's directory. With `keep`, it outlives the runner. */
  exec(
    command: string,
    args: string[] | undefined,
    options: ExecOptions & { keep: true },
  ): Promise<KeptProcess>;
  exec(command: string, args?: string[], options?: ExecOptions): Promise<ExecResult>;
}

/**
 * Members of pi's API (docs/extensions.md#extensions-written-for-pi). Install pi's package for its
 * own, stricter types.
 */
export interface ExtensionAPI extends AgentCalls {
  registerFlag(name: string, flag: Flag): void;
  getFlag(name: string): boolean | string | undefined;
  registerShortcut(key: string, shortcut: { description?: string; handler(ctx: Context): unknown }): void;
  /** Appends to the session's entries, which last as long as the session. */
  appendEntry(customType: string, data?: unknown): void;
  sendMessage(
    message: { customType: string; content: unknown; display?: boolean; details?: unknown },
    options?: { triggerTurn?: boolean },
  ): void;
  setLabel(entryId: string, label: string | undefined): void;
  setSessionName(name: string): void;
  getSessionName(): string;
  getCommands(): { name: string; description?: string }[];
  getAllTools(): { name: string; description?: string; parameters?: object }[];
  getActiveTools(): string[];
  setActiveTools(names: string[]): void;
}

export interface Flag {
  type: 'boolean' | 'string';
  description?: string;
  default?: boolean | string;
}

/** What an extension has appended to the session. */
export interface Entry {
  type: string;
  id: string;
  parentId: string | null;
  timestamp: string;
  [more: string]: unknown;
}

export interface SessionManager {
  getEntries(): Entry[];
  getBranch(from?: string): Entry[];
  getEntry(id: string): Entry | undefined;
  getLeafEntry(): Entry | undefined;
  getLeafId(): string | null;
  getLabel(id: string): string | undefined;
  getSessionId(): string;
  getSessionName(): string;
}

export interface Bus {
  /** Returns a function that removes the handler. */
  on(name: string, handler: (data: unknown) => unknown): () => void;
  emit(name: string, data?: unknown): void;
}

export interface ExecOptions {
  cwd?: string;
  env?: Record<string, string | undefined>;
  input?: string;
  /** Milliseconds. */
  timeout?: number;
  signal?: AbortSignal;
  keep?: boolean;
  /** The name of a kept process. */
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
  /** `args` is the text after the name. A returned string is the command's result. */
  handler(args: string, ctx: Context): unknown;
}

export interface Tool<Parameters = Record<string, unknown>> {
  name: string;
  description?: string;
  /** A JSON Schema that `params` must match. */
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

/** Passed with every call. */
export interface Context extends AgentView {
  readonly ui: UI;
  readonly session: SessionContext;
  readonly cwd: string;
  /** Aborted when the caller cancels. */
  readonly signal: AbortSignal;
  readonly hasUI: true;
  readonly mode: 'tui';
  readonly sessionManager: SessionManager;
  /** As if somebody had typed /reload. */
  reload(): Promise<void>;
}

export type Level = 'info' | 'success' | 'warning' | 'error';

/** Shown only where the session is shown. A question that nobody answers gets its safe answer. */
export interface UI {
  notify(text: string, level?: Level): void;
  confirm(title: string, message?: string, options?: AskOptions): Promise<boolean>;
  select(title: string, options: string[], more?: AskOptions): Promise<string | undefined>;
  input(title: string, placeholder?: string, options?: AskOptions): Promise<string | undefined>;
  /** Sets an item in the status bar; `undefined` removes it. */
  setStatus(key: string, text: string | undefined): void;
}

export interface AskOptions {
  /** Milliseconds. Default: 60,000. */
  timeout?: number;
}

/** The data of every event, and what its handlers can return. */
export interface Events extends AgentEvents {
  session_start: { data: { reason: StartReason }; result: undefined };
  session_before_reload: { data: Record<string, never>; result: undefined };
  session_shutdown: { data: { reason: 'reload' | 'close' | 'quit' }; result: undefined };
  session_before_switch: {
    data: { from: string; to: string };
    result: { cancel?: boolean; reason?: string };
  };
  session_switch: { data: { from: string; to: string }; result: undefined };
  user_bash: {
    /** `excludeFromContext`: the line began with `!!`; no agent is to learn of the command. */
    data: { command: string; cwd: string; excludeFromContext: boolean };
    result:
      | { argv: string[] }
      | { result: { output: string; exitCode: number } }
      | { operations: BashOperations };
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

/** Runs a shell command in another place. */
export interface BashOperations {
  exec(
    command: string,
    cwd: string,
    options: { onData: (data: Uint8Array | string) => void; signal?: AbortSignal },
  ): Promise<{ exitCode: number | null }>;
}

/** Events whose handlers can refuse or change what is about to happen. */
export type DecidingEvent = {
  [Name in keyof Events]: Events[Name]['result'] extends undefined ? never : Name;
}[keyof Events];

export interface HandlerOptions {
  /**
   * If true, the action is refused when the handler throws, takes too long or does not run.
   * Default: true for `user_bash` and `tool_call`, false for the others.
   */
  mustDecide?: boolean;
}

export type Handler<Name extends keyof Events> = (
  event: Events[Name]['data'],
  ctx: Context,
  // biome-ignore lint/suspicious/noConfusingVoidType: a handler need not return anything.
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

/** Thrown by `pi` and `ctx` of an ended generation. The call had no effect. */
export declare class StaleError extends Error {
  readonly extension: string;
  readonly generation: number;
}
