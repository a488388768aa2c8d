// The thread that compiles TypeScript and modules for the workers. All sessions share it: the
// compiler is large, and sessions mostly have the same extensions.

import { type MessagePort, parentPort } from 'node:worker_threads';
import transform from 'jiti/babel';
import { type Import, ownGlobals, plugin } from './rewrite.ts';

export interface Order {
  file: string;
  source: string;
  /** True for `import`, false for `require`. */
  async: boolean;
}

export interface Compiled {
  code: string;
  imports: Import[];
}

export type Answer = { compiled: Compiled } | { failed: { message: string; line?: number; column?: number } };

const mostKept = 2000;
const kept = new Map<string, { source: string; answer: Answer }>();

parentPort?.on('message', ({ port, signal }: { port: MessagePort; signal: SharedArrayBuffer }) => {
  const flag = new Int32Array(signal);
  port.on('message', (order: Order) => {
    port.postMessage(answer(order));
    // The worker sleeps until it gets the answer.
    Atomics.store(flag, 0, 1);
    Atomics.notify(flag, 0);
  });
});

parentPort?.postMessage('ready');

function answer(order: Order): Answer {
  const key = `${order.file}\n${order.async}`;
  const before = kept.get(key);
  kept.delete(key);
  const now = before?.source === order.source ? before : { source: order.source, answer: compile(order) };
  kept.set(key, now);
  const oldest = kept.keys().next().value;
  if (kept.size > mostKept && oldest !== undefined) kept.delete(oldest);
  return now.answer;
}

function compile({ file, source, async }: Order): Answer {
  const imports: Import[] = [];
  // Packages outlive generations, and so do their timers and listeners.
  const isPackage = file.includes('/node_modules/');
  const { code, error } = transform({
    source,
    filename: file,
    ts: /\.[cm]?tsx?$/.test(file),
    async,
    interopDefault: true,
    retainLines: true,
    babel: { plugins: isPackage ? [] : [plugin(imports)] },
  });
  if (!error) return { compiled: { code: isPackage ? code : ownGlobals(code), imports } };
  const { line, column } = error.loc ?? {};
  const message = firstLine(error.message)
    .replace(/^\/: /, '')
    .replace(/\s*\(\d+:\d+\)$/, '');
  return { failed: { message, ...(line === undefined ? {} : { line, column: (column ?? 0) + 1 }) } };
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? '';
}
