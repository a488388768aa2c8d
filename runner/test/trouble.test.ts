// When something goes wrong in one session: what is told of it, and that the others do not notice.

import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Daemon } from './daemon.ts';
import { startDaemon } from './start.ts';

/** How long a worker may block before it is ended. Whoever had to wait for it would take as long. */
const stuckAfter = 1000;

const echo = 'export default (pi) => pi.registerCommand("echo", { handler: (args) => args });';

/** Commands of a session, one after the other, until told to stop; returns the longest time that one took. */
function keepAsking(daemon: Daemon, session: string): () => Promise<number> {
  let stop = false;
  const asking = (async () => {
    let longest = 0;
    while (!stop) {
      const start = performance.now();
      expect(await daemon.command(session, 'echo', 'echo', 'there', { call: `${session} echo` })).toBe(
        'there',
      );
      longest = Math.max(longest, performance.now() - start);
    }
    return longest;
  })();
  return () => {
    stop = true;
    return asking;
  };
}

test.each([
  ['an endless loop', 'for (;;) {}', 'stuck', /blocked for 1000 ms/],
  [
    'a thread that sleeps',
    'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);',
    'stuck',
    /blocked/,
  ],
  [
    'objects without end',
    'const all = []; for (let n = 0; ; n += 1) all.push({ n });',
    'memory',
    /more than 64 MiB/,
  ],
  ['an array without end', 'const all = []; for (;;) all.push(1);', 'memory', /more than 64 MiB/],
  [
    'buffers without end',
    'const all = []; for (;;) all.push(Buffer.alloc(100000));',
    'memory',
    /more than 64 MiB/,
  ],
  ['process.exit', 'process.exit(7);', 'exit', /exit code 7/],
])('%s ends one worker, and the others do not wait for it', async (_what, code, reason, detail) => {
  // On a busy machine, a worker that fills its memory blocks for longer than that, too.
  const limit = reason === 'stuck' ? stuckAfter : 60_000;
  const daemon = await startDaemon({ stuckAfter: limit, memory: 64 * 1024 * 1024 });
  daemon.write('echo.ts', echo);
  daemon.write('bad.ts', `export default (pi) => pi.registerCommand("bad", { handler: () => { ${code} } });`);
  await daemon.open('calm', ['echo.ts']);
  await daemon.open('main', ['bad.ts']);
  const stop = keepAsking(daemon, 'calm');
  const bad = daemon.command('main', 'bad', 'bad').catch((error) => error);
  const ended = await daemon.wait('worker_ended');
  expect(ended).toMatchObject({ session: 'main', reason });
  expect(ended.detail).toMatch(detail);
  expect((await bad).message).toContain(`has ended (${reason})`);
  expect(await daemon.open('main', ['bad.ts'], { reason: 'recover' })).toMatchObject([{ status: 'loaded' }]);
  expect(await stop()).toBeLessThan(stuckAfter / 2);
});

test('errors that nobody catches are written to the log with extension and place, and end nothing', async () => {
  const daemon = await startDaemon();
  daemon.write('echo.ts', echo);
  daemon.write(
    'bad.ts',
    `export default (pi) => {
      pi.registerCommand("rejects", { handler: () => { void Promise.reject(new Error("first")); } });
      pi.registerCommand("throws", { handler: () => { setTimeout(() => { throw new Error("second"); }, 1); } });
      pi.registerCommand("odd", { handler: () => { setImmediate(() => { throw "third"; }); } });
    };`,
  );
  await daemon.open('calm', ['echo.ts']);
  await daemon.open('main', ['echo.ts', 'bad.ts']);
  const stop = keepAsking(daemon, 'calm');
  const expected = [
    ['rejects', /unhandled rejection at .*\/bad\.ts:2:\d+: Error: first/],
    ['throws', /uncaught exception at .*\/bad\.ts:3:\d+: Error: second/],
    ['odd', /uncaught exception: third/],
  ] as const;
  for (const [command, text] of expected) {
    await daemon.command('main', 'bad', command);
    const log = await daemon.wait('log', (params) => text.test(params.text));
    expect(log).toMatchObject({ session: 'main', extension: 'bad', generation: 1, level: 'error' });
  }
  expect(await daemon.command('main', 'echo', 'echo', 'still')).toBe('still');
  await stop();
  expect(daemon.all('worker_ended')).toEqual([]);
});

test('a worker that is busy but answers is not stuck', async () => {
  const daemon = await startDaemon({ stuckAfter });
  daemon.write(
    'busy.ts',
    `export default (pi) => pi.registerCommand("work", { handler: () => new Promise((resolve) => {
      const until = Date.now() + ${2 * stuckAfter};
      const step = () => { if (Date.now() < until) setImmediate(step); else resolve("done"); };
      step();
    }) });`,
  );
  await daemon.open('main', ['busy.ts']);
  expect(await daemon.command('main', 'busy', 'work')).toBe('done');
  expect(daemon.all('worker_ended')).toEqual([]);
});

test('a worker can be ended at once', async () => {
  const daemon = await startDaemon();
  daemon.write(
    'bad.ts',
    'export default (pi) => pi.registerCommand("bad", { handler: () => { for (;;) {} } });',
  );
  await daemon.open('main', ['bad.ts']);
  const bad = daemon.command('main', 'bad', 'bad').catch((error) => error);
  expect(await daemon.call('session.kill', { session: 'main' })).toBeNull();
  expect(daemon.all('worker_ended')).toEqual([{ session: 'main', reason: 'killed' }]);
  expect((await bad).message).toContain('has ended (killed)');
});

/** Whether a process runs; what has ended and was not waited for does not. */
function runs(pid: number): boolean {
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

test.each([
  ['dies', () => ({ method: 'session.kill', more: {} })],
  ['is closed', () => ({ method: 'session.close', more: { reason: 'close' } })],
])(
  'programs end with the worker that started them when it %s, unless a resource names them',
  async (_how, end) => {
    const daemon = await startDaemon();
    daemon.write(
      'x.ts',
      `import { spawn, exec, execFile } from "node:child_process";
    export default async (pi, session) => pi.registerCommand("start", { handler: async () => {
      const kept = await session.resources.getOrCreate("kept", () => spawn("sleep", ["600"]), { pids: (child) => [child.pid] });
      const stubborn = spawn("sh", ["-c", "trap '' TERM; echo ready; while :; do sleep 0.1; done"]);
      await new Promise((resolve) => stubborn.stdout.once("data", resolve));
      const others = [spawn("sleep", ["600"]), execFile("sleep", ["600"], () => {}), stubborn];
      await pi.exec("true");
      return JSON.stringify([kept.pid, ...others.map((child) => child.pid)]);
    } });`,
    );
    await daemon.open('main', ['x.ts']);
    const [kept, ...others] = JSON.parse(await daemon.command('main', 'x', 'start')) as number[];
    const told = daemon.all('children').at(-1);
    expect(new Set(told.pids)).toEqual(new Set([kept, ...others]));
    expect([kept, ...others].map((pid) => runs(pid as number))).toEqual([true, true, true, true]);
    const { method, more } = end();
    await daemon.call(method, { session: 'main', ...more });
    await daemon.until(() => others.every((pid) => !runs(pid)), 'programs still run');
    if (method === 'session.close') expect(others.filter((pid) => existsSync(`/proc/${pid}`))).toEqual([]);
    expect(runs(kept as number)).toBe(true);
    process.kill(kept as number, 'SIGKILL');
  },
);

test('the session’s directory is the current one', async () => {
  const daemon = await startDaemon();
  daemon.write('work/here.txt', 'text');
  daemon.write(
    'x.ts',
    `import fs, { readFileSync } from "node:fs";
    import { readFile, writeFile, rename, symlink, readlink } from "node:fs/promises";
    import { resolve } from "node:path";
    import { exec, execFileSync, execSync, spawnSync, fork } from "node:child_process";
    import { promisify } from "node:util";
    export default (pi) => pi.registerCommand("x", { handler: async () => {
      await writeFile("new.txt", "new");
      await rename("new.txt", "newer.txt");
      await symlink("newer.txt", "link.txt");
      fs.writeFileSync("child.cjs", "process.send(process.cwd())");
      let chdir; try { process.chdir("/"); } catch (error) { chdir = error.message; }
      return JSON.stringify({
        cwd: process.cwd(), path: resolve("a"), pwd: process.env.PWD,
        reads: [readFileSync("here.txt", "utf8"), await readFile("newer.txt", "utf8"), fs.existsSync("here.txt"),
          await readlink("link.txt"), fs.realpathSync.native("here.txt"), readFileSync("../x.ts", "utf8").length > 0,
          await new Promise((done) => fs.createReadStream("here.txt", "utf8").on("data", done)),
          await new Promise((done) => fs.stat("here.txt", (_error, { size }) => done(size)))],
        children: [(await pi.exec("pwd")).stdout, (await promisify(exec)("pwd")).stdout, execSync("pwd").toString(),
          execFileSync("pwd", { encoding: "utf8" }), spawnSync("pwd", []).stdout.toString(),
          (await pi.exec("pwd", [], { cwd: ".." })).stdout, execSync("pwd", { cwd: "/" }).toString(),
          await new Promise((done) => fork("child.cjs").on("message", done))].map((each) => each.trim()),
        chdir,
      });
    } });`,
  );
  const cwd = realpathSync(`${daemon.folder}/extensions/work`);
  await daemon.open('main', ['x.ts'], { cwd });
  const above = realpathSync(`${daemon.folder}/extensions`);
  expect(JSON.parse(await daemon.command('main', 'x', 'x'))).toEqual({
    cwd,
    path: `${cwd}/a`,
    pwd: cwd,
    reads: ['text', 'new', true, 'newer.txt', `${cwd}/here.txt`, true, 'text', 4],
    children: [cwd, cwd, cwd, cwd, cwd, above, '/', cwd],
    chdir: expect.stringContaining('process.chdir'),
  });
});
