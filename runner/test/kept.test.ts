// What the compiler keeps on disk, so that a later load need not compile it.

import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import type { Daemon } from './daemon.ts';
import { startDaemon } from './start.ts';

vi.setConfig({ testTimeout: 120_000 });

const functions = Array.from(
  { length: 1500 },
  (_, n) =>
    `const f${n} = async <T extends { a: number }>(x: T): Promise<number> => (await null, x.a + ${n});`,
);
const large = `${functions.join('\n')}
export default (pi: any) => pi.registerCommand("x", { handler: async () => String(await f7({ a: 1 })) });`;

const keptIn = ({ folder }: Daemon, part = 'extensions') => join(folder, 'cache', 'holdfast', part);

/** Opens the session in a runner of its own. Returns the milliseconds that it took. */
async function load(daemon: Daemon): Promise<number> {
  const runner = daemon.runner;
  if (daemon.told.length > 1 && runner) {
    const gone = once(runner, 'exit');
    runner.kill('SIGKILL');
    await gone;
    daemon.told.length = 0;
    daemon.startRunner();
    await daemon.wait('hello');
  }
  const began = performance.now();
  expect(await daemon.open('main', ['x.ts'])).toMatchObject([{ status: 'loaded' }]);
  const took = performance.now() - began;
  expect(await daemon.command('main', 'x', 'x')).toBe('8');
  return took;
}

test('the second load of a large extension is fast, also in another runner', async () => {
  const daemon = await startDaemon();
  daemon.write('x.ts', large);
  const first = await load(daemon);
  const second = await load(daemon);
  expect(second).toBeLessThan(first / 2);
  expect(readdirSync(keptIn(daemon))).toHaveLength(1);
  expect(statSync(keptIn(daemon)).mode & 0o777).toBe(0o700);
});

test('a kept file that was damaged or cut off is made again', async () => {
  const daemon = await startDaemon();
  daemon.write('x.ts', large);
  await load(daemon);
  const [name = ''] = readdirSync(keptIn(daemon));
  const path = join(keptIn(daemon), name);
  const whole = readFileSync(path);
  writeFileSync(path, whole.subarray(0, 1000));
  await load(daemon);
  const hash = (data: Buffer) => createHash('sha256').update(data).digest('hex');
  expect(hash(readFileSync(path))).toBe(hash(whole));
});

test('another text of the same file is not taken for the kept one', async () => {
  const daemon = await startDaemon();
  daemon.write('x.ts', large);
  await load(daemon);
  daemon.write('x.ts', large.replace('f7({ a: 1 })', 'f6({ a: 2 })'));
  await load(daemon);
  expect(readdirSync(keptIn(daemon))).toHaveLength(2);
});
