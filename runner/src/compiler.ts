// The thread that compiles TypeScript and modules for the workers. All sessions share it: the
// compiler is large, and sessions mostly have the same extensions.

import { statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type MessagePort, parentPort } from 'node:worker_threads';
import transform from 'jiti/babel';
import { ownThread } from './cpu.ts';
import { KeptFiles, worthKeeping } from './kept.ts';
import { originalPlace } from './places.ts';
import { type Findings, ownGlobals, plugin } from './rewrite.ts';

export interface Order {
  file: string;
  source: string;
  /** True for `import`, false for `require`. */
  async: boolean;
  /** Whether it belongs to a package: packages outlive generations, and so do their timers. */
  isPackage: boolean;
}

export interface Compiled extends Findings {
  code: string;
}

/** Asks where something in a compiled file was written. */
export interface Question {
  file: string;
  line: number;
  column: number;
}

export type Answer = { compiled: Compiled } | { failed: { message: string; line?: number; column?: number } };

const mostKept = 2000;
// Another build of this file may compile differently.
const { size, mtimeMs } = statSync(fileURLToPath(import.meta.url));
const onDisk = new KeptFiles(`${process.version} ${size} ${mtimeMs}`);
const kept = new Map<string, { source: string; isPackage: boolean; answer: Answer }>();

parentPort?.on('message', ({ port, signal }: { port: MessagePort; signal: SharedArrayBuffer }) => {
  const flag = new Int32Array(signal);
  port.on('message', (asked: Order | Question) => {
    port.postMessage('source' in asked ? answer(asked) : find(asked));
    // The worker sleeps until it gets the answer.
    Atomics.store(flag, 0, 1);
    Atomics.notify(flag, 0);
  });
});

parentPort?.postMessage(ownThread());

function answer(order: Order): Answer {
  const key = `${order.file}\n${order.async}`;
  const before = kept.get(key);
  kept.delete(key);
  const isSame = before?.source === order.source && before.isPackage === order.isPackage;
  const { source, isPackage } = order;
  const now = isSame ? before : { source, isPackage, answer: fromDisk(order) };
  kept.set(key, now);
  const oldest = kept.keys().next().value;
  if (kept.size > mostKept && oldest !== undefined) kept.delete(oldest);
  return now.answer;
}

/** Where the source has what is at this place of the compiled file. */
function find({ file, line, column }: Question): { line: number; column: number } {
  for (const async of [true, false]) {
    const { source, answer } = kept.get(`${file}\n${async}`) ?? {};
    if (source === undefined || !answer || !('compiled' in answer)) continue;
    const shift = line === 1 ? wrapper(async).length : 0;
    const text = answer.compiled.code.split('\n')[line - 1]?.slice(column - 1 - shift);
    const found = text && originalPlace(source, text, line);
    if (found) return found;
  }
  return { line, column };
}

/** What jiti writes before the code of a file. */
function wrapper(async: boolean): string {
  const parameters = 'exports, require, module, __filename, __dirname, jitiImport, jitiESMResolve';
  return `(${async ? 'async ' : ''}function (${parameters}) { `;
}

function fromDisk(order: Order): Answer {
  const found = onDisk.find(order);
  if (found) return found;
  const start = performance.now();
  const answer = compile(order);
  if (performance.now() - start > worthKeeping) onDisk.keep(order, answer);
  return answer;
}

function compile({ file, source, async, isPackage }: Order): Answer {
  const found: Findings = { imports: [], mustDecide: [] };
  const { code, error } = transform({
    source,
    filename: file,
    ts: /\.[cm]?tsx?$/.test(file),
    async,
    interopDefault: true,
    retainLines: true,
    babel: { plugins: isPackage ? [] : [plugin(found)] },
  });
  if (!error) return { compiled: { code: isPackage ? code : ownGlobals(code), ...found } };
  const { line, column } = error.loc ?? {};
  const message = firstLine(error.message)
    .replace(/^\/: /, '')
    .replace(/\s*\(\d+:\d+\)$/, '');
  return { failed: { message, ...(line === undefined ? {} : { line, column: (column ?? 0) + 1 }) } };
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? '';
}
