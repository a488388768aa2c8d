// What stays over reloads: every state and every way to get there.

import { expect, test } from 'vitest';
import type { Any, Daemon } from './daemon.ts';
import { startDaemon } from './start.ts';

/** An extension that holds what its `hold` says. */
const holder = (claims: string[]) => `
  export default async (pi, session) => {
    const hold = (key) => session.resources.getOrCreate(key, () => {
      globalThis.made = (globalThis.made ?? 0) + 1;
      return { key, n: globalThis.made };
    }, {
      close: (it) => console.info("close " + it.key + it.n),
      describe: (it) => "the " + it.key + it.n,
      pids: () => [999999],
    });
    for (const key of ${JSON.stringify(claims)}) await hold(key);
    pi.registerCommand("get", { handler: (key) => JSON.stringify(session.resources.get(key) ?? null) });
    pi.registerCommand("list", { handler: () => JSON.stringify(session.resources.list()) });
    pi.registerCommand("hold", { handler: async (key) => { await hold(key); } });
    pi.registerCommand("close", { handler: async (key) => String(await session.resources.close(key)) });
  };`;

const notes = (daemon: Daemon) =>
  daemon.all('resource').map(({ key, action, generation }) => `${action} ${key} ${generation}`);
const list = async (daemon: Daemon): Promise<Any> => JSON.parse(await daemon.command('main', 'x', 'list'));

test('create, reload, adopt, orphan, adopt again, close', async () => {
  const daemon = await startDaemon();
  daemon.write('x.ts', holder(['a', 'b']));
  await daemon.open('main', ['x.ts']);
  expect(daemon.all('resource')[0]).toEqual({
    session: 'main',
    extension: 'x',
    generation: 1,
    key: 'a',
    action: 'create',
    description: 'the a1',
    pids: [999999],
  });
  daemon.write('x.ts', holder(['a']));
  await daemon.reload('main', ['x.ts']);
  expect(await list(daemon)).toEqual([
    { key: 'a', description: 'the a1', state: 'live' },
    { key: 'b', description: 'the b2', state: 'orphan' },
  ]);
  expect(await daemon.command('main', 'x', 'get', 'b')).toBe('{"key":"b","n":2}');
  expect((await list(daemon))[1].state).toBe('live');
  expect(await daemon.command('main', 'x', 'close', 'b')).toBe('true');
  expect(await daemon.command('main', 'x', 'close', 'b')).toBe('false');
  expect(await daemon.command('main', 'x', 'get', 'b')).toBe('null');
  expect(notes(daemon)).toEqual([
    ...[
      'create a 1',
      'create b 1',
      'reload a 2',
      'reload b 2',
      'adopt a 2',
      'orphan b 2',
      'adopt b 2',
      'close b 2',
    ],
  ]);
  expect(daemon.all('log').map(({ text }) => text)).toEqual(['close b2']);
});

test('what session_start asks for is no orphan', async () => {
  const daemon = await startDaemon();
  daemon.write(
    'x.ts',
    `export default (pi, session) => pi.on("session_start", async () => {
      await pi.exec("sleep", ["0.05"]); await session.resources.getOrCreate("a", () => 1); });`,
  );
  await daemon.open('main', ['x.ts']);
  await daemon.reload('main', ['x.ts']);
  expect(notes(daemon)).toEqual(['create a 1', 'reload a 2', 'adopt a 2']);
});

test('it is made once, however many ask, and a failure is told to all of them', async () => {
  const daemon = await startDaemon();
  daemon.write(
    'x.ts',
    `export default (pi, { resources }) => {
      let made = 0;
      const create = async () => { made += 1; await pi.exec("sleep", ["0.05"]); if (made === 1) throw new Error("first"); return made; };
      const many = () => Promise.allSettled(Array.from({ length: 20 }, () => resources.getOrCreate("a", create)));
      pi.registerCommand("x", { handler: async () => {
        const outcomes = (await many()).map((each) => each.value ?? each.reason.message);
        return [...new Set(outcomes)].join() + " " + made;
      } });
    };`,
  );
  await daemon.open('main', ['x.ts']);
  expect(await daemon.command('main', 'x', 'x')).toBe('first 1');
  expect(await daemon.command('main', 'x', 'x')).toBe('2 2');
  expect(notes(daemon)).toEqual(['create a 1']);
});

test('what is still being made during a reload belongs to whoever asks then', async () => {
  const daemon = await startDaemon();
  const code = (claims: boolean) => `export default (pi, { resources }) => {
    const get = (key) => resources.getOrCreate(key, () => new Promise((resolve) => { (globalThis.finish ??= []).push(resolve); }));
    pi.registerCommand("make", { handler: (key, ctx) => { ctx.ui.notify("making " + key); return get(key); } });
    pi.registerCommand("finish", { handler: () => globalThis.finish.forEach((finish) => finish("done")) });
    ${claims ? 'void get("a");' : ''}
  };`;
  daemon.write('x.ts', code(false));
  await daemon.open('main', ['x.ts']);
  const made = ['a', 'b'].map((key) => daemon.command('main', 'x', 'make', key));
  await daemon.wait('ui.notify', ({ text }) => text === 'making b');
  daemon.write('x.ts', code(true));
  await daemon.reload('main', ['x.ts']);
  await daemon.command('main', 'x', 'finish');
  expect(await Promise.all(made)).toEqual(['done', 'done']);
  await daemon.until(() => notes(daemon).length === 5, 'not all was told');
  expect(notes(daemon).sort()).toEqual(['adopt a 2', 'create a 2', 'create b 2', 'orphan a 2', 'orphan b 2']);
});

test('keys are the extension’s own', async () => {
  const daemon = await startDaemon();
  daemon.write('x.ts', holder(['a']));
  daemon.write('y.ts', holder(['a']));
  await daemon.open('main', ['x.ts', 'y.ts']);
  expect(await daemon.command('main', 'x', 'get', 'a')).toBe('{"key":"a","n":1}');
  expect(await daemon.command('main', 'y', 'get', 'a')).toBe('{"key":"a","n":2}');
});

const closing = (options: string) => `export default (pi, { resources }) => {
  pi.registerCommand("close", { handler: async () => { await resources.close("a"); } });
  pi.registerCommand("there", { handler: () => String(resources.get("a") !== undefined) });
  return resources.getOrCreate("a", () => 1, { ${options} });
};`;

test.each([
  ['ends', 'close: async () => {}, pids: () => [999999]', { closed: true }],
  ['fails', 'close: () => { throw new Error("stuck fast"); }', { closed: false, error: 'stuck fast' }],
  ['hangs', 'close: () => new Promise(() => {})', { closed: false, error: 'close took longer than 100 ms' }],
  ['is missing', 'pids: () => [999999]', { closed: false, error: 'it has no close function' }],
  ['is not needed', '', { closed: true }],
])('closing from outside when close %s', async (_how, options, result) => {
  const daemon = await startDaemon({ closeTimeout: 100 });
  daemon.write('x.ts', closing(options));
  await daemon.open('main', ['x.ts']);
  expect(await daemon.call('resource.close', { session: 'main', extension: 'x', key: 'a' })).toEqual(result);
  expect(daemon.all('resource', ({ action }) => action === 'close')).toHaveLength(result.closed ? 1 : 0);
  expect(await daemon.command('main', 'x', 'there')).toBe('false');
  expect(await daemon.call('resource.close', { session: 'main', extension: 'x', key: 'a' })).toEqual({
    closed: false,
    error: 'there is no resource a',
  });
});

test('an extension whose close fails still has it', async () => {
  const daemon = await startDaemon();
  daemon.write('x.ts', closing('close: () => { throw new Error("stuck fast"); }'));
  await daemon.open('main', ['x.ts']);
  await expect(daemon.command('main', 'x', 'close')).rejects.toMatchObject({
    message: 'closing a: stuck fast',
  });
  expect(await daemon.command('main', 'x', 'there')).toBe('true');
});

test.each(['close', 'quit'])(
  '%s closes everything, also what removed extensions have left',
  async (reason) => {
    const daemon = await startDaemon({ closeTimeout: 100 });
    daemon.write('x.ts', holder(['a']));
    daemon.write('y.ts', closing('close: () => new Promise(() => {})'));
    daemon.write(
      'z.ts',
      'export default (pi) => pi.on("session_shutdown", (event, ctx) => ctx.ui.notify("bye " + event.reason));',
    );
    await daemon.open('main', ['x.ts', 'y.ts', 'z.ts']);
    await daemon.reload('main', ['y.ts', 'z.ts']);
    const { resources } = await daemon.call('session.close', { session: 'main', reason });
    expect(resources).toEqual([
      { extension: 'x', key: 'a', closed: true },
      { extension: 'y', key: 'a', closed: false, error: 'close took longer than 100 ms' },
    ]);
    expect(daemon.notes().at(-1)).toBe(`bye ${reason}`);
    expect(daemon.all('worker_ended')).toEqual([]);
    await expect(daemon.command('main', 'z', 'x')).rejects.toMatchObject({ code: -32002 });
    expect(await daemon.open('main', ['z.ts'])).toMatchObject([{ status: 'loaded' }]);
  },
);

test('a description that fails is reported, and the resource is there all the same', async () => {
  const daemon = await startDaemon();
  daemon.write('x.ts', closing('describe: () => { throw new Error("shy"); }'));
  await daemon.open('main', ['x.ts']);
  expect(daemon.all('resource')).toMatchObject([{ key: 'a', action: 'create', description: 'a' }]);
  expect(daemon.all('log')).toMatchObject([
    { level: 'warning', text: expect.stringMatching(/x\.ts:\d+.*shy/) },
  ]);
});
