// The runner's process: takes calls from the daemon and gives each session its own worker.

import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { type MessagePort, Worker } from 'node:worker_threads';
import { Connection } from './connection.ts';
import { cpuTime } from './cpu.ts';
import { type Params, RpcError } from './peer.ts';
import { defaultSettings, errorCode, type SessionInfo, type Settings, type Wanted } from './protocol.ts';
import { type End, Session, type Surroundings } from './session.ts';

const { values: options } = parseArgs({ options: { socket: { type: 'string' }, only: { type: 'string' } } });
if (!options.socket) {
  console.error('usage: holdfast-runner --socket PATH [--only SESSION]');
  process.exit(2);
}
process.title = 'holdfast-runner';
// Garbage may be half of what lives. With a high limit (session.ts), V8 lets it become three times as much.
setFlagsFromString('--heap-growing-percent=50');

const sessions = new Map<string, Session>();
/** Which session is working on each cancellable call. */
const calls = new Map<string, Session>();
let settings: Settings = defaultSettings;
/** Loading may take so many times as long as code that blocks. */
const timesToLoad = 3;

const compiler = new Worker(new URL('./compiler.mjs', import.meta.url), { name: 'compiler', execArgv: [] });
// A worker that waits for the compiler does nothing else, and would seem stuck.
let compilerThread = 0;
let compilerReady: Promise<unknown> | undefined = once(compiler, 'message').then(([thread]) => {
  compilerThread = thread;
  compilerReady = undefined;
});
compiler.on('error', (error) => {
  // No session can load anything without the compiler. Exit; the daemon starts the runner again.
  console.error('the compiler failed:', error);
  process.exit(1);
});

const connection = new Connection({
  path: options.socket,
  hello: () => {
    // The next daemon says which sessions have agents.
    for (const session of sessions.values()) session.tell('agent', { agent: null });
    return greeting();
  },
  welcome: (answer) => {
    const told = (answer as { settings?: Partial<Settings> } | null)?.settings ?? {};
    const { stuckAfter = defaultSettings.stuckAfter } = told;
    settings = { ...defaultSettings, loadingTime: timesToLoad * stuckAfter, ...told };
  },
  handle: (method, params) => {
    const handler = handlers[method];
    if (!handler) throw new RpcError(errorCode.unknownMethod, `unknown method ${method}`);
    return handler(params);
  },
  undelivered: (method, params, result) => {
    if (method !== 'session.open' && method !== 'session.reload') return;
    connection.peer.notify('loaded', { session: idOf(params), ...(result as object) });
  },
});

function greeting() {
  return {
    protocol: 1,
    pid: process.pid,
    node: process.versions.node,
    ...(options.only === undefined ? {} : { only: options.only }),
    sessions: [...sessions.values()].map((session) => session.announcement()),
  };
}

function surroundings(): Surroundings {
  return {
    settings,
    compilerReady: () => compilerReady,
    compiled: () => cpuTime(compilerThread),
    connectCompiler: (port: MessagePort, signal) => compiler.postMessage({ port, signal }, [port]),
    call: (method, params) => connection.peer.call(method, params),
    notify: (method, params) => connection.peer.notify(method, params),
    ended: (session, end: End | 'closed') => {
      sessions.delete(session.id);
      for (const [call, worker] of calls) if (worker === session) calls.delete(call);
      if (end !== 'closed') connection.peer.notify('worker_ended', { session: session.id, ...end });
    },
  };
}

/** `session.open` carries the whole session, all other calls its id. */
function idOf({ session }: Params): string {
  return typeof session === 'object' ? (session as SessionInfo).id : String(session);
}

function find(params: Params): Session {
  const session = sessions.get(idOf(params));
  if (!session) throw new RpcError(errorCode.notFound, `no session ${idOf(params)} in the runner`);
  return session;
}

async function open(params: Params) {
  const info = params.session as SessionInfo;
  if (sessions.has(info.id)) throw new RpcError(errorCode.invalid, `session ${info.id} is already open`);
  const session = new Session(info, surroundings());
  sessions.set(info.id, session);
  session.tell('agent', { agent: params.agent ?? null });
  return session.load('open', params.extensions as Wanted[], { reason: params.reason });
}

/** Forwards a call that can be cancelled. */
async function pass(method: string, params: Params) {
  const session = find(params);
  const call = typeof params.call === 'string' ? params.call : undefined;
  if (call !== undefined) calls.set(call, session);
  try {
    return await session.ask(method, params);
  } finally {
    if (call !== undefined) calls.delete(call);
  }
}

const handlers: Record<string, (params: Params) => unknown> = {
  'session.open': open,
  'session.reload': (params) => find(params).load('reload', params.extensions as Wanted[], {}),
  'session.renamed': (params) => find(params).tell('renamed', params),
  'session.close': (params) => find(params).close(params),
  'session.kill': (params) => find(params).kill(),
  event: (params) => pass('event', params),
  agent: (params) => sessions.get(idOf(params))?.tell('agent', { agent: params.agent }),
  command: (params) => pass('command', params),
  tool: (params) => pass('tool', params),
  'shell.run': (params) => pass('shell.run', params),
  cancel: (params) => calls.get(String(params.call))?.tell('cancel', params),
  'resource.close': (params) => find(params).closeResource(String(params.extension), String(params.key)),
};

// The process that started the runner may have stopped reading its output.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
process.on('SIGTERM', () => process.exit(0));
process.on('SIGHUP', () => {});
connection.connect();
