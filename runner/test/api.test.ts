// What an extension may use.

import { realpathSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Daemon } from './daemon.ts';
import { startDaemon } from './start.ts';

async function open(code: string, file = 'one.ts'): Promise<Daemon> {
  const daemon = await startDaemon();
  daemon.write(file, code);
  expect(await daemon.open('main', [file])).toEqual([{ name: 'one', generation: 1, status: 'loaded' }]);
  return daemon;
}

test('the example of the documentation greets', async () => {
  const daemon = await open(`import type { ExtensionAPI, SessionContext } from "@holdfast/extension";

export default function (pi: ExtensionAPI, session: SessionContext) {
  pi.registerCommand("hello", {
    description: "Greets",
    handler: async (args, ctx) => ctx.ui.notify(\`Hello \${args || session.name}\`, "success"),
  });
}
`);
  await daemon.command('main', 'one', 'hello', 'you');
  const identity = { session: 'main', extension: 'one', generation: 1 };
  expect(daemon.all('ui.notify')).toEqual([{ ...identity, text: 'Hello you', level: 'success', call: 'c' }]);
  expect(daemon.all('registered')).toEqual([
    {
      ...identity,
      commands: [{ name: 'hello', description: 'Greets' }],
      tools: [],
      events: [],
      mustDecide: [],
    },
  ]);
});

test.each([
  ['registerTools', 'one.ts', 'export function registerTools(pi: any) { COMMAND }'],
  ['an asynchronous factory', 'one.mjs', 'export default async (pi) => { await null; COMMAND };'],
  ['a module of a folder', 'one/index.js', 'export default (pi) => { COMMAND };'],
  ['CommonJS', 'one.cjs', 'module.exports = (pi) => { COMMAND };'],
  ['CommonJS without a name for it', 'one.js', 'module.exports = (pi) => { COMMAND };'],
  ['top-level await', 'one.mts', 'const n: number = await 1; export default (pi: any) => { COMMAND };'],
])('an entry may be %s', async (_what, file, code) => {
  const daemon = await open(
    code.replace('COMMAND', 'pi.registerCommand("x", { handler: () => "done" });'),
    file,
  );
  expect(await daemon.command('main', 'one', 'x')).toBe('done');
});

test('a file without an entry is refused with its name', async () => {
  const daemon = await startDaemon();
  const file = daemon.write('one.ts', 'export const x = 1;');
  const [outcome] = await daemon.open('main', ['one.ts']);
  expect(outcome).toMatchObject({
    status: 'failed',
    error: { file, message: expect.stringContaining('registerTools') },
  });
});

test('a session knows itself', async () => {
  const daemon = await open(`export default (pi, session) => pi.registerCommand("x", {
    handler: (_args, ctx) => JSON.stringify({ ...session, same: ctx.session === session, at: ctx.cwd }) });`);
  const known = JSON.parse(await daemon.command('main', 'one', 'x'));
  expect(known).toMatchObject({
    id: 'main',
    name: 'main',
    kind: 'interactive',
    userId: 'u1',
    cwd: daemon.folder,
    generation: 1,
    reason: 'startup',
    same: true,
    at: daemon.folder,
  });
  daemon.notify('session.renamed', { session: 'main', name: 'work' });
  expect(JSON.parse(await daemon.command('main', 'one', 'x'))).toMatchObject({ id: 'main', name: 'work' });
});

test('questions are asked and their answers understood', async () => {
  const daemon =
    await open(`export default (pi) => pi.registerCommand("x", { handler: async (_args, { ui }) => {
    ui.setStatus("k", "busy");
    ui.setStatus("k", undefined);
    const answers = [
      await ui.confirm("Sure?", "Really", { timeout: 5 }), await ui.confirm("Again?"),
      await ui.select("Which", ["a", "b"]), await ui.select("Which else", ["c"]),
      await ui.input("Name", "Ada"), await ui.input("More"),
    ];
    return JSON.stringify(answers.map((each) => each ?? "none"));
  } });`);
  const answers = [true, null, 'b', null, 'Bob', null];
  daemon.answers['ui.ask'] = () => answers.shift();
  expect(JSON.parse(await daemon.command('main', 'one', 'x'))).toEqual([
    true,
    false,
    'b',
    'none',
    'Bob',
    'none',
  ]);
  const asked = daemon.all('ui.ask').map(({ session, extension, generation, call, ...rest }) => rest);
  expect(asked).toEqual([
    { kind: 'confirm', title: 'Sure?', message: 'Really', timeoutMs: 5 },
    { kind: 'confirm', title: 'Again?', timeoutMs: 60000 },
    { kind: 'select', title: 'Which', options: ['a', 'b'], timeoutMs: 60000 },
    { kind: 'select', title: 'Which else', options: ['c'], timeoutMs: 60000 },
    { kind: 'input', title: 'Name', placeholder: 'Ada', timeoutMs: 60000 },
    { kind: 'input', title: 'More', timeoutMs: 60000 },
  ]);
  expect(daemon.all('ui.status').map(({ key, text }) => [key, text])).toEqual([
    ['k', 'busy'],
    ['k', null],
  ]);
});

test('state goes to the daemon and comes back', async () => {
  const daemon =
    await open(`export default (pi, { state }) => pi.registerCommand("x", { handler: async () => {
    await state.set("a", { n: [1, 2] });
    await state.set("b", 2);
    await state.delete("b");
    return JSON.stringify([await state.get("a"), await state.get("b") ?? "none", await state.keys()]);
  } });`);
  expect(JSON.parse(await daemon.command('main', 'one', 'x'))).toEqual([{ n: [1, 2] }, 'none', ['a']]);
});

test('terminals and kept processes are the daemon’s', async () => {
  const daemon =
    await open(`export default (pi, { terminals, processes }) => pi.registerCommand("x", { handler: async () => {
    const made = await terminals.create({ command: ["top"], name: "t" });
    await made.write("q");
    const text = await made.text();
    const found = await terminals.get("t1");
    await found.close();
    const kept = await pi.exec("sleep", ["5"], { keep: true, name: "nap", env: { A: "b" } });
    const { text: output } = await kept.output();
    const { exitCode } = await (await processes.get(kept.id)).wait();
    await kept.kill();
    return [made.id, text, found.name, await terminals.get("t2"), kept.pid, output, exitCode].join();
  } });`);
  const terminal = { terminalId: 't1', name: 't' };
  Object.assign(daemon.answers, {
    'terminal.create': () => terminal,
    'terminal.list': () => [terminal],
    'terminal.text': () => 'screen',
    'process.start': () => ({ id: 'p1', pid: 7 }),
    'process.output': () => ({ text: 'zzz' }),
    'process.list': () => [{ id: 'p1', pid: 7, name: 'nap' }],
    'process.wait': () => ({ exitCode: 3 }),
  });
  expect(await daemon.command('main', 'one', 'x')).toBe('t1,screen,t,,7,zzz,3');
  expect(daemon.all('process.start')).toMatchObject([
    { argv: ['sleep', '5'], cwd: daemon.folder, name: 'nap', env: { A: 'b' } },
  ]);
  expect(daemon.all('terminal.write')).toMatchObject([{ terminalId: 't1', text: 'q' }]);
  expect(daemon.all('terminal.close').length + daemon.all('process.kill').length).toBe(2);
});

test('exec runs programs to their end', async () => {
  const daemon = await open(`export default (pi) => pi.registerCommand("x", { handler: async () => {
    const all = [
      await pi.exec("sh", ["-c", "cat; pwd; echo $A >&2; exit 3"], { input: "in ", env: { A: "err" } }),
      await pi.exec("sleep", ["60"], { timeout: 20 }),
      await pi.exec("no-such-program").catch((error) => error.code),
      await pi.exec("sleep", ["60"], { signal: AbortSignal.timeout(20) }).catch((error) => error.name),
      await pi.exec("head", ["-c", "20000000", "/dev/zero"]).catch((error) => error.message),
    ];
    return JSON.stringify(all);
  } });`);
  const where = realpathSync(daemon.folder);
  expect(JSON.parse(await daemon.command('main', 'one', 'x'))).toEqual([
    { stdout: `in ${where}\n`, stderr: 'err\n', code: 3, signal: null },
    { stdout: '', stderr: '', code: null, signal: 'SIGTERM' },
    'ENOENT',
    'TimeoutError',
    'head wrote more than 16 MiB',
  ]);
});

test('extensions of a session talk over the bus', async () => {
  const daemon = await startDaemon();
  daemon.write(
    'a.ts',
    'export default (pi) => pi.registerCommand("x", { handler: () => pi.events.emit("news", 7) });',
  );
  daemon.write(
    'b.ts',
    `export default (pi) => {
      const off = pi.events.on("news", (data) => { pi.events.emit("seen", data); off(); });
      pi.events.on("news", () => { throw new Error("ugh"); });
      pi.events.on("seen", (data) => console.warn("seen", data));
    };`,
  );
  await daemon.open('main', ['a.ts', 'b.ts']);
  await daemon.open('other', ['a.ts', 'b.ts']);
  await daemon.command('main', 'a', 'x');
  await daemon.command('main', 'a', 'x');
  const seen = daemon.all('log', ({ level }) => level === 'warning');
  expect(seen).toEqual([
    { session: 'main', extension: 'b', generation: 1, level: 'warning', text: 'seen 7' },
  ]);
  expect(daemon.all('log', ({ text }) => /b\.ts:3.*ugh/.test(text))).toHaveLength(2);
});

test('what is not there is refused with its name, and a failure with its place', async () => {
  const daemon = await open(`export default (pi) => pi.registerCommand("x", {
    handler: () => { throw new Error("broken"); } });`);
  await expect(daemon.command('main', 'one', 'y')).rejects.toMatchObject({ code: -32002 });
  await expect(daemon.command('main', 'two', 'x')).rejects.toMatchObject({ code: -32002 });
  await expect(daemon.command('no', 'one', 'x')).rejects.toMatchObject({ code: -32002 });
  await expect(daemon.call('nonsense', {})).rejects.toMatchObject({ code: -32601 });
  await expect(daemon.command('main', 'one', 'x')).rejects.toMatchObject({
    code: -32000,
    message: 'broken',
    data: { advice: expect.stringMatching(/one\.ts:2:\d+/) },
  });
  await expect(daemon.command('main', 'one', 'x', '', { generation: 9 })).rejects.toMatchObject({
    code: -32001,
  });
});

test('what is registered later is told later', async () => {
  const daemon = await open(`export default (pi) => pi.registerCommand("more", { handler: () => {
    pi.registerCommand("extra", { handler: () => "extra" });
    const off = pi.on("session_switch", () => {});
    pi.on("terminal_created", () => {});
    off();
  } });`);
  await daemon.command('main', 'one', 'more');
  const last = await daemon.wait('registered', ({ commands }) => commands.length === 2);
  expect(last.events).toEqual(['terminal_created']);
  expect(await daemon.command('main', 'one', 'extra')).toBe('extra');
});

test('StaleError can be imported', async () => {
  const daemon = await open(`import { StaleError } from "@holdfast/extension";
    export default (pi) => pi.registerCommand("x", { handler: () => String(StaleError.prototype instanceof Error) });`);
  expect(await daemon.command('main', 'one', 'x')).toBe('true');
});
