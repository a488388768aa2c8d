// The daemon dies and comes back: the runner outlives it, tells what it holds, and extensions notice nothing.

import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Daemon } from './daemon.ts';
import { startDaemon } from './start.ts';

/** Code that waits in a program until `release`. */
const untilReleased = 'await pi.exec("sh", ["-c", "until [ -e released ]; do sleep 0.02; done"]);';

function release(daemon: Daemon): void {
  writeFileSync(join(daemon.folder, 'released'), '');
}

const code = `export default async (pi, session) => {
  await session.resources.getOrCreate("r", () => ({}), { describe: () => "a thing", pids: () => [999999] });
  pi.on("user_bash", () => {});
  pi.registerTool({ name: "t", description: "T", parameters: { type: "object" }, execute: () => "" });
  pi.registerCommand("ask", { handler: async (_args, ctx) => String(await ctx.ui.confirm("Sure?")) });
  pi.registerCommand("later", { handler: async (_args, ctx) => {
    const all = [ctx.ui.confirm("Sure?"), session.state.set("k", 1), session.state.get("k"), session.terminals.create(), pi.exec("true", [], { keep: true })];
    globalThis.outcomes = (async () => (await Promise.allSettled(all)).map((each) => each.status + " " + (each.value ?? each.reason?.message)))();
  } });
  pi.registerCommand("outcomes", { handler: async () => JSON.stringify(await globalThis.outcomes) });
  pi.registerCommand("slow", { handler: async () => { ${untilReleased} console.info("slow is done"); return "slow"; } });
  pi.registerCommand("spawn", { handler: async () => { void pi.exec("sleep", ["600"]); } });
};`;

const hellos = (daemon: Daemon) => daemon.all('hello');

async function comeBack(daemon: Daemon, hellosBefore: number) {
  await daemon.listen();
  await daemon.until(() => hellos(daemon).length > hellosBefore, 'the runner did not come back');
  return hellos(daemon).at(-1);
}

test('hello tells everything that is held', async () => {
  const daemon = await startDaemon();
  const path = daemon.write('x.ts', code);
  expect(hellos(daemon)[0]).toEqual({
    protocol: 1,
    pid: daemon.runner?.pid,
    node: process.versions.node,
    sessions: [],
  });
  await daemon.open('main', ['x.ts']);
  await daemon.command('main', 'x', 'spawn');
  const { pids } = await daemon.wait('children');
  await daemon.reload('main', ['x.ts']);
  daemon.die();
  const { sessions } = await comeBack(daemon, 1);
  expect(sessions).toEqual([
    {
      id: 'main',
      extensions: [
        {
          name: 'x',
          path,
          generation: 2,
          commands: ['ask', 'later', 'outcomes', 'slow', 'spawn'].map((name) => ({ name })),
          tools: [{ name: 't', description: 'T', parameters: { type: 'object' } }],
          events: ['user_bash'],
          mustDecide: ['user_bash'],
        },
      ],
      resources: [
        { extension: 'x', generation: 2, key: 'r', description: 'a thing', pids: [999999], state: 'live' },
      ],
      children: pids,
    },
  ]);
});

test('calls wait for the next daemon; what may not happen twice is refused if it was under way', async () => {
  const daemon = await startDaemon();
  daemon.write('x.ts', code);
  await daemon.open('main', ['x.ts']);
  for (const method of ['ui.ask', 'state.set', 'state.get', 'terminal.create', 'process.start']) {
    daemon.answers[method] = () => new Promise(() => {});
  }
  await daemon.command('main', 'x', 'later');
  await daemon.wait('process.start');
  daemon.die();
  Object.assign(daemon.answers, {
    'ui.ask': () => true,
    'state.set': () => null,
    'state.get': () => 7,
    'process.start': () => ({ id: 'p', pid: 1 }),
  });
  await comeBack(daemon, 1);
  const refused = (method: string) =>
    `rejected the daemon was replaced during ${method}; the call may or may not have completed`;
  expect(JSON.parse(await daemon.command('main', 'x', 'outcomes'))).toEqual([
    ...['fulfilled true', 'fulfilled undefined', 'fulfilled 7'],
    ...[refused('terminal.create'), refused('process.start')],
  ]);
  expect(daemon.all('ui.ask')).toHaveLength(2);
  expect(daemon.all('terminal.create')).toHaveLength(1);
});

test('what happens while nobody listens: results are dropped, the log is kept, work goes on', async () => {
  const daemon = await startDaemon();
  daemon.write('x.ts', code);
  await daemon.open('main', ['x.ts']);
  void daemon.command('main', 'x', 'slow');
  const { pids } = await daemon.wait('children', (children) => children.pids.length > 0);
  daemon.die();
  daemon.told.length = 0;
  release(daemon);
  await daemon.until(() => !existsSync(`/proc/${pids[0]}`), 'the program did not end');
  await comeBack(daemon, 0);
  expect(await daemon.wait('log')).toMatchObject({ session: 'main', text: 'slow is done' });
  expect(await daemon.command('main', 'x', 'slow')).toBe('slow');
});

test('a load whose asker is gone is told to the next', async () => {
  const daemon = await startDaemon();
  daemon.write('x.ts', code);
  daemon.write('slow.ts', `export default async (pi) => { ${untilReleased} console.info("came"); };`);
  await daemon.open('main', ['x.ts']);
  void daemon.reload('main', ['x.ts', 'slow.ts']);
  await daemon.wait('children', ({ pids }) => pids.length > 0);
  daemon.die();
  const { sessions } = await comeBack(daemon, 1);
  expect(sessions[0]).toMatchObject({ id: 'main', loading: true });
  release(daemon);
  const { extensions } = await daemon.wait('loaded', ({ session }) => session === 'main');
  expect(extensions).toEqual([
    { name: 'x', generation: 2, status: 'loaded' },
    { name: 'slow', generation: 1, status: 'loaded' },
  ]);
});

test('a worker that dies while nobody listens is missing afterwards', async () => {
  const daemon = await startDaemon();
  daemon.write(
    'x.ts',
    `export default (pi) => pi.registerCommand("die", { handler: async (_args, ctx) => {
      ctx.ui.notify("soon"); ${untilReleased} process.exit(1); } });`,
  );
  await daemon.open('main', ['x.ts']);
  void daemon.command('main', 'x', 'die').catch(() => {});
  await daemon.wait('ui.notify');
  daemon.die();
  release(daemon);
  let sessions = [{}];
  const until = Date.now() + 5000;
  for (let times = 1; sessions.length > 0 && Date.now() < until; times += 1) {
    ({ sessions } = await comeBack(daemon, times));
    if (sessions.length > 0) daemon.die();
  }
  expect(sessions).toEqual([]);
});

test('a line that is too long is refused, here and there', async () => {
  const daemon = await startDaemon();
  daemon.write(
    'x.ts',
    `export default (pi, { state }) => {
      pi.registerCommand("big", { handler: () => "x".repeat(9_000_000) });
      pi.registerCommand("set", { handler: async () => { await state.set("k", "x".repeat(9_000_000)); } });
      pi.registerCommand("length", { handler: (args) => String(args.length) });
    };`,
  );
  await daemon.open('main', ['x.ts']);
  await expect(daemon.command('main', 'x', 'big')).rejects.toMatchObject({ code: -32003 });
  await expect(daemon.command('main', 'x', 'set')).rejects.toMatchObject({
    message: expect.stringContaining('8 MiB'),
  });
  expect(await daemon.command('main', 'x', 'length', 'ü'.repeat(3_000_000))).toBe('3000000');
  void daemon.command('main', 'x', 'length', 'x'.repeat(9_000_000));
  await daemon.until(() => hellos(daemon).length === 2, 'the runner did not connect anew');
});

test('a session that is open is not opened again', async () => {
  const daemon = await startDaemon();
  await daemon.open('main', []);
  await expect(daemon.open('main', [])).rejects.toMatchObject({ code: -32602 });
});

test('the runner ends when told, waits for a socket, and says what it is for', async () => {
  const daemon = await startDaemon();
  daemon.die();
  daemon.runner?.kill('SIGTERM');
  await daemon.until(() => daemon.runner?.exitCode === 0, 'the runner did not end');
  daemon.startRunner('--only', 'main');
  await daemon.listen();
  await daemon.until(() => hellos(daemon).length === 2, 'the runner did not come');
  expect(hellos(daemon)[1].only).toBe('main');
  const alone = spawnSync(process.execPath, [`${import.meta.dirname}/../dist/runner.mjs`], {
    encoding: 'utf8',
  });
  expect(alone).toMatchObject({ status: 2, stderr: expect.stringContaining('--socket') });
});
