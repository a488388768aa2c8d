// The text messages of the native protocol (docs/protocol.md): types, parsing and writing.

import {
  anything,
  type Check,
  flag,
  isRecord,
  listOf,
  MalformedError,
  number,
  oneOf,
  optional,
  orNull,
  recordOf,
  shape,
  text,
} from './shape';

export type RequestId = number | string;

/** What a terminal does. */
const terminalState = shape({
  kind: oneOf('unknown', 'prompt', 'running', 'succeeded', 'failed', 'waiting', 'exited'),
  command: optional(text),
  since: optional(text),
  exitCode: optional(number),
  progress: optional(number),
  text: optional(text),
});

const terminal = shape({
  terminalId: text,
  session: text,
  name: optional(text),
  order: number,
  status: oneOf('running', 'exited', 'restorable'),
  rows: number,
  cols: number,
  createdAt: text,
  lastActivityAt: text,
  workingDirectory: optional(text),
  title: optional(text),
  command: listOf(text),
  viewers: number,
  exitCode: optional(number),
  process: optional(text),
  busy: optional(flag),
  state: optional(terminalState),
});

/** Something that a person may want to hear of. */
const notice = shape({
  at: text,
  terminalId: text,
  session: text,
  name: optional(text),
  kind: oneOf('command_ended', 'bell', 'message', 'blocked', 'done'),
  command: optional(text),
  text: optional(text),
  exitCode: optional(number),
  duration: optional(number),
  watched: flag,
});

const session = shape({
  name: text,
  kind: oneOf('interactive', 'background'),
  terminals: number,
  restorable: optional(number),
  createdAt: text,
});

/** A command that a terminal's shell ran. What is not known is null. */
const shellCommand = shape({
  text: orNull(text),
  directory: orNull(text),
  start: orNull(number),
  end: orNull(number),
  exitCode: orNull(number),
  startedAt: orNull(text),
  endedAt: orNull(text),
});

/** A line that a search found. */
const foundLine = shape({
  terminalId: text,
  session: text,
  name: optional(text),
  line: number,
  fromEnd: number,
  text,
  offset: optional(number),
});

const command = shape({ name: text, extension: text, description: optional(text) });
const role = oneOf('control', 'view');

const serverMessages = {
  welcome: shape({
    version: text,
    protocol: text,
    user: text,
    session: text,
    access: optional(role),
    bounds: optional(oneOf('sessions', 'terminals')),
  }),
  terminals: shape({ terminals: listOf(terminal) }),
  created: shape({ terminal }),
  restorable: shape({ terminal }),
  sent: shape({ terminalId: text, offset: number }),
  leased: shape({ terminalId: text, lease: text, holder: text, expiresAt: text }),
  released: shape({ terminalId: text, lease: text }),
  commands_of: shape({
    terminalId: text,
    state: oneOf('unknown', 'prompt', 'incomplete', 'running'),
    commands: listOf(shellCommand),
  }),
  command_output: shape({ terminalId: text, start: number, text, missing: number }),
  marked: shape({ channel: number, offset: number, command: shellCommand }),
  found: shape({ matches: listOf(foundLine), leftOut: number, skipped: listOf(text) }),
  renamed: shape({ terminalId: text, name: text }),
  reordered: shape({ terminalIds: listOf(text) }),
  closed: shape({
    terminalId: text,
    reason: oneOf('user_requested', 'process_exit', 'idle_timeout', 'error'),
    exitCode: optional(number),
  }),
  changed: shape({ terminalId: text, state: terminalState }),
  notice,
  notices: shape({ notices: listOf(notice) }),
  sketch: shape({
    terminalId: text,
    rows: number,
    cols: number,
    cursor: optional(listOf(number)),
    lines: recordOf(anything),
  }),
  exited: shape({ terminalId: text, exitCode: number }),
  attached: shape({
    terminalId: text,
    channel: number,
    offset: number,
    rows: number,
    cols: number,
    role,
    lossless: flag,
    window: number,
    resumed: flag,
    hidden: optional(flag),
    status: oneOf('running', 'exited'),
    exitCode: optional(number),
    workingDirectory: optional(text),
    title: optional(text),
  }),
  detached: shape({
    channel: number,
    terminalId: text,
    reason: oneOf('requested', 'takeover', 'closed'),
  }),
  resized: shape({ channel: number, rows: number, cols: number, offset: number }),
  activity: shape({ channel: number, offset: number, bell: optional(flag), title: optional(text) }),
  role: shape({ channel: number, role }),
  error: shape({ code: text, error: text, details: optional(text) }),
  pong: shape({}),
  sessions: shape({ sessions: listOf(session) }),
  session_created: shape({ session }),
  session_renamed: shape({ name: text, newName: text }),
  session_closed: shape({ name: text }),
  preferences: shape({
    session: optional(text),
    values: recordOf(shape({ value: anything, revision: number })),
  }),
  preference_set: shape({ session: optional(text), name: text, value: anything, revision: number }),
  session_switched: shape({ from: text, to: text }),
  commands: shape({ session: text, commands: listOf(command) }),
  result: shape({
    text: optional(text),
    error: optional(text),
    exitCode: optional(number),
    session: optional(text),
  }),
  progress: shape({ request: number, text }),
  notify: shape({
    session: text,
    level: oneOf('info', 'success', 'warning', 'error'),
    text,
  }),
  ui_request: shape({
    session: text,
    id: text,
    /** Who asks. */
    extension: optional(text),
    kind: oneOf('confirm', 'select', 'input'),
    title: text,
    message: optional(text),
    options: optional(listOf(text)),
    default: optional(anything),
    placeholder: optional(text),
    timeoutMs: optional(number),
  }),
  ui_closed: shape({ id: text }),
  status: shape({ session: text, key: text, text: orNull(text) }),
};

type ServerShapes = typeof serverMessages;
export type ServerType = keyof ServerShapes;
export type ServerData<T extends ServerType> = ReturnType<ServerShapes[T]>;
export type ServerMessage = {
  [T in ServerType]: { type: T; request?: RequestId; data: ServerData<T> };
}[ServerType];

export type TerminalState = ReturnType<typeof terminalState>;
export type Notice = ReturnType<typeof notice>;
export type Sketch = ServerData<'sketch'>;
export type TerminalInfo = ReturnType<typeof terminal>;
export type SessionInfo = ReturnType<typeof session>;
export type CommandInfo = ReturnType<typeof command>;
export type ShellCommand = ReturnType<typeof shellCommand>;
export type FoundLine = ReturnType<typeof foundLine>;
export type UiRequest = ServerData<'ui_request'>;
export type RunResult = ServerData<'result'>;
export type NotifyLevel = ServerData<'notify'>['level'];
export type Role = ReturnType<typeof role>;

export interface Theme {
  foreground?: string;
  background?: string;
  cursor?: string;
  palette?: string[];
}

interface Sized {
  rows?: number;
  cols?: number;
}

/** The client's messages and their answers; `undefined` for messages without an answer. */
export interface ClientMessages {
  list: { data: { session?: string }; answer: 'terminals' };
  create: {
    data: Sized & {
      terminalId?: string;
      session?: string;
      name?: string;
      workDir?: string;
      command?: string[];
      env?: Record<string, string>;
    };
    answer: 'created';
  };
  restore: { data: Sized & { terminalId: string }; answer: 'created' };
  attach: {
    data: Sized & {
      terminalId: string;
      since?: number;
      role?: Role;
      lossless?: boolean;
      window?: number;
      takeover?: boolean;
      hidden?: boolean;
      marks?: boolean;
    };
    answer: 'attached';
  };
  detach: { data: { channel: number }; answer: 'detached' };
  resize: { data: { channel: number; rows: number; cols: number }; answer: undefined };
  focus: { data: { channel: number }; answer: undefined };
  hide: { data: { channel: number }; answer: undefined };
  show: { data: { channel: number }; answer: undefined };
  role: { data: { channel: number; role: Role }; answer: 'role' };
  theme: { data: Theme; answer: undefined };
  send: {
    data: {
      terminalId: string;
      text?: string;
      paste?: string;
      keys?: string[];
      enter?: boolean;
      idempotencyKey?: string;
      lease?: string;
      ifIdle?: number;
    };
    answer: 'sent';
  };
  lease: {
    data: { terminalId: string; seconds?: number; holder?: string; lease?: string };
    answer: 'leased';
  };
  release: { data: { terminalId: string; lease: string }; answer: 'released' };
  commands_of: {
    data: { terminalId: string; since?: number; limit?: number };
    answer: 'commands_of';
  };
  command_output: { data: { terminalId: string; start: number }; answer: 'command_output' };
  search: {
    data: {
      pattern: string;
      session?: string;
      ignoreCase?: boolean;
      word?: boolean;
      literal?: boolean;
      limit?: number;
    };
    answer: 'found';
  };
  cancel: { data: { request: RequestId }; answer: undefined };
  notices: { data: Record<string, never>; answer: 'notices' };
  overview: { data: { terminalIds: string[] }; answer: undefined };
  rename: { data: { terminalId: string; name: string }; answer: 'renamed' };
  reorder: { data: { terminalIds: string[] }; answer: 'reordered' };
  close: { data: { terminalId: string }; answer: 'closed' };
  ping: { data: Record<string, never>; answer: 'pong' };
  sessions: { data: Record<string, never>; answer: 'sessions' };
  session_create: {
    data: { name: string; kind?: SessionInfo['kind'] };
    answer: 'session_created';
  };
  session_rename: { data: { name: string; newName: string }; answer: 'session_renamed' };
  session_close: { data: { name: string }; answer: 'session_closed' };
  session_switch: { data: { from: string; to: string }; answer: 'session_switched' };
  preferences: { data: { session?: string }; answer: 'preferences' };
  preference_set: {
    data: { session?: string; name: string; value: unknown; revision?: number };
    answer: 'preference_set';
  };
  commands: { data: { session: string }; answer: 'commands' };
  run: { data: { session: string; line: string }; answer: 'result' };
  ui_answer: { data: { id: string; value: unknown }; answer: undefined };
}

export type ClientType = keyof ClientMessages;

export function encodeMessage<T extends ClientType>(
  type: T,
  data: ClientMessages[T]['data'],
  request?: RequestId,
): string {
  return JSON.stringify({
    type,
    ...(request === undefined ? {} : { request }),
    ...(Object.keys(data).length === 0 ? {} : { data }),
  });
}

/** `undefined` for an unknown type. Throws a MalformedError. */
export function decodeMessage(source: string): ServerMessage | undefined {
  let parsed: unknown;
  try {
    parsed = JSON.parse(source);
  } catch {
    throw new MalformedError('the message is not JSON');
  }
  if (!isRecord(parsed)) throw new MalformedError('the message is not an object');
  const type = text(parsed.type, 'type');
  if (!Object.hasOwn(serverMessages, type)) return undefined;
  const check = serverMessages[type as ServerType] as Check<unknown>;
  const { request } = parsed;
  return {
    type,
    ...(typeof request === 'number' || typeof request === 'string' ? { request } : {}),
    data: check(parsed.data ?? {}, ''),
  } as ServerMessage;
}
