// Keeps apart what sessions would share because they are threads of one process: channels and locks
// by name, messages to other threads, signals to the process. And keeps the runner's own listeners.

import { syncBuiltinESMExports } from 'node:module';
import { constants } from 'node:os';
import workerThreads, { BroadcastChannel as AnyChannel } from 'node:worker_threads';
import { processGroup } from '../processes.ts';

type Any = (...args: unknown[]) => unknown;

export function useOwnNames(session: string) {
  const prefix = `${session}\n`;
  const Channel = ownChannel(prefix);
  Object.assign(globalThis, { BroadcastChannel: Channel });
  Object.assign(workerThreads, {
    BroadcastChannel: Channel,
    postMessageToThread: () =>
      Promise.reject(new Error('postMessageToThread is not available: it would reach other sessions')),
  });
  useOwnLocks(prefix);
  syncBuiltinESMExports();
}

function ownChannel(prefix: string) {
  return class BroadcastChannel extends AnyChannel {
    constructor(name: string) {
      super(prefix + name);
      Object.defineProperty(this, 'name', { value: String(name) });
    }
  };
}

interface OwnLock {
  readonly name: string;
  readonly mode: string;
}

/** `navigator.locks`, in Node 24 and later. */
function useOwnLocks(prefix: string) {
  const { locks } = navigator as unknown as { locks?: object };
  if (!locks) return;
  const prototype = Object.getPrototypeOf(locks) as Record<'request' | 'query', Any>;
  const { request, query } = prototype;
  const own = <T extends { name: string }>(lock: T): T =>
    new Proxy(lock, {
      get: (target, key) => {
        const value = Reflect.get(target, key, target);
        return key === 'name' ? String(value).slice(prefix.length) : value;
      },
    });
  prototype.request = function (this: unknown, name, ...rest) {
    const callback = rest.pop() as Any;
    const called = (lock: unknown) => callback(lock ? own(lock as OwnLock) : lock);
    return request.call(this, prefix + String(name), ...rest, called);
  };
  prototype.query = async function (this: unknown) {
    const all = (await query.call(this)) as Record<string, { name: string }[]>;
    const lists = Object.entries(all).map(([state, list]) => {
      const ours = list.filter(({ name }) => name.startsWith(prefix));
      return [state, ours.map((lock) => ({ ...lock, name: lock.name.slice(prefix.length) }))];
    });
    return Object.fromEntries(lists);
  };
}

/**
 * A signal to this process reaches this session alone: its listeners, or else its thread ends as
 * with `process.exit`.
 */
export function useOwnSignals() {
  const signals: Record<string, number> = constants.signals;
  const kill = process.kill.bind(process);
  process.kill = (pid, signal = 'SIGTERM') => {
    const number = typeof signal === 'number' ? signal : signals[signal];
    if (!isOwn(pid) || number === undefined) return kill(pid, signal);
    const name = Object.entries(signals).find(([, each]) => each === number)?.[0];
    if (number === 0 || (name && process.emit(name as 'SIGTERM', name as 'SIGTERM'))) return true;
    return process.exit(128 + number);
  };
}

/** Whether it means this process: its id, or its group. */
function isOwn(pid: unknown): boolean {
  const number = Number(pid); // Node takes a text that is a number.
  return number === process.pid || number === 0 || number === -processGroup();
}

/**
 * Keeps these listeners of the process, whatever extensions remove: without them, an error that
 * nobody catches ends the thread.
 */
export function keepListeners(ours: Record<string, (error: unknown) => void>) {
  const { removeAllListeners, removeListener } = process;
  const isOurs = (listener: unknown) => Object.values(ours).includes(listener as never);
  const add = () => {
    for (const [event, listener] of Object.entries(ours))
      if (!process.listeners(event as 'exit').includes(listener as never)) process.on(event, listener);
  };
  const remove = function (this: NodeJS.Process, event: string, listener: Any) {
    return isOurs(listener) ? this : removeListener.call(this, event, listener);
  };
  Object.assign(process, {
    removeListener: remove,
    off: remove,
    removeAllListeners(...events: [string?]) {
      removeAllListeners.apply(process, events);
      add();
      return this;
    },
  });
  add();
}
