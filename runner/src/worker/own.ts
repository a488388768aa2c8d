// The globals of an extension's code that start something lasting: timers, and listeners of the
// process. What they start belongs to a generation and ends with it.

import type { EventEmitter } from 'node:events';
import timers, { type TimerOptions } from 'node:timers';
import timersPromises from 'node:timers/promises';
import { promisify } from 'node:util';
import { ownModule, ownModules } from '../rewrite.ts';
import { claim, type Owner } from './calling.ts';
import type { Generation } from './generation.ts';

type Callback = (...args: unknown[]) => unknown;
type Owning = () => Generation;

/** The modules that replace Node's own in `owner`'s code. */
export function ownVersions(code: Owner): Record<string, object> {
  const owner = () => code.generation;
  const promises = ownPromises(owner);
  const functions = { ...ownTimers(owner), promises };
  Object.defineProperty(functions.setTimeout, promisify.custom, { value: promises.setTimeout });
  Object.defineProperty(functions.setImmediate, promisify.custom, { value: promises.setImmediate });
  const ownProcess = tracked(process, owner);
  return {
    [ownModule]: { of: () => claim(code, { ...functions, process: ownProcess }) },
    [ownModules.timers as string]: { ...timers, ...functions },
    [ownModules['timers/promises'] as string]: promises,
    [ownModules.process as string]: ownProcess,
  };
}

function ownTimers(owner: Owning) {
  const releases = new WeakMap<object, () => void>();
  const start = <T extends object>(
    startTimer: (run: () => void) => T,
    clear: (timer: T) => void,
    callback: Callback,
    again = false,
  ): T => {
    const timer = startTimer(() => {
      if (!again) releases.get(timer)?.();
      callback();
    });
    const release = owner().onEnd(() => clear(timer));
    releases.set(timer, release);
    return timer;
  };
  const stop = (clear: (timer: never) => void) => (timer: unknown) => {
    if (typeof timer === 'object' && timer !== null) releases.get(timer)?.();
    clear(timer as never);
  };
  return {
    setTimeout: (callback: Callback, delay?: number, ...args: unknown[]) =>
      start<NodeJS.Timeout>(
        (run) => setTimeout(run, delay),
        clearTimeout,
        () => callback(...args),
      ),
    setInterval: (callback: Callback, delay?: number, ...args: unknown[]) =>
      start<NodeJS.Timeout>(
        (run) => setInterval(run, delay),
        clearInterval,
        () => callback(...args),
        true,
      ),
    setImmediate: (callback: Callback, ...args: unknown[]) =>
      start<NodeJS.Immediate>(
        (run) => setImmediate(run),
        clearImmediate,
        () => callback(...args),
      ),
    clearTimeout: stop(clearTimeout),
    clearInterval: stop(clearInterval),
    clearImmediate: stop(clearImmediate),
  };
}

/** Code that waits for a timer when its generation ends never continues. */
function ownPromises(owner: Owning) {
  const wakeIfAlive = <T>(generation: Generation, wait: Promise<T>) => {
    if (generation.makes) return wait;
    return new Promise<T>((resolve, reject) => {
      const ifAlive =
        <V>(pass: (value: V) => void) =>
        (value: V) => {
          if (generation.alive) pass(value);
        };
      wait.then(ifAlive(resolve), ifAlive(reject));
    });
  };
  return {
    ...timersPromises,
    setTimeout: <T>(delay?: number, value?: T, options?: TimerOptions) =>
      wakeIfAlive(owner(), timersPromises.setTimeout(delay, value, options)),
    setImmediate: <T>(value?: T, options?: TimerOptions) =>
      wakeIfAlive(owner(), timersPromises.setImmediate(value, options)),
    setInterval: async function* <T>(delay?: number, value?: T, options?: TimerOptions) {
      const generation = owner();
      const { makes } = generation;
      for await (const tick of timersPromises.setInterval(delay, value, options)) {
        if (!generation.alive && !makes) return;
        yield tick;
      }
    },
  };
}

const adding = new Set(['on', 'once', 'addListener', 'prependListener', 'prependOnceListener']);
const streams = new Set(['stdin', 'stdout', 'stderr']);

/** Wraps an emitter shared by the whole thread: listeners are removed with their generation. */
function tracked<T extends EventEmitter>(shared: T, owner: Owning): T {
  const proxies = new Map<string | symbol, EventEmitter>();
  const add = (how: string) =>
    function (this: unknown, event: string, listener: Callback) {
      (shared as unknown as Record<string, Callback>)[how]?.call(shared, event, listener);
      owner().onEnd(() => shared.removeListener(event, listener));
      return this;
    };
  return new Proxy(shared, {
    get(target, name) {
      if (adding.has(String(name))) return add(String(name));
      const value = Reflect.get(target, name, target);
      if (target !== (process as EventEmitter) || !streams.has(String(name))) return value;
      const proxy = proxies.get(name) ?? tracked(value as EventEmitter, owner);
      proxies.set(name, proxy);
      return proxy;
    },
  });
}
