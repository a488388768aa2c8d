// What one session may use up, and that it is judged fairly.

import { expect, test, vi } from 'vitest';
import { startDaemon } from './start.ts';

const one = (body: string) =>
  `export default (pi) => pi.registerCommand("x", { handler: async (args, ctx) => { ${body} } });`;
const echo = 'export default (pi) => pi.registerCommand("echo", { handler: (args) => args });';

// On a busy machine these take long.
vi.setConfig({ testTimeout: 60_000 });

// A session with 90 MiB alive was ended for more than 256 MiB, most of which was garbage.
test('garbage does not count', async () => {
  const daemon = await startDaemon({ memory: 64 * 1024 * 1024 });
  daemon.write(
    'x.ts',
    one(`globalThis.kept = Array.from({ length: 200 }, () => Buffer.alloc(100_000, 1));
      const until = Date.now() + 4000;
      let junk = [];
      for (let n = 0; Date.now() < until; n += 1) {
        junk.push(Array.from({ length: 1000 }, (_, k) => ({ k, n })));
        if (junk.length > 200) { junk = []; await new Promise((resolve) => setImmediate(resolve)); }
      }
      return String(globalThis.kept.length);`),
  );
  await daemon.open('main', ['x.ts']);
  expect(await daemon.command('main', 'x', 'x')).toBe('200');
  expect(daemon.all('worker_ended')).toEqual([]);
});

test('what lives counts, also once the session is idle', async () => {
  const daemon = await startDaemon({ memory: 64 * 1024 * 1024 });
  daemon.write(
    'x.ts',
    one('globalThis.kept = Array.from({ length: 1000 }, () => Buffer.alloc(100_000, 1));'),
  );
  await daemon.open('main', ['x.ts']);
  await daemon.command('main', 'x', 'x');
  expect(await daemon.wait('worker_ended', undefined, 30_000)).toMatchObject({
    reason: 'memory',
    extension: 'x',
  });
});

// 50,000 notifications of one session delayed another's commands by seconds.
test('a flood of notifications, status items and calls is bounded, and its user is told', async () => {
  const daemon = await startDaemon();
  daemon.write(
    'x.ts',
    `export default (pi, session) => pi.registerCommand("x", { handler: async (args, ctx) => {
      for (let n = 0; n < 50_000; n += 1) {
        ctx.ui.notify("note " + n);
        ctx.ui.setStatus("k", "status " + n);
        void session.state.set("k", n);
        if (n % 1000 === 0) await new Promise((resolve) => setImmediate(resolve));
      }
      return String(await session.state.get("k"));
    } });`,
  );
  daemon.write('echo.ts', echo);
  await daemon.open('main', ['x.ts']);
  await daemon.open('calm', ['echo.ts']);
  const flood = daemon.command('main', 'x', 'x');
  const times: number[] = [];
  let over = false;
  flood.finally(() => {
    over = true;
  });
  while (!over) {
    const start = performance.now();
    await daemon.command('calm', 'echo', 'echo', 'there', { call: 'calm' });
    times.push(performance.now() - start);
  }
  expect(await flood).toBe('49999');
  times.sort((a, b) => a - b);
  expect(times[Math.floor(times.length * 0.5)]).toBeLessThan(50);
  const told = await daemon.wait('ui.notify', ({ text }) => /notifications were left out/.test(text), 30_000);
  expect(told).toMatchObject({ session: 'main', level: 'warning' });
  expect(daemon.notes('main').length).toBeLessThan(1000);
  expect(daemon.all('ui.status').length).toBeLessThan(1000);
  expect(daemon.all('ui.status').at(-1).text).toBe('status 49999');
});

test('only so many questions can be open', async () => {
  const daemon = await startDaemon();
  daemon.answers['ui.ask'] = () => new Promise(() => {});
  daemon.write(
    'x.ts',
    one(`let refused = 0;
      for (let n = 0; n < 1000; n += 1) ctx.ui.confirm("?").catch(() => { refused += 1; });
      await new Promise(setImmediate);
      return String(refused);`),
  );
  await daemon.open('main', ['x.ts']);
  expect(await daemon.command('main', 'x', 'x')).toBe('950');
  expect(daemon.all('ui.ask')).toHaveLength(50);
});

/** Blocks while it is imported. */
const heavy = (milliseconds: number) =>
  `const until = performance.now() + ${milliseconds}; while (performance.now() < until); export default () => {};`;

// An extension that needed 7 s to compile was ended on a busy machine, as if it were stuck.
test('loading may take longer than a handler, and its factory’s time begins afterwards', async () => {
  const daemon = await startDaemon({ stuckAfter: 2000, factoryTimeout: 1000 });
  daemon.write('x.ts', heavy(5000));
  expect(await daemon.open('main', ['x.ts'])).toMatchObject([{ status: 'loaded' }]);
  expect(daemon.all('worker_ended')).toEqual([]);
});

test('but not any CPU time, and what it was doing is told', async () => {
  const daemon = await startDaemon({ stuckAfter: 2000, loadingTime: 1000 });
  daemon.write('x.ts', heavy(60_000));
  const opened = daemon.open('main', ['x.ts']).catch((error) => error);
  const ended = await daemon.wait('worker_ended', undefined, 30_000);
  expect(ended).toMatchObject({ reason: 'stuck', extension: 'x' });
  expect(ended.detail).toMatch(/1000 ms of CPU time.*while importing x$/);
  await opened;
});

test('one that sleeps while it is loaded is stuck', async () => {
  const daemon = await startDaemon({ stuckAfter: 1000 });
  daemon.write(
    'x.ts',
    'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0); export default () => {};',
  );
  const opened = daemon.open('main', ['x.ts']).catch((error) => error);
  expect(await daemon.wait('worker_ended', undefined, 30_000)).toMatchObject({
    reason: 'stuck',
    extension: 'x',
  });
  await opened;
});

test('a flood of progress and of resources is bounded, and nothing of what counts is lost', async () => {
  const daemon = await startDaemon();
  daemon.write(
    'x.ts',
    `export default (pi, session) => {
      pi.registerTool({ name: "busy", execute: async (_id, _params, _signal, onUpdate) => {
        for (let n = 0; n <= 20_000; n += 1) onUpdate("step " + n);
        return "done";
      } });
      pi.registerCommand("x", { handler: async (args) => {
        for (let n = 0; n < Number(args); n += 1) {
          await session.resources.getOrCreate("r" + n, () => ({}));
          if (n > 0) await session.resources.close("r" + n);
        }
        return session.resources.list().map(({ key }) => key).join();
      } });
      pi.registerCommand("all", { handler: async () => {
        const all = Array.from({ length: 1001 }, (_, n) => session.resources.getOrCreate("k" + n, () => ({})));
        return Promise.any(all.slice(999).map((each) => each.then(() => Promise.reject(), ({ message }) => message)));
      } });
    };`,
  );
  await daemon.open('main', ['x.ts']);
  await daemon.tool('main', 'x', 'busy', {}, 'busy');
  const steps = daemon.all('progress', ({ call }) => call === 'busy').map(({ text }) => text);
  expect(steps.length).toBeLessThan(100);
  expect(steps.at(-1)).toBe('step 20000');
  const began = performance.now();
  expect(await daemon.command('main', 'x', 'x', '260')).toBe('r0');
  expect(performance.now() - began).toBeGreaterThan(900);
  expect(daemon.all('resource', ({ action }) => action === 'create')).toHaveLength(260);
  expect(daemon.all('resource', ({ action }) => action === 'close')).toHaveLength(259);
  expect(await daemon.command('main', 'x', 'all')).toBe(
    'an extension can hold at most 1000 resources; close some',
  );
});
