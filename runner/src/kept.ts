// Compiled files on disk. A large extension takes seconds to compile, and its code seldom changes.
//
// Invariants
// 1. A file's name is the hash of all that its content depends on.
// 2. A file is whole or not there. One that cannot be read counts as not there.

import { createHash, randomUUID } from 'node:crypto';
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { enableCompileCache, flushCompileCache } from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Answer, Order } from './compiler.ts';

const mostFiles = 1000;
/** Files that take less time to compile than this are not worth it. */
export const worthKeeping = 20;

const caches = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'holdfast');
const folder = join(caches, 'extensions');

/** From now on Node keeps what it has compiled in this thread, packages for instance. */
export function useCompileCache() {
  enableCompileCache(join(caches, 'node'));
}

/** A thread that is ended later may not get to it. */
export function keepCompiled() {
  flushCompileCache();
}

/** `version` stands for the compiler: what it makes of the same source. */
export class KeptFiles {
  readonly #version: string;

  constructor(version: string) {
    this.#version = version;
  }

  find(order: Order): Answer | undefined {
    const path = this.#pathOf(order);
    try {
      const answer = JSON.parse(readFileSync(path, 'utf8')) as Answer;
      const now = new Date();
      utimesSync(path, now, now);
      return answer;
    } catch {
      return undefined; // It was never kept.
    }
  }

  keep(order: Order, answer: Answer) {
    const path = this.#pathOf(order);
    const draft = `${path}.${randomUUID()}`;
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      writeFileSync(draft, JSON.stringify(answer), { mode: 0o600 });
      renameSync(draft, path);
      removeOldest();
    } catch (error) {
      // Without it, compiling takes longer next time.
      console.error(`cannot keep a compiled file in ${folder}: ${(error as Error).message}`);
    }
  }

  #pathOf({ file, source, async, isPackage }: Order): string {
    const hash = createHash('sha256');
    for (const part of [this.#version, file, String(async), String(isPackage), source])
      hash.update(`${part.length}:${part}`);
    return join(folder, `${hash.digest('hex')}.json`);
  }
}

function removeOldest() {
  const files = readdirSync(folder).map((name) => join(folder, name));
  if (files.length <= mostFiles) return;
  const ages = files.map((path) => ({ path, time: statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0 }));
  ages.sort((a, b) => a.time - b.time);
  for (const { path } of ages.slice(0, files.length - mostFiles / 2)) rmSync(path, { force: true });
}
