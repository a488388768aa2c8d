// The agent of a session: what handlers decide about its events, and what extensions ask of it.

import { expect, test, vi } from 'vitest';
import type { Any, Daemon } from './daemon.ts';
import { startDaemon } from './start.ts';

vi.setConfig({ testTimeout: 60_000 });

/** A session with these extensions, in this order. */
async function open(...codes: string[]): Promise<Daemon> {
  const daemon = await startDaemon({ handlerTimeout: 100 });
  const names = codes.map((_, at) => `x${at}.ts`);
  for (const [at, code] of codes.entries()) daemon.write(`x${at}.ts`, code);
  const outcomes = await daemon.open('main', names);
  for (const outcome of outcomes) expect(outcome).toMatchObject({ status: 'loaded' });
  return daemon;
}

const on = (event: string, body: string, options = '') =>
  `export default (pi) => pi.on("${event}", async (event, ctx) => { ${body} }${options});`;

/** As an agent sends it: there is no time limit. */
function ask(daemon: Daemon, name: string, data: object, call = 'c1'): Promise<Any> {
  return daemon.call('event', { session: 'main', name, data, call, patient: 'all' });
}

const bash = { toolCallId: '1', toolName: 'bash', input: { command: 'ls' } };

test.each([
  ['tool_call', bash, 'return { block: true, reason: "no" }', { block: true, reason: 'no' }],
  ['tool_call', bash, '', null],
  ['tool_call', bash, 'return { block: false }', { block: false }],
  ['tool_call', bash, 'event.input.command = "ls -l"', { input: { command: 'ls -l' } }],
  ['tool_result', { content: [] }, 'return { isError: true, content: [] }', { isError: true, content: [] }],
  ['input', { text: 'hi' }, 'return { action: "continue" }', null],
  ['input', { text: 'hi' }, 'return { action: "handled" }', { action: 'handled' }],
  [
    'input',
    { text: 'hi' },
    'return { action: "transform", text: event.text + "!" }',
    { action: 'transform', text: 'hi!' },
  ],
  ['context', { messages: [1, 2] }, 'event.messages.shift()', { messages: [2] }],
  ['context', { messages: [1, 2] }, 'return { messages: [] }', { messages: [] }],
  [
    'message_end',
    { message: { role: 'a' } },
    'return { message: { role: "b" } }',
    { message: { role: 'b' } },
  ],
  ['before_provider_request', { payload: { a: 1 } }, 'return { b: 2 }', { payload: { b: 2 } }],
  [
    'before_provider_headers',
    { headers: { a: '1' } },
    'event.headers.b = "2"',
    { headers: { a: '1', b: '2' } },
  ],
  ['session_before_compact', {}, 'return { cancel: true }', { cancel: true }],
  ['turn_end', {}, 'return { continue: true }', { continue: true }],
  ['cache_warming_decision', {}, 'return { action: "stop" }', { action: 'stop' }],
  ['turn_start', {}, 'return { block: true }', null],
])('%s %j: %s', async (event, data, body, decision) => {
  const daemon = await open(on(event, body));
  expect(await ask(daemon, event, data)).toEqual(decision);
});

test('each handler sees what the ones before it have changed', async () => {
  const daemon = await open(
    on('tool_call', 'event.input.command += " -l"'),
    on('tool_call', 'event.input.command += " /tmp"'),
  );
  expect(await ask(daemon, 'tool_call', bash)).toEqual({ input: { command: 'ls -l /tmp' } });
});

test('what is collected comes from all handlers', async () => {
  const daemon = await open(
    on('before_agent_start', 'return { message: { content: "a" }, systemPrompt: event.systemPrompt + "1" }'),
    on('before_agent_start', 'return { message: { content: "b" }, systemPrompt: event.systemPrompt + "2" }'),
  );
  expect(await ask(daemon, 'before_agent_start', { prompt: 'p', systemPrompt: '0' })).toEqual({
    messages: [{ content: 'a' }, { content: 'b' }],
    systemPrompt: '012',
  });
});

test('a handler that fails has changed nothing, and the others go on', async () => {
  const daemon = await open(
    on('context', 'event.messages.length = 0; throw new Error("oops")'),
    on('context', 'event.messages.push(3)'),
  );
  expect(await ask(daemon, 'context', { messages: [1] })).toEqual({ messages: [1, 3] });
});

test.each([
  ['throws', 'throw new Error("oops")', 'Error: oops'],
  ['misspells', 'return { blocked: true }', 'its answer is invalid'],
  ['returns nonsense', 'return { block: "yes" }', 'its answer is invalid'],
])('a tool is not called if a handler %s', async (_what, body, reason) => {
  const daemon = await open(on('tool_call', body), on('tool_call', 'ctx.ui.notify("asked")'));
  const decided = await ask(daemon, 'tool_call', bash);
  expect(decided.refused.extension).toBe('x0');
  expect(decided.refused.reason).toContain(reason);
  expect(daemon.notes()).toEqual([]);
  expect(daemon.all('registered')[0].mustDecide).toEqual(['tool_call']);
});

test('a handler that only looks on says so', async () => {
  const daemon = await open(on('tool_call', 'throw new Error("oops")', ', { mustDecide: false }'));
  expect(await ask(daemon, 'tool_call', bash)).toBeNull();
});

test('a handler that never answers is cancelled by the agent', async () => {
  const daemon = await open(
    `export default (pi) => {
      pi.on("tool_call", (event, ctx) => {
        ctx.signal.addEventListener("abort", () => ctx.ui.notify("aborted"));
        ctx.ui.notify("asked");
        return new Promise(() => {});
      });
    };`,
  );
  const decided = ask(daemon, 'tool_call', bash, 'c2');
  await daemon.wait('ui.notify', ({ text }) => text === 'asked');
  daemon.notify('cancel', { call: 'c2' });
  expect((await decided).refused.reason).toBe('the call was cancelled');
  await daemon.wait('ui.notify', ({ text }) => text === 'aborted');
});

const asking = `export default (pi) => {
  pi.registerTool({ name: "own", execute: () => "" });
  pi.registerCommand("x", { handler: async (args, ctx) => {
    const call = (new Function("pi", "ctx", "return (async () => " + args + ")()"));
    return JSON.stringify(await call(pi, ctx)) ?? "undefined";
  } });
};`;

const state = {
  isIdle: false,
  hasPendingMessages: true,
  model: { provider: 'p', id: 'm' },
  models: [{ provider: 'p', id: 'm' }],
  thinkingLevel: 'high',
  contextUsage: { tokens: 7 },
  systemPrompt: 'You are.',
  tools: [{ name: 'bash' }],
  activeTools: ['bash'],
};

test('what is asked without waiting is the agent’s state', async () => {
  const daemon = await open(asking);
  const run = (code: string) => daemon.command('main', 'x0', 'x', code);
  const all =
    '[ctx.isIdle(), ctx.hasPendingMessages(), ctx.model?.id, ctx.thinkingLevel, pi.getThinkingLevel(), ' +
    'ctx.getContextUsage()?.tokens, ctx.getSystemPrompt(), pi.getAllTools().map(({ name }) => name), ' +
    'pi.getActiveTools(), ctx.modelRegistry.getAvailable().length, ctx.modelRegistry.find("p", "m")?.id]';
  const without = '[true,false,null,"off","off",null,"",["own"],["own"],0,null]';
  expect(await run(all)).toBe(without);
  daemon.notify('agent', { session: 'main', agent: { name: 'pi', calls: [], state } });
  expect(await run(all)).toBe('[false,true,"m","high","high",7,"You are.",["own","bash"],["bash"],1,"m"]');
  daemon.notify('agent', { session: 'main', agent: null });
  expect(await run(all)).toBe(without);
});

test('calls reach the agent; what it does not offer is told once', async () => {
  const daemon = await open(asking);
  const run = (code: string) => daemon.command('main', 'x0', 'x', code);
  daemon.answers['agent.call'] = ({ name }: Any) => {
    if (name === 'setModel') return true;
    if (name === 'compact') throw new Error('too short');
    return name === 'fork' ? { cancelled: false } : null;
  };
  const calls = ['sendUserMessage', 'sendMessage', 'setModel', 'setActiveTools', 'abort', 'compact', 'fork'];
  daemon.notify('agent', { session: 'main', agent: { name: 'pi', calls, state: {} } });
  await run(
    '{ pi.sendUserMessage("go on", { deliverAs: "steer" }); pi.sendMessage({ customType: "a", content: "b" }); }',
  );
  await run('{ pi.setActiveTools(["own"]); ctx.abort(); }');
  expect(await run('[await pi.setModel({ id: "m" }), await ctx.fork("e1"), await ctx.newSession()]')).toBe(
    '[true,{"cancelled":false},{"cancelled":true}]',
  );
  expect(
    await run('new Promise((done) => ctx.compact({ onError: ({ message }) => done(message) }))'),
  ).toContain('too short');
  expect(daemon.all('agent.call').map(({ name, params }) => [name, params])).toEqual([
    ['sendUserMessage', { content: 'go on', options: { deliverAs: 'steer' } }],
    ['sendMessage', { message: { customType: 'a', content: 'b', display: true } }],
    ['setActiveTools', { names: ['own'] }],
    ['abort', {}],
    ['setModel', { model: { id: 'm' } }],
    ['fork', { target: 'e1' }],
    ['compact', {}],
  ]);
  await run('{ pi.setThinkingLevel("low"); pi.setThinkingLevel("high"); }');
  expect(daemon.notes()).toEqual([
    'x0: newSession is not offered by pi, the agent of this session',
    'x0: setThinkingLevel is not offered by pi, the agent of this session',
  ]);
});

test('a call that the agent refuses is told', async () => {
  const daemon = await open(asking);
  daemon.answers['agent.call'] = () => {
    throw new Error('it is busy');
  };
  daemon.notify('agent', { session: 'main', agent: { name: 'pi', calls: ['sendUserMessage'], state: {} } });
  await daemon.command('main', 'x0', 'x', '{ pi.sendUserMessage("hi"); }');
  const { text } = await daemon.wait('ui.notify');
  expect(text).toContain('sendUserMessage failed: it is busy');
});

test('a worker that starts knows the agent, and the next daemon says whether there is one', async () => {
  const daemon = await startDaemon();
  daemon.write('x0.ts', asking);
  const agent = { name: 'pi', calls: [], state: { thinkingLevel: 'high' } };
  const session = { id: 'main', name: 'main', kind: 'interactive', userId: 'u1', cwd: daemon.folder };
  await daemon.call('session.open', {
    session,
    extensions: daemon.wanted('main', ['x0.ts']),
    reason: 'startup',
    agent,
  });
  const level = () => daemon.command('main', 'x0', 'x', 'pi.getThinkingLevel()');
  expect(await level()).toBe('"high"');
  daemon.die();
  daemon.told.length = 0;
  await daemon.listen();
  await daemon.wait('hello');
  expect(await level()).toBe('"off"');
  daemon.notify('agent', { session: 'main', agent });
  expect(await level()).toBe('"high"');
});
