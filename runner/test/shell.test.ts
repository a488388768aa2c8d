// `! command`: what handlers of user_bash answer, and commands that an extension runs itself.

import { expect, test } from 'vitest';
import type { Any } from './daemon.ts';
import { startDaemon } from './start.ts';

async function deciding(body: string, options = '') {
  const daemon = await startDaemon();
  daemon.write(
    'vm.ts',
    `export default (pi) => { pi.on("user_bash", async (event, ctx) => { ${body} }${options}); };`,
  );
  await daemon.open('main', ['vm.ts']);
  const decide = (call = 'c1') =>
    daemon.call('event', { session: 'main', name: 'user_bash', data: { command: 'ls', cwd: '/' }, call });
  const run = (call = 'c1'): Promise<Any> =>
    daemon.call('shell.run', { session: 'main', call, command: 'ls', cwd: '/' });
  return { daemon, decide, run };
}

// A handler that threw was passed over, and the command ran on the host.
test.each([
  ['throws', 'throw new Error("no VM");', /it failed at .*vm\.ts:1:\d+: Error: no VM/],
  ['returns something unknown', 'return { vm: "one" };', /its answer is invalid/],
  ['returns operations without exec', 'return { operations: {} };', /its answer is invalid/],
])('a handler that %s refuses the command', async (_what, body, reason) => {
  const { daemon, decide } = await deciding(body);
  expect(await decide()).toEqual({ refused: { extension: 'vm', reason: expect.stringMatching(reason) } });
  expect(daemon.all('registered').at(-1).mustDecide).toEqual(['user_bash']);
});

test('one that says it need not decide is passed over', async () => {
  const { daemon, decide } = await deciding('throw new Error("no VM");', ', { mustDecide: false }');
  expect(await decide()).toBeNull();
  expect(daemon.all('registered').at(-1).mustDecide).toEqual([]);
});

const exec = (body: string) =>
  `return { operations: { exec: async (command, cwd, { onData, signal }) => { ${body} } } };`;

test('operations run the command, and their output is passed on', async () => {
  const { daemon, decide, run } = await deciding(
    exec('onData(Buffer.from(command + " in " + cwd)); onData("\\n"); return { exitCode: 3 };'),
  );
  expect(await decide()).toEqual({ operations: { extension: 'vm' } });
  expect(await run()).toEqual({ output: 'ls in /\n', exitCode: 3 });
  expect(
    daemon
      .all('progress')
      .map(({ text }) => text)
      .join(''),
  ).toBe('ls in /\n');
  await expect(run()).rejects.toThrow('is gone');
});

test('operations that fail are an error with its place', async () => {
  const { decide, run } = await deciding(exec('throw new Error("the VM died");'));
  await decide();
  await expect(run()).rejects.toThrow('the VM died');
});

test('cancelling the call aborts them', async () => {
  const { daemon, decide, run } = await deciding(
    exec(
      'onData("begun"); await new Promise((_, reject) => { signal.onabort = () => reject(new Error("ended")); });',
    ),
  );
  await decide();
  const running = run().catch((error) => error);
  await daemon.wait('progress');
  daemon.notify('cancel', { call: 'c1' });
  expect((await running).message).toBe('ended');
});

test('a flood of output is bounded', async () => {
  const { daemon, decide, run } = await deciding(
    exec('for (let n = 0; n < 200_000; n += 1) onData("x".repeat(100)); return { exitCode: null };'),
  );
  await decide();
  const { output, exitCode } = await run();
  expect(exitCode).toBe(128);
  expect(output.length).toBeLessThan(600_000);
  expect(daemon.all('progress').length).toBeLessThan(20);
});
