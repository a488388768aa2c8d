// Reload: its order, what it keeps, and what happens when the new code is no good.

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Daemon } from './daemon.ts';
import { startDaemon } from './start.ts';

/** Tells everything that happens to it. */
const teller = (mark: string, more = '') => `
  globalThis.loads = (globalThis.loads ?? 0) + 1;
  export default async (pi, session) => {
    const say = (text) => pi.events.emit("say", "${mark}" + session.generation + " " + text);
    pi.events.on("say", (text) => console.info(text));
    say("factory " + session.reason);
    for (const name of ["session_before_reload", "session_shutdown", "session_start", "session_switch"])
      pi.on(name, async (event) => { await null; say(name + " " + (event.reason ?? event.n ?? "")); });
    pi.registerCommand("who", { handler: () => "${mark}" + session.generation + " " + globalThis.loads });
    ${more}
  };`;

const said = (daemon: Daemon) => daemon.all('log', ({ level }) => level === 'info').map(({ text }) => text);

test('the order is the documented one, and what arrives meanwhile waits', async () => {
  const daemon = await startDaemon();
  daemon.write('x.ts', teller('a'));
  await daemon.open('main', ['x.ts']);
  // The answer it waits for is sent after everything that the test sends below.
  daemon.write('x.ts', teller('b', 'await session.state.get("anything");'));
  const before = daemon.told.length;
  const reload = daemon.reload('main', ['x.ts']);
  const later = [1, 2, 3].map((n) => daemon.event('main', 'session_switch', { n }));
  const command = daemon.command('main', 'x', 'who');
  expect(await reload).toEqual([{ name: 'x', generation: 2, status: 'loaded' }]);
  expect(await command).toBe('b2 2');
  await Promise.all(later);
  expect(said(daemon)).toEqual([
    ...[
      'a1 factory startup',
      'a1 session_start startup',
      'a1 session_before_reload ',
      'a1 session_shutdown reload',
    ],
    ...[
      'b2 factory reload',
      'b2 session_start reload',
      'b2 session_switch 1',
      'b2 session_switch 2',
      'b2 session_switch 3',
    ],
  ]);
  const methods = daemon.told.slice(before).map(({ method }) => method);
  expect(methods.filter((method) => method === 'registered')).toHaveLength(1);
});

test('the session is the same object, and globalThis stays', async () => {
  const daemon = await startDaemon();
  const code = `export default (pi, session) => {
    const same = globalThis.kept === undefined || globalThis.kept === session;
    globalThis.kept = session;
    pi.registerCommand("x", { handler: () => same + " " + session.generation + " " + session.reason });
  };`;
  daemon.write('x.ts', code);
  await daemon.open('main', ['x.ts']);
  expect(await daemon.command('main', 'x', 'x')).toBe('true 1 startup');
  await daemon.reload('main', ['x.ts']);
  expect(await daemon.command('main', 'x', 'x')).toBe('true 2 reload');
});

const good = teller('good', 'await session.resources.getOrCreate("r", () => ({}), {});');

test.each([
  [
    'a syntax error',
    { 'x/index.ts': 'export default () => {\n  const = 1;\n};' },
    'x/index.ts',
    2,
    9,
    /Unexpected/,
  ],
  [
    'a syntax error in a nested file',
    {
      'x/index.ts': 'import "./a";\nexport default () => {};',
      'x/a.ts': 'export * from "./b";',
      'x/b.ts': '\n\nlet x: = 1;',
    },
    ...(['x/b.ts', 3, 8, /Unexpected/] as const),
  ],
  [
    'an import that is missing',
    { 'x/index.ts': 'import fs from "node:fs";\nimport { a } from "./gone";\nexport default () => a(fs);' },
    ...(['x/index.ts', 2, 1, /cannot find \.\/gone/] as const),
  ],
  [
    'a package that is missing',
    { 'x/index.ts': 'import { a } from "no-such-package";\nexport default () => a;' },
    ...(['x/index.ts', 1, 1, /cannot find no-such-package/] as const),
  ],
])('%s leaves the old code as it is', async (_what, files, file, line, column, message) => {
  const daemon = await startDaemon();
  daemon.write('x/index.ts', good);
  await daemon.open('main', ['x/index.ts']);
  const before = said(daemon).length;
  for (const [name, code] of Object.entries(files)) daemon.write(name, code);
  const [outcome] = await daemon.reload('main', ['x/index.ts']);
  const path = join(daemon.folder, 'extensions', file);
  const error = { file: path, line, column, message: expect.stringMatching(message) };
  expect(outcome).toEqual({ name: 'x', generation: 1, status: 'kept', error });
  expect(await daemon.command('main', 'x', 'who', '', { generation: 1 })).toBe('good1 1');
  expect(said(daemon)).toHaveLength(before);
  expect(daemon.all('resource').map(({ action }) => action)).toEqual(['create']);
});

test('an entry that is gone leaves the old code as it is', async () => {
  const daemon = await startDaemon();
  const file = daemon.write('x.ts', good);
  await daemon.open('main', ['x.ts']);
  rmSync(file);
  const [outcome] = await daemon.reload('main', ['x.ts']);
  expect(outcome).toMatchObject({
    status: 'kept',
    error: { file, message: expect.stringContaining('ENOENT') },
  });
});

test.each([
  ['throws', 'export default () => {\n  throw new Error("no luck");\n};', 2, /no luck/],
  ['rejects', 'export default async () => {\n  await null;\n  throw new Error("no luck");\n};', 3, /no luck/],
  ['throws while it is imported', 'const x = undefined;\nx.y;\nexport default () => {};', 2, /undefined/],
  [
    'hangs',
    'export default (pi) => { globalThis.hung = pi; return new Promise(() => {}); };',
    undefined,
    /longer than 200 ms/,
  ],
  [
    'hangs while it is imported',
    'await new Promise(() => {}); export default () => {};',
    undefined,
    /longer than 200 ms/,
  ],
])('new code that %s is told, and the old code starts again', async (_what, code, line, message) => {
  const daemon = await startDaemon({ factoryTimeout: 200 });
  const file = daemon.write('x.ts', good);
  await daemon.open('main', ['x.ts']);
  daemon.write('x.ts', code);
  const [outcome] = await daemon.reload('main', ['x.ts']);
  expect(outcome).toMatchObject({ name: 'x', generation: 2, status: 'restarted' });
  expect(outcome.error.message).toMatch(message);
  if (line !== undefined) expect(outcome.error).toMatchObject({ file, line });
  expect(await daemon.command('main', 'x', 'who')).toBe('good2 1');
  const actions = daemon.all('resource').map(({ action, generation }) => action + generation);
  expect(actions).toEqual(['create1', 'reload2', 'adopt2']);
  daemon.write('x.ts', good);
  expect(await daemon.reload('main', ['x.ts'])).toMatchObject([{ generation: 3, status: 'loaded' }]);
});

test('what a failed factory left behind has no effect', async () => {
  const daemon = await startDaemon({ factoryTimeout: 150 });
  daemon.write('x.ts', good);
  await daemon.open('main', ['x.ts']);
  daemon.write(
    'x.ts',
    `export default async (pi) => {
      pi.registerCommand("who", { handler: () => "bad" });
      setInterval(() => console.info("bad tick"), 5);
      globalThis.later = () => pi.registerCommand("late", { handler: () => "bad" });
      await new Promise(() => {});
    };`,
  );
  await daemon.reload('main', ['x.ts']);
  daemon.write('x.ts', good);
  daemon.write(
    'y.ts',
    'export default (pi) => pi.registerCommand("late", { handler: () => globalThis.later() });',
  );
  const ticks = daemon.all('log', ({ text }) => text === 'bad tick').length;
  await daemon.reload('main', ['x.ts', 'y.ts']);
  await expect(daemon.command('main', 'y', 'late')).rejects.toMatchObject({
    code: -32001,
    message: 'this is generation 2 of x in session main; it could not be loaded',
  });
  expect(daemon.all('log', ({ text }) => text === 'bad tick')).toHaveLength(ticks);
});

test('a first load that fails says why', async () => {
  const daemon = await startDaemon();
  daemon.write('a.ts', 'export default () => {');
  daemon.write('b.ts', 'export default () => { throw new Error("b"); };');
  daemon.write('c.ts', 'export default (pi) => pi.registerCommand("c", { handler: () => "c" });');
  expect(await daemon.open('main', ['a.ts', 'b.ts', 'c.ts'])).toMatchObject([
    { name: 'a', status: 'failed', error: { line: 1 } },
    { name: 'b', status: 'failed', error: { message: 'b', line: 1 } },
    { name: 'c', status: 'loaded' },
  ]);
  expect(await daemon.command('main', 'c', 'c')).toBe('c');
});

test('session_shutdown that hangs is not waited for longer than its limit', async () => {
  const daemon = await startDaemon({ handlerTimeout: 100 });
  daemon.write('x.ts', 'export default (pi) => pi.on("session_shutdown", () => new Promise(() => {}));');
  daemon.write('y.ts', teller('y'));
  await daemon.open('main', ['x.ts', 'y.ts']);
  const start = performance.now();
  expect(await daemon.reload('main', ['x.ts', 'y.ts'])).toMatchObject([
    { status: 'loaded' },
    { status: 'loaded' },
  ]);
  expect(performance.now() - start).toBeLessThan(2000);
  expect(said(daemon)).toContain('y1 session_shutdown reload');
});

test('session_shutdown may still save state', async () => {
  const daemon = await startDaemon();
  daemon.write(
    'x.ts',
    `export default (pi, { state }) => pi.on("session_shutdown", async (_event, ctx) => {
      await state.set("saved", 1); ctx.ui.notify("saved"); });`,
  );
  await daemon.open('main', ['x.ts']);
  await daemon.reload('main', ['x.ts']);
  expect(daemon.all('state.set')).toMatchObject([{ generation: 1, key: 'saved' }]);
  expect(daemon.notes()).toEqual(['saved']);
});

test('extensions come and go by a reload', async () => {
  const daemon = await startDaemon();
  daemon.write(
    'a.ts',
    teller(
      'a',
      'await session.resources.getOrCreate("r", () => ({}), { close: () => console.info("closed r") });',
    ),
  );
  daemon.write('b.ts', teller('b'));
  await daemon.open('main', ['a.ts']);
  expect(await daemon.reload('main', ['b.ts'])).toEqual([{ name: 'b', generation: 1, status: 'loaded' }]);
  expect(said(daemon)).toContain('a1 session_shutdown reload');
  await expect(daemon.command('main', 'a', 'who')).rejects.toMatchObject({ code: -32002 });
  expect(daemon.all('resource').map(({ extension, action }) => `${extension} ${action}`)).toEqual([
    'a create',
    'a orphan',
  ]);
  const closed = await daemon.call('resource.close', { session: 'main', extension: 'a', key: 'r' });
  expect(closed).toEqual({ closed: true });
  expect(said(daemon)).toContain('closed r');
  expect(await daemon.reload('main', ['a.ts', 'b.ts'])).toMatchObject([
    { name: 'a', generation: 2, status: 'loaded' },
    { name: 'b', generation: 2, status: 'loaded' },
  ]);
});

// Its question stayed on the screen, and nobody was left who would take the answer.
test('a factory that fails while it asks something has its question withdrawn', async () => {
  const daemon = await startDaemon();
  daemon.answers['ui.ask'] = () => new Promise(() => {});
  daemon.write(
    'x.ts',
    `export default (pi) => {
      pi.on("session_start", (_event, ctx) => { globalThis.ui = ctx.ui; });
      if (globalThis.ui) throw new Error("no");
    };`,
  );
  await daemon.open('main', ['x.ts']);
  await daemon.reload('main', ['x.ts']);
  const generations = daemon.all('ui.withdraw').map(({ generation }) => generation);
  expect(generations).toContain(2);
});
