// Loads an extension's code: first checks all its files, then runs exactly what was checked.

import { readFileSync } from 'node:fs';
import { builtinModules, createRequire } from 'node:module';
import { extname, isAbsolute } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import createJiti, { type JitiHost } from 'jiti/core';
import type { Extension as Factory } from '../../types/index.d.ts';
import type { Answer, Compiled, Order, Question } from '../compiler.ts';
import { packagesOf } from '../own_code.ts';
import type { LoadFailure } from '../protocol.ts';
import type { Import } from '../rewrite.ts';
import type { Owner } from './calling.ts';
import type { Generation } from './generation.ts';
import { ownVersions } from './own.ts';
import { isPiModule, piModule } from './pi/modules.ts';
import { StaleError } from './stale.ts';

/** For one file. On a busy machine a large one takes long, and others may come first. */
const compilerPatience = 300_000;
const typesModule = '@holdfast/extension';
const codeExtensions = ['.js', '.mjs', '.cjs', '.ts', '.tsx', '.mts', '.cts', '.mtsx', '.ctsx'];

export class LoadError extends Error {
  readonly place: Omit<LoadFailure, 'message'>;

  constructor(message: string, place: Omit<LoadFailure, 'message'>) {
    super(message);
    this.name = 'LoadError';
    this.place = place;
  }
}

/** All files of an extension, compiled, and which others belong to packages. */
export interface Checked {
  files: Map<string, Compiled>;
  isPackage(file: string): boolean;
  /** Why it cannot be loaded. */
  failure?: unknown;
}

/** The events that its code must decide, as far as its text tells. */
export function mustDecide({ files }: Checked): string[] {
  return [...new Set([...files.values()].flatMap((file) => file.mustDecide))];
}

/** An extension's imported code, and the generation that it acts for. */
export interface Code {
  owner: Owner;
  factory: Factory;
  owns(file: string): boolean;
}

export class Loader {
  readonly #port: MessagePort;
  readonly #flag: Int32Array;
  /** The files of all extensions. */
  readonly #own = new Set<string>();
  #loads = 0;

  constructor({ port, signal }: { port: MessagePort; signal: SharedArrayBuffer }) {
    this.#port = port;
    this.#flag = new Int32Array(signal);
  }

  /** Fails with a LoadError unless every file exists and parses. */
  check(entry: string): Checked {
    const isPackage = packagesOf(entry);
    const files = new Map<string, Compiled>();
    const host = hostFor(isPackage);
    const seen = new Set<string>();
    const visit = (file: string, async: boolean) => {
      const key = keyOf(file, async);
      if (seen.has(key)) return;
      seen.add(key);
      this.#own.add(file);
      if (extname(file) === '.json') readJson(file);
      if (!codeExtensions.includes(extname(file))) return;
      const compiled = this.#compile({ file, source: read(file), async, isPackage: false });
      files.set(key, compiled);
      for (const each of compiled.imports) {
        const found = resolveImport(file, each, host);
        if (found && !isPackage(found)) visit(found, each.async);
      }
    };
    try {
      visit(entry, true);
      return { files, isPackage };
    } catch (failure) {
      return { files, isPackage, failure };
    }
  }

  async import(entry: string, checked: Checked, generation: Generation): Promise<Code> {
    const { files, isPackage } = checked;
    const owns = (file: string) => files.has(keyOf(file, true)) || files.has(keyOf(file, false));
    const code: Code = { owner: { generation }, factory: () => {}, owns };
    const jiti = createJiti(entry, this.#options(entry, checked, code), hostFor(isPackage));
    const factory = findFactory(await jiti.import(entry));
    if (!factory) throw new LoadError('it has no default export and no registerTools', { file: entry });
    code.factory = factory;
    return code;
  }

  #options(entry: string, checked: Checked, code: Code) {
    this.#loads += 1;
    const load = this.#loads;
    return {
      ...plainOptions,
      virtualModules: {
        ...standIns(entry, checked),
        ...ownVersions(code.owner),
        [typesModule]: { StaleError },
      },
      transform: ({ filename = '', source, async = false }: Transformed) => {
        const compiled =
          checked.files.get(keyOf(filename, async)) ??
          this.#compile({ file: filename, source, async, isPackage: checked.isPackage(filename) });
        // Code of each load is told apart by its hash (calling.ts).
        return { code: `${compiled.code}\n//${load}` };
      },
    };
  }

  /** Where something in a compiled file was written. */
  find(file: string, line: number, column: number): { line: number; column: number } {
    return this.#ask({ file, line, column }) as { line: number; column: number };
  }

  /** Whether this is the code of an extension, also of one that is itself a package. */
  isOwn(file: string): boolean {
    return this.#own.has(file);
  }

  #compile(order: Order): Compiled {
    const answer = this.#ask(order) as Answer;
    if ('compiled' in answer) return answer.compiled;
    const { message, ...place } = answer.failed;
    throw new LoadError(message, { file: order.file, ...place });
  }

  /** Blocks the thread until the compiler answers, because `require` is synchronous. */
  #ask(asked: Order | Question): unknown {
    Atomics.store(this.#flag, 0, 0);
    this.#port.postMessage(asked);
    const until = performance.now() + compilerPatience;
    for (;;) {
      const answer = receiveMessageOnPort(this.#port);
      if (answer) return answer.message;
      if (performance.now() > until)
        throw new LoadError('the compiler does not answer', { file: asked.file });
      Atomics.wait(this.#flag, 0, 0, compilerPatience);
    }
  }
}

interface Transformed {
  filename?: string;
  source: string;
  async?: boolean;
}

const plainOptions = { moduleCache: false, fsCache: false, interopDefault: true, extensions: codeExtensions };

/** The file that an import resolves to; undefined if it needs no check. */
function resolveImport(
  file: string,
  { specifier, async, needed, ...place }: Import,
  host: JitiHost,
): string | undefined {
  if (specifier === typesModule || specifier.startsWith('holdfast:') || isBuiltin(specifier))
    return undefined;
  const jiti = createJiti(file, plainOptions, host);
  try {
    const found = async ? jiti.esmResolve(specifier) : jiti.resolve(specifier);
    return found.startsWith('file:') ? fileURLToPath(found) : found;
  } catch {
    if (isPiModule(specifier)) return undefined;
    if (needed) throw new LoadError(`cannot find ${specifier}`, { file, ...place });
    return undefined;
  }
}

/** Those of pi's packages that the code imports, and that are not installed beside it. */
function standIns(entry: string, { files, isPackage }: Checked): Record<string, object> {
  const host = hostFor(isPackage);
  const imported = new Set(
    [...files.values()].flatMap(({ imports }) => imports.map((each) => each.specifier)),
  );
  const needed = [...imported].filter((name) => isPiModule(name) && !isInstalled(entry, name, host));
  return Object.fromEntries(needed.map((name) => [name, piModule(name)]));
}

function isInstalled(entry: string, specifier: string, host: JitiHost): boolean {
  try {
    createJiti(entry, plainOptions, host).esmResolve(specifier);
    return true;
  } catch {
    return false;
  }
}

// Node caches what it loads. So it only loads packages and its own modules; jiti reads the rest.
function hostFor(isPackage: (file: string) => boolean): JitiHost {
  const isOwnCode = (id: string) => {
    const path = id.startsWith('file:') ? fileURLToPath(id) : id;
    return isAbsolute(path) && codeExtensions.includes(extname(path)) && !isPackage(path);
  };
  return {
    onError(error: Error): never {
      throw error;
    },
    nativeImport: async (id: string) => {
      if (isOwnCode(id)) throw new Error('left to jiti');
      return import(id);
    },
    createRequire: (file: string) => {
      const native = createRequire(file);
      const require = (id: string) => {
        if (isAbsolute(id) && extname(id) === '.json' && !isPackage(id)) return readJson(id);
        if (isOwnCode(id)) throw new Error('left to jiti');
        return native(id);
      };
      const { resolve, cache, extensions, main } = native;
      return Object.assign(require, { resolve, cache, extensions, main });
    },
  };
}

function isBuiltin(specifier: string): boolean {
  return specifier.startsWith('node:') || specifier.startsWith('data:') || builtinModules.includes(specifier);
}

function keyOf(file: string, async: boolean): string {
  return `${file}\n${async}`;
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new LoadError(`cannot read it: ${(error as Error).message}`, { file });
  }
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(read(file));
  } catch (error) {
    throw error instanceof LoadError ? error : new LoadError((error as Error).message, { file });
  }
}

type Exports = { default?: Exports; registerTools?: unknown } | undefined;

function findFactory(module: unknown): Factory | undefined {
  const exports = module as Exports;
  const candidates = [exports?.default, exports?.default?.default, exports?.registerTools, exports];
  return candidates.find((each) => typeof each === 'function') as Factory | undefined;
}
