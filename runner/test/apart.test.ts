// Sessions are threads of one process. What that lets them share by name or by accident.

import { expect, test } from 'vitest';
import { startDaemon } from './start.ts';

const two = async (code: string) => {
  const daemon = await startDaemon();
  daemon.write('x.ts', code);
  await daemon.open('a', ['x.ts']);
  await daemon.open('b', ['x.ts']);
  return daemon;
};

test('a channel and a lock of one name belong to each session', async () => {
  const daemon = await two(`
    import { BroadcastChannel as Other } from "node:worker_threads";
    const heard = [];
    const channel = new BroadcastChannel("news");
    channel.onmessage = ({ data }) => heard.push(data);
    export default (pi, session) => {
      pi.registerCommand("say", { handler: async (args) => {
        new BroadcastChannel("news").postMessage(args);
        new Other("news").postMessage(args + "!");
        while (heard.length < 2) await new Promise(setImmediate);
        return JSON.stringify([channel.name, heard]);
      } });
      pi.registerCommand("heard", { handler: () => JSON.stringify(heard) });
      pi.registerCommand("lock", { handler: () => {
        const { locks } = navigator;
        if (!locks) return "none";
        return new Promise((resolve) => locks.request("one", { ifAvailable: true }, async (lock) => {
          const { held } = await locks.query();
          resolve(lock?.name + " " + held.map(({ name }) => name));
          await new Promise(() => {});
        }));
      } });
    };`);
  expect(JSON.parse(await daemon.command('a', 'x', 'say', 'hi'))).toEqual(['news', ['hi', 'hi!']]);
  expect(await daemon.command('b', 'x', 'heard')).toBe('[]');
  for (const session of ['a', 'b'])
    expect(await daemon.command(session, 'x', 'lock')).toMatch(/^(one one|none)$/);
});

test.each([
  'process.kill(process.pid)',
  'process.kill(String(process.pid))',
  'process.kill(0, "SIGKILL")',
  'process.kill(process.pid, 9)',
])('%s ends one session', async (call) => {
  const daemon = await two(
    `export default (pi) => {
        pi.registerCommand("die", { handler: () => { ${call}; } });
        pi.registerCommand("alive", { handler: () => String(process.kill(process.pid, 0)) });
      };`,
  );
  daemon.command('a', 'x', 'die').catch(() => {});
  expect(await daemon.wait('worker_ended')).toMatchObject({ session: 'a', reason: 'exit', extension: 'x' });
  expect(await daemon.command('b', 'x', 'alive')).toBe('true');
  expect(daemon.runner?.exitCode).toBeNull();
});

test('a signal to the process reaches the listeners of the session that sent it', async () => {
  const daemon = await two(
    `export default (pi) => pi.registerCommand("x", { handler: () => new Promise((resolve) => {
      process.on("SIGUSR2", (name) => resolve(name));
      process.kill(process.pid, "SIGUSR2");
    }) });`,
  );
  expect(await daemon.command('a', 'x', 'x')).toBe('SIGUSR2');
});

// Afterwards, an error that nobody catches ended the thread.
test('removing all listeners of the process removes none of the runner’s', async () => {
  const daemon = await two(`export default (pi) => pi.registerCommand("x", { handler: () => {
    process.removeAllListeners();
    process.removeAllListeners("unhandledRejection");
    for (const each of process.listeners("uncaughtException")) process.off("uncaughtException", each);
    void Promise.reject(new Error("first"));
    setTimeout(() => { throw new Error("second"); }, 1);
  } });`);
  await daemon.command('a', 'x', 'x');
  for (const text of [
    /unhandled rejection at .*x\.ts:5:25: Error: first/,
    /uncaught exception at .*x\.ts:6:30: Error: second/,
  ])
    await daemon.wait('log', (params) => text.test(params.text));
  expect(daemon.all('worker_ended')).toEqual([]);
});

test('the place of an error is that in the source, never in Node', async () => {
  const daemon = await startDaemon();
  daemon.write(
    'x.ts',
    `type A<T> = { a: T }; const boom = (a: A<string>): never => { throw new Error("typed"); };
import { readFileSync } from "node:fs";
export default (pi: any) => {
  pi.registerCommand("typed", { handler: () => boom({ a: "" }) });
  pi.registerCommand("node", { handler: (): string => { const x: number = 1;   return readFileSync("/nowhere", "utf8"); } });
  pi.registerCommand("require", { handler: async () => { await import("node:nothing" as string); } });
};`,
  );
  await daemon.open('main', ['x.ts']);
  const place = async (command: string) => {
    const error = await daemon.command('main', 'x', command).catch((failure) => failure);
    return /x\.ts:(\d+:\d+)/.exec(error.data?.advice ?? '')?.[1] ?? error.data?.advice;
  };
  expect(await place('typed')).toBe('1:69');
  expect(await place('node')).toMatch(/^5:(87|99)$/);
  expect((await place('require')) ?? 'none').not.toMatch(/modules/);
});
