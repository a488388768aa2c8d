// What sessions and reloads cost. Prints times in milliseconds and memory in MiB.

import { readFileSync } from 'node:fs';
import { Daemon } from '../test/daemon.ts';

const sessions = 100;
const rounds = 300;

const code = (n: number) => `import { helper } from './helper';
export default (pi: ExtensionAPI, session: SessionContext) => {
  pi.on('session_start', async (_event, ctx) => {});
  pi.registerCommand('echo', { description: 'Echoes', handler: async (args: string) => helper(args, ${n}) });
};`;
const helper = (n: number) =>
  `export function helper(text: string, n: number): string { return text + ${n} * n; }`;

function print(what: string, times: number[]) {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (part: number) => (sorted[Math.floor((sorted.length - 1) * part)] ?? 0).toFixed(2).padStart(8);
  console.log(`${what.padEnd(44)} p50 ${at(0.5)}   p95 ${at(0.95)}   (${times.length})`);
}

async function measure(count: number, step: (n: number) => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  for (let n = 0; n < count; n += 1) {
    const start = performance.now();
    await step(n);
    times.push(performance.now() - start);
  }
  return times;
}

function memory(pid: number | undefined): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
}

function processorTime(pid: number | undefined): number {
  const [, , , , , , , , , , , user, system] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(' ').slice(2);
  return (Number(user) + Number(system)) * 10;
}

const daemon = new Daemon();
await daemon.listen();
daemon.startRunner();
await daemon.wait('hello');
const pid = daemon.runner?.pid;
const edit = (n: number) => {
  daemon.write('x/index.ts', code(n));
  daemon.write('x/helper.ts', helper(n));
};
edit(0);

const [first = 0] = await measure(1, () => daemon.open('main', ['x/index.ts']));
console.log(`${'first session, with the compiler'.padEnd(44)}     ${first.toFixed(2).padStart(8)}`);
print('command', await measure(2000, () => daemon.command('main', 'x', 'echo', 'hello')));
print('reload, nothing changed', await measure(rounds, () => daemon.reload('main', ['x/index.ts'])));
print(
  'reload, both files edited',
  await measure(rounds, (n) => {
    edit(n + 1);
    return daemon.reload('main', ['x/index.ts']);
  }),
);

const before = memory(pid);
print('session opened', await measure(sessions, (n) => daemon.open(`s${n}`, ['x/index.ts'])));
const each = (memory(pid) - before) / sessions;
console.log(`${`memory of a session, of ${sessions}`.padEnd(44)}     ${each.toFixed(1).padStart(8)}`);
print(
  'command, with so many sessions',
  await measure(1000, (n) => daemon.command(`s${n % sessions}`, 'x', 'echo', 'a')),
);
print(
  'reload, with so many sessions',
  await measure(rounds, (n) => daemon.reload(`s${n % sessions}`, ['x/index.ts'])),
);
const [all = 0] = await measure(1, () =>
  Promise.all(Array.from({ length: sessions }, (_, n) => daemon.reload(`s${n}`, ['x/index.ts']))),
);
console.log(`${'reload of all at once'.padEnd(44)}     ${all.toFixed(2).padStart(8)}`);
// Some time after work the engine tidies up; what counts is what comes after that.
const rest: number[] = [];
for (let n = 0; n < 6; n += 1) {
  const before = processorTime(pid);
  await new Promise((resolve) => setTimeout(resolve, 3000));
  rest.push((processorTime(pid) - before) / 3);
}
console.log(
  `${'processor, while all rest, ms a second'.padEnd(44)}     ${Math.min(...rest)
    .toFixed(2)
    .padStart(8)}`,
);
daemon.end();
