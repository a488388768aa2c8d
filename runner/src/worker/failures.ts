// Finds where an error came from, and logs errors that nobody catches.

import { format } from 'node:util';
import type { LoadFailure } from '../protocol.ts';
import { type Generation, running } from './generation.ts';
import { keepListeners } from './isolation.ts';
import { LoadError } from './loader.ts';
import { StaleError } from './stale.ts';

export type Level = 'debug' | 'info' | 'warning' | 'error';
export type Log = (level: Level, text: string, of?: { extension: string; generation: number }) => void;

// The path begins the place: `node:internal/…` has a slash further on.
const frame = /(?:^at |\(|async )(?:file:\/\/)?(\/[^()\n]+?):(\d+):(\d+)\)?$/;

/** The topmost place in an error's stack that is in an extension's code. */
export function placeOf(error: unknown): Omit<LoadFailure, 'message'> | undefined {
  if (error instanceof LoadError) return error.place;
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  for (const line of stack.split('\n')) {
    const [, file = '', row, column] = frame.exec(line.trim()) ?? [];
    if (file === '' || isRunner(file)) continue;
    if (file.includes('/node_modules/') && !sources.isOwn(file)) continue;
    return { file, ...sources.find(file, Number(row), Number(column)) };
  }
  return undefined;
}

/** Knows the extensions' code, and where something in it was written. */
interface Sources {
  find(file: string, line: number, column: number): { line: number; column: number };
  isOwn(file: string): boolean;
}

let sources: Sources = { find: (_file, line, column) => ({ line, column }), isOwn: () => false };

/** From now on, places in compiled code are told as places in its source. */
export function useSources(known: Sources) {
  sources = known;
}

export function failureOf(error: unknown): LoadFailure {
  return { message: messageOf(error), ...placeOf(error) };
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message || error.name : format('%s', error);
}

/** What failed, where and why, in one line. */
export function describeError(what: string, error: unknown): string {
  const place = placeOf(error);
  const at = place ? ` at ${place.file}:${place.line}:${place.column}` : '';
  const name = error instanceof Error ? `${error.name}: ` : '';
  return `${what}${at}: ${name}${messageOf(error)}`;
}

/** Logs uncaught errors instead of exiting. `find` tells whose file it is. */
export function surviveErrors(log: Log, find: (file: string) => Generation | undefined) {
  const write = (what: string, error: unknown) => {
    const place = placeOf(error);
    const owner = error instanceof StaleError ? error : undefined;
    const guess = place?.file === undefined ? undefined : find(place.file);
    const of = owner ?? guess ?? running.getStore();
    const identity =
      of instanceof StaleError ? { extension: of.extension, generation: of.generation } : asIdentity(of);
    log('error', describeError(what, error), identity);
  };
  keepListeners({
    uncaughtException: (error: unknown) => write('uncaught exception', error),
    unhandledRejection: (reason: unknown) => write('unhandled rejection', reason),
  });
}

/** Writes what extensions print to the log, with their name. */
export function useConsole(log: Log) {
  const levels = {
    debug: 'debug',
    log: 'info',
    info: 'info',
    warn: 'warning',
    error: 'error',
    trace: 'debug',
  } as const;
  for (const [name, level] of Object.entries(levels)) {
    const write = (...args: unknown[]) => log(level, format(...args), asIdentity(running.getStore()));
    Object.assign(console, { [name]: write });
  }
  useStream(process.stdout, (text) => log('info', text, asIdentity(running.getStore())));
  useStream(process.stderr, (text) => log('warning', text, asIdentity(running.getStore())));
}

function useStream(stream: NodeJS.WriteStream, log: (text: string) => void) {
  stream.write = (chunk: string | Uint8Array, encoding?: unknown, done?: unknown) => {
    const text = typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('utf8');
    for (const line of text.split('\n')) if (line !== '') log(line);
    const callback = typeof encoding === 'function' ? encoding : done;
    if (typeof callback === 'function') queueMicrotask(() => callback());
    return true;
  };
}

function asIdentity(of: Generation | undefined) {
  return of && { extension: of.extension, generation: of.number };
}

function isRunner(file: string): boolean {
  return file.startsWith(import.meta.dirname);
}
