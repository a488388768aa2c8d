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
  expect(daemon.notes()).toEqual(
    ['a', 'b'].map((mark) => `${mark}1 session_start{"type":"session_start","reason":"resume"}`),
  );
  for (const name of names) expect(await daemon.event('main', name, { n: 1 })).toBeNull();
  const heard = daemon.notes().slice(2);
  const expected = names.flatMap((name) => {
    const lines = ['a1', 'b1'].map((mark) => `${mark} ${name}{"type":"${name}","n":1}`);
    return name === 'session_switch' ? [lines[0], 'a2', lines[1], 'b2'] : lines;
  });
  expect(heard).toEqual(expected);
  await daemon.call('session.close', { session: 'main', reason: 'quit' });
  expect(daemon.notes().slice(-2)).toEqual(
    ['a', 'b'].map((mark) => `${mark}1 session_shutdown{"type":"session_shutdown","reason":"quit"}`),
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
    `export default (pi) => pi.on("${event}", async (event, ctx) => { ${body} }, { mustDecide: false });`;
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
  await daemon.wait(
    'log',
    ({ text }) => text === 'a handler of user_bash took too long; continuing without it',
  );
});

test('while a handler asks, the time of the question counts', async () => {
  const body = 'return (await ctx.ui.confirm("Sure?")) ? undefined : { cancel: true }';
  const daemon = await deciding('session_before_switch', body, '', { handlerTimeout: 100 });
  daemon.write(
    'endless.ts',
    'export default (pi) => pi.on("user_bash", () => new Promise(() => {}), { mustDecide: false });',
  );
  await daemon.open('other', ['endless.ts']);
  daemon.answers['ui.ask'] = async () => {
    // Answer when the time of a handler that was called later, and does not ask, is over.
    await daemon.event('other', 'user_bash', {});
    return false;
  };
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

/** An extension that must decide, and one after it that would let everything pass. */
async function guarded(event: string, body: string, settings = {}) {
  const daemon = await startDaemon(settings);
  const guard = `export default (pi) => pi.on("${event}", async (event, ctx) => { ${body} }, { mustDecide: true });`;
  daemon.write('guard.ts', guard);
  daemon.write('b.ts', `export default (pi) => pi.on("${event}", (_event, ctx) => ctx.ui.notify("second"));`);
  await daemon.open('main', ['guard.ts', 'b.ts']);
  return daemon;
}

const hooks = ['session_before_switch', 'user_bash', 'terminal_before_create'];

test.each(hooks)('%s: one that must decide and throws refuses', async (event) => {
  const daemon = await guarded(event, 'throw new Error("oops")');
  const { refused } = await daemon.event('main', event, { argv: ['sh'] });
  expect(refused.extension).toBe('guard');
  expect(refused.reason).toMatch(/^it failed at .*guard\.ts:1:\d+: Error: oops$/);
  expect(daemon.notes()).toEqual([]);
});

const inTime = hooks.filter((event) => event !== 'user_bash');
test.each(inTime)('%s: one that must decide and takes too long refuses', async (event) => {
  const daemon = await guarded(event, 'await new Promise(() => {})', { handlerTimeout: 100 });
  expect(await daemon.event('main', event, {})).toEqual({
    refused: { extension: 'guard', reason: 'it took longer than 0.1 s' },
  });
});

test.each([
  ['user_bash', 'return "yes"'],
  ['user_bash', 'return {}'],
  ['user_bash', 'return { argv: "ls" }'],
  ['session_before_switch', 'return { canceled: true }'],
  ['session_before_switch', 'return { cancel: "yes" }'],
  ['terminal_before_create', 'return { command: ["sh"] }'],
  ['terminal_before_create', 'return { argv: [] }'],
  ['terminal_before_create', 'return { argv: "sh", cancel: false }'],
  ['terminal_before_create', 'return { env: { A: 1 } }'],
])('%s: an answer that makes no sense is none: %s', async (event, body) => {
  const daemon = await guarded(event, body);
  const refused = { extension: 'guard', reason: 'its answer is invalid' };
  expect(await daemon.event('main', event, {})).toEqual({ refused });
});

test.each([
  ['user_bash', '', null],
  ['user_bash', 'return { argv: ["ls"] }', { argv: ['ls'] }],
  ['session_before_switch', 'return { cancel: false }', null],
  ['terminal_before_create', 'return {}', null],
  ['terminal_before_create', 'return { cwd: "/a" }', { cwd: '/a' }],
  ['terminal_before_create', 'return { cancel: true, reason: "no" }', { cancel: true, reason: 'no' }],
])('%s: one that must decide and answers has decided: %s', async (event, body, decision) => {
  const daemon = await guarded(event, body);
  expect(await daemon.event('main', event, {})).toEqual(decision);
});

test('one that must decide about a shell command may take longer, until it is cancelled', async () => {
  const body =
    'await new Promise((done) => ctx.signal.addEventListener("abort", done)); return { argv: ["late"] }';
  const daemon = await guarded('user_bash', body, { handlerTimeout: 50 });
  daemon.write(
    'slow.ts',
    'export default (pi) => pi.on("session_before_switch", () => new Promise(() => {}));',
  );
  await daemon.open('other', ['slow.ts']);
  const event = { session: 'main', name: 'user_bash', data: {}, call: 'c9' };
  const decided = daemon.call('event', { ...event, patient: 'guards' });
  // A handler that was asked later has used up its time by now.
  await daemon.event('other', 'session_before_switch', {});
  daemon.notify('cancel', { call: 'c9' });
  expect(await decided).toEqual({ argv: ['late'] });
});

test('a guard that is asked while its code is replaced refuses', async () => {
  const daemon = await guarded('user_bash', 'ctx.ui.notify("asked"); await new Promise(() => {})');
  const decided = daemon.event('main', 'user_bash', {});
  await daemon.wait('ui.notify');
  await daemon.reload('main', ['guard.ts']);
  expect(await decided).toEqual({ refused: { extension: 'guard', reason: 'its code was being replaced' } });
});

test('what fails to load tells what it would decide', async () => {
  const daemon = await startDaemon();
  daemon.write(
    'gondolin.ts',
    'import { VM } from "nowhere"; export default (pi) => pi.on("user_bash", () => VM);',
  );
  daemon.write(
    'throws.ts',
    `export default ({ on }) => {
    on("terminal_before_create", () => {}, { mustDecide: true });
    on("session_switch", () => {});
    throw new Error("no");
  };`,
  );
  daemon.write(
    'looks.ts',
    'export default (pi) => { pi.on("user_bash", () => {}, { mustDecide: false }); pi.no(); };',
  );
  const outcomes = await daemon.open('main', ['gondolin.ts', 'throws.ts', 'looks.ts']);
  expect(outcomes.map(({ status }: { status: string }) => status)).toEqual(['failed', 'failed', 'failed']);
  const told = daemon
    .all('registered')
    .map(({ extension, mustDecide, failed }) => [extension, mustDecide, failed]);
  expect(told).toEqual([
    ['gondolin', ['user_bash'], true],
    ['throws', ['terminal_before_create'], true],
    ['looks', [], true],
  ]);
});

test('one that must decide refuses if those before it have used up the time', async () => {
  const daemon = await startDaemon({ handlerTimeout: 100 });
  daemon.write(
    'a.ts',
    'export default (pi) => pi.on("user_bash", () => new Promise(() => {}), { mustDecide: false });',
  );
  daemon.write('guard.ts', 'export default (pi) => pi.on("user_bash", () => {}, { mustDecide: true });');
  await daemon.open('main', ['a.ts', 'guard.ts']);
  expect(await daemon.event('main', 'user_bash', {})).toEqual({
    refused: { extension: 'guard', reason: 'the handlers before it took too long' },
  });
});

test('one that must decide refuses what comes while its code is replaced', async () => {
  const daemon = await startDaemon();
  daemon.write(
    'a.ts',
    'export default (pi) => pi.on("user_bash", (_event, ctx) => ctx.ui.confirm("Wait?").then(() => {}), { mustDecide: false });',
  );
  daemon.write('guard.ts', 'export default (pi) => pi.on("user_bash", () => {}, { mustDecide: true });');
  await daemon.open('main', ['a.ts', 'guard.ts']);
  let answer: (sure: boolean) => void = () => {};
  daemon.answers['ui.ask'] = () => new Promise((resolve) => (answer = resolve));
  const decided = daemon.event('main', 'user_bash', {});
  await daemon.wait('ui.ask');
  await daemon.reload('main', ['a.ts', 'guard.ts']);
  answer(true);
  expect(await decided).toEqual({ refused: { extension: 'guard', reason: 'its code was being replaced' } });
});

test('the daemon is told who must decide what', async () => {
  const daemon = await startDaemon();
  daemon.write(
    'guard.ts',
    `export default (pi) => {
      pi.on("user_bash", () => {}, { mustDecide: false });
      const off = pi.on("user_bash", () => {}, { mustDecide: true });
      pi.on("terminal_before_create", () => {}, { mustDecide: false });
      pi.registerCommand("off", { handler: off });
    };`,
  );
  await daemon.open('main', ['guard.ts']);
  const told = await daemon.wait('registered');
  expect(told).toMatchObject({ events: ['user_bash', 'terminal_before_create'], mustDecide: ['user_bash'] });
  await daemon.command('main', 'guard', 'off');
  await daemon.wait('registered', ({ mustDecide }) => mustDecide.length === 0);
});

test.each([
  ['{ mustdecide: true }', /on\(\) has no option mustdecide/],
  ['{ mustDecide: "yes" }', /mustDecide must be true or false/],
])('a declaration that would count for nothing is an error: %s', async (options, message) => {
  const daemon = await startDaemon();
  daemon.write('a.ts', `export default (pi) => pi.on("user_bash", () => {}, ${options});`);
  const [{ status, error }] = await daemon.open('main', ['a.ts']);
  expect(status).toBe('failed');
  expect(error.message).toMatch(message);
});

test('only what can be refused can be declared', async () => {
  const daemon = await startDaemon();
  daemon.write('a.ts', 'export default (pi) => pi.on("session_switch", () => {}, { mustDecide: true });');
  const [{ error }] = await daemon.open('main', ['a.ts']);
  expect(error.message).toBe('handlers of session_switch cannot decide anything');
});
