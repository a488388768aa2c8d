// Every event, and what handlers decide.

import { expect, test } from 'vitest';
import { startDaemon } from './start.ts';

const names = [
  ...['session_before_switch', 'session_switch', 'user_bash', 'terminal_before_create', 'terminal_created'],
  ...['terminal_attached', 'terminal_orphaned', 'terminal_closed', 'terminal_exited'],
];

test('all events arrive with their data, in order', async () => {
  const daemon = await startDaemon();
  const watch = (mark: string) => `export default (pi) => {
    for (const name of ${JSON.stringify(['session_start', 'session_shutdown', ...names])})
      pi.on(name, async (event, ctx) => { await null; ctx.ui.notify("${mark}1 " + name + JSON.stringify(event)); });
    pi.on("session_switch", (event, ctx) => ctx.ui.notify("${mark}2"));
  };`;
  daemon.write('a.ts', watch('a'));
  daemon.write('b.ts', watch('b'));
  await daemon.open('main', ['a.ts', 'b.ts'], { reason: 'resume' });
  expect(daemon.notes()).toEqual(['a', 'b'].map((mark) => `${mark}1 session_start{"reason":"resume"}`));
  for (const name of names) expect(await daemon.event('main', name, { n: 1 })).toBeNull();
  const heard = daemon.notes().slice(2);
  const expected = names.flatMap((name) => {
    const lines = [`a1 ${name}{"n":1}`, `b1 ${name}{"n":1}`];
    return name === 'session_switch' ? [lines[0], 'a2', lines[1], 'b2'] : lines;
  });
  expect(heard).toEqual(expected);
  await daemon.call('session.close', { session: 'main', reason: 'quit' });
  expect(daemon.notes().slice(-2)).toEqual(
    ['a', 'b'].map((mark) => `${mark}1 session_shutdown{"reason":"quit"}`),
  );
});

test.each(['startup', 'new', 'resume', 'recover'])('session_start tells the reason %s', async (reason) => {
  const daemon = await startDaemon();
  daemon.write(
    'a.ts',
    `export default (pi, session) => pi.on("session_start", (event, ctx) => ctx.ui.notify(event.reason + session.reason));`,
  );
  await daemon.open('main', ['a.ts'], { reason });
  expect(daemon.notes()).toEqual([reason + reason]);
});

/** Two extensions, whose handlers return these. */
async function deciding(event: string, first: string, second: string, settings = {}) {
  const daemon = await startDaemon(settings);
  const code = (body: string) =>
    `export default (pi) => pi.on("${event}", async (event, ctx) => { ${body} });`;
  daemon.write('a.ts', code(first));
  daemon.write('b.ts', code(second));
  await daemon.open('main', ['a.ts', 'b.ts']);
  return daemon;
}

test.each([
  ['session_before_switch', 'return { cancel: true, reason: "busy" }', { cancel: true, reason: 'busy' }],
  ['session_before_switch', 'return { cancel: false }', null],
  ['user_bash', 'return { argv: ["ssh", "vm", event.command] }', { argv: ['ssh', 'vm', 'ls'] }],
  [
    'user_bash',
    'return { result: { output: "no", exitCode: 1 } }',
    { result: { output: 'no', exitCode: 1 } },
  ],
  ['user_bash', 'return { argv: "ls" }', null],
  ['user_bash', 'return "nonsense"', null],
])('%s: %s', async (event, body, decision) => {
  const daemon = await deciding(event, body, 'ctx.ui.notify("second")');
  expect(await daemon.event('main', event, { command: 'ls', cwd: '/' })).toEqual(decision);
  expect(daemon.notes()).toEqual(decision ? [] : ['second']);
});

test('terminal_before_create hands the changed values on', async () => {
  const daemon = await deciding(
    'terminal_before_create',
    'return { argv: ["bwrap", ...event.argv], cwd: "/a" }',
    'return { argv: [...event.argv, event.cwd], env: { ...event.env, B: "2" } }',
  );
  const data = { argv: ['sh'], cwd: '/', env: { A: '1' } };
  expect(await daemon.event('main', 'terminal_before_create', data)).toEqual({
    argv: ['bwrap', 'sh', '/a'],
    cwd: '/a',
    env: { A: '1', B: '2' },
  });
});

test('a handler that throws is reported and passed over', async () => {
  const daemon = await deciding('user_bash', 'throw new Error("oops")', 'return { argv: ["b"] }');
  expect(await daemon.event('main', 'user_bash', { command: 'ls' })).toEqual({ argv: ['b'] });
  const [report] = daemon.all('log');
  expect(report).toMatchObject({ session: 'main', extension: 'a', generation: 1, level: 'error' });
  expect(report.text).toMatch(/user_bash failed at .*a\.ts:1:\d+: Error: oops/);
});

test('a handler that takes too long is not waited for', async () => {
  const body = 'await new Promise(() => {})';
  const daemon = await deciding('user_bash', body, 'return { argv: ["b"] }', { handlerTimeout: 100 });
  const start = performance.now();
  expect(await daemon.event('main', 'user_bash', {})).toBeNull();
  expect(performance.now() - start).toBeGreaterThan(95);
  await daemon.wait('log', ({ text }) => text === 'a handler of user_bash took too long');
});

test('while a handler asks, the time of the question counts', async () => {
  const body = 'return (await ctx.ui.confirm("Sure?")) ? undefined : { cancel: true }';
  const daemon = await deciding('session_before_switch', body, '', { handlerTimeout: 100 });
  daemon.answers['ui.ask'] = () => new Promise((resolve) => setTimeout(() => resolve(false), 300));
  expect(await daemon.event('main', 'session_before_switch', {})).toEqual({ cancel: true });
});

test('a handler of session_start that makes a terminal does not wait for itself', async () => {
  const daemon = await startDaemon();
  daemon.write(
    'a.ts',
    `export default (pi, session) => {
      pi.on("session_start", async () => { await session.terminals.create({ command: ["sh"] }); });
      pi.on("terminal_before_create", () => ({ cwd: "/there" }));
    };`,
  );
  let decision: unknown;
  daemon.answers['terminal.create'] = async () => {
    decision = await daemon.event('main', 'terminal_before_create', { argv: ['sh'] });
    return { terminalId: 't1' };
  };
  const start = performance.now();
  await daemon.open('main', ['a.ts']);
  expect(decision).toEqual({ cwd: '/there' });
  expect(performance.now() - start).toBeLessThan(3000);
});

test('handlers can be taken away', async () => {
  const daemon = await startDaemon();
  daemon.write(
    'a.ts',
    'export default (pi) => { const off = pi.on("session_switch", (_event, ctx) => { ctx.ui.notify("once"); off(); }); };',
  );
  await daemon.open('main', ['a.ts']);
  await daemon.event('main', 'session_switch', {});
  await daemon.event('main', 'session_switch', {});
  expect(daemon.notes()).toEqual(['once']);
});
