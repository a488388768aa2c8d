// The entry of a session's thread.

import { parentPort, workerData } from 'node:worker_threads';
import { useCompileCache } from '../kept.ts';
import { type Message, Peer, RpcError } from '../peer.ts';
import { errorCode } from '../protocol.ts';
import { RunningTimes } from '../running_times.ts';
import type { WorkerData } from '../session.ts';
import { Agent } from './agent.ts';
import { useChildren } from './children.ts';
import { useDirectory } from './directory.ts';
import type { Extension } from './extension.ts';
import { surviveErrors, useConsole, useSources } from './failures.ts';
import { withoutFlood } from './flood.ts';
import { shareRunningTimes } from './generation.ts';
import type { Host } from './host.ts';
import { useOwnNames, useOwnSignals } from './isolation.ts';
import { Loader } from './loader.ts';
import { Entries } from './pi/entries.ts';
import { Runtime } from './runtime.ts';
import { Shells } from './shells.ts';
import { inWindow } from './window.ts';

const { info, settings, compiler, times } = workerData as WorkerData;

const peer = new Peer(
  (message) => {
    parentPort?.postMessage(message);
    return true;
  },
  (method, params) => {
    const handler = runtime.handlers[method];
    if (!handler) throw new RpcError(errorCode.unknownMethod, `unknown method ${method}`);
    return handler(params);
  },
);

const log = withoutFlood(
  (level, text, of) => peer.notify('log', { session: info.id, ...of, level, text }),
  (level, text, of) => peer.notify('log', { session: info.id, ...of, level, text, show: true }),
);

const host: Host = {
  info,
  settings,
  loader: new Loader(compiler),
  log,
  shells: new Shells(),
  entries: new Entries(),
  agent: new Agent(),
  activeTools: undefined,
  extensions: new Map<string, Extension>(),
  order: [],
  call: inWindow((method, params) => peer.call(method, params)),
  notify: (method, params) => peer.notify(method, params),
};
const runtime = new Runtime(host);

useCompileCache();
shareRunningTimes(new RunningTimes(times));
useDirectory(info.cwd);
useChildren(info.cwd, (pids) => peer.notify('children', { session: info.id, pids }));
useConsole(log);
useOwnNames(info.id);
useOwnSignals();
useSources(host.loader);
surviveErrors(log, (file) => host.order.find(({ code }) => code?.owns(file))?.current);
parentPort?.on('message', (message: Message) => peer.receive(message));
