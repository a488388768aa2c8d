// Extensions that were written for pi: what they import, call and read, in a session without an agent.

import { readFileSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import type { Daemon } from './daemon.ts';
import members from './pi_members.json' with { type: 'json' };
import { startDaemon } from './start.ts';

vi.setConfig({ testTimeout: 60_000 });

async function open(code: string): Promise<Daemon> {
  const daemon = await startDaemon();
  daemon.write('x.ts', code);
  expect(await daemon.open('main', ['x.ts'])).toMatchObject([{ status: 'loaded' }]);
  return daemon;
}

const command = (body: string) => `pi.registerCommand("x", { handler: async (args, ctx) => { ${body} } });`;

const journal = `export default (pi) => {
  pi.registerCommand("add", { handler: async (args, ctx) => { pi.appendEntry("note", { text: args }); } });
  pi.registerCommand("name", { handler: async (args) => { pi.setSessionName(args); return pi.getSessionName(); } });
  pi.registerCommand("label", { handler: async (args, { sessionManager }) => {
    const { id } = sessionManager.getLeafEntry();
    pi.setLabel(id, args);
    return sessionManager.getLabel(id);
  } });
  pi.registerCommand("list", { handler: async (_args, { sessionManager }) =>
    JSON.stringify(sessionManager.getEntries().filter(({ type }) => type === "custom").map(({ data }) => data.text)) });
  pi.registerCommand("chain", { handler: async (_args, { sessionManager }) =>
    String(sessionManager.getBranch().every(({ id, parentId }, at, all) => parentId === (all[at - 1]?.id ?? null))) });
};`;

test('entries last over reloads and the end of the worker, and belong to the session', async () => {
  const daemon = await startDaemon();
  daemon.write('x.ts', journal);
  await daemon.open('main', ['x.ts']);
  await daemon.open('other', ['x.ts']);
  for (const text of ['one', 'two']) await daemon.command('main', 'x', 'add', text);
  await daemon.reload('main', ['x.ts']);
  await daemon.command('main', 'x', 'add', 'three');
  expect(await daemon.command('main', 'x', 'list')).toBe('["one","two","three"]');
  expect(await daemon.command('main', 'x', 'name', 'My work')).toBe('My work');
  expect(await daemon.command('main', 'x', 'label', 'here')).toBe('here');
  await daemon.until(() => JSON.stringify([...daemon.state.values()]).includes('here'), 'it is not saved');
  await daemon.call('session.kill', { session: 'main' });
  await daemon.open('main', ['x.ts'], { reason: 'recover' });
  expect(await daemon.command('main', 'x', 'list')).toBe('["one","two","three"]');
  expect(await daemon.command('main', 'x', 'chain')).toBe('true');
  expect(await daemon.command('other', 'x', 'list')).toBe('[]');
});

test('entries of one millisecond keep their order over a restart', async () => {
  const daemon = await startDaemon();
  daemon.write('x.ts', journal);
  daemon.write('y.ts', journal);
  await daemon.open('main', ['x.ts', 'y.ts']);
  const texts = Array.from({ length: 40 }, (_, n) => `${n}`);
  await Promise.all(texts.map((text, n) => daemon.command('main', n % 2 ? 'x' : 'y', 'add', text)));
  const before = await daemon.command('main', 'x', 'list');
  expect(JSON.parse(before)).toHaveLength(texts.length);
  await daemon.call('session.close', { session: 'main', reason: 'quit' });
  await daemon.open('main', ['y.ts', 'x.ts'], { reason: 'resume' });
  expect(await daemon.command('main', 'x', 'list')).toBe(before);
  expect(await daemon.command('main', 'x', 'chain')).toBe('true');
});

test('what cannot be saved is told, and nothing is appended until it is saved', async () => {
  const daemon = await startDaemon();
  daemon.write('x.ts', journal);
  await daemon.open('main', ['x.ts']);
  daemon.answers['state.set'] = () => {
    throw new Error('its state is larger than 4 MiB');
  };
  await daemon.command('main', 'x', 'add', 'one');
  await daemon.until(() => daemon.notes('main').length > 0, 'nobody was told');
  expect(daemon.notes('main')).toEqual(['x: its entries are not saved: its state is larger than 4 MiB']);
  delete daemon.answers['state.set'];
  await expect(daemon.command('main', 'x', 'add', 'two')).rejects.toThrow('its state is larger than 4 MiB');
  const saved = () => JSON.stringify([...daemon.state.values()]);
  await daemon.until(() => saved().includes('"one"'), 'it is not saved');
  await daemon.command('main', 'x', 'add', 'three');
  await daemon.until(() => saved().includes('"three"'), 'it is not saved');
  await expect(daemon.command('main', 'x', 'add', 'x'.repeat(256_000))).rejects.toThrow(
    'an entry can have at most',
  );
});

test('flags that could not be read are not overwritten', async () => {
  const daemon = await startDaemon();
  daemon.write(
    'x.ts',
    `export default (pi) => {
      pi.registerFlag("plan", { type: "boolean", default: false });
      pi.registerFlag("deep", { type: "boolean", default: false });
      pi.registerCommand("plan", { handler: () => String(pi.getFlag("plan")) });
    };`,
  );
  await daemon.open('main', ['x.ts']);
  await daemon.command('main', 'x', 'flags', 'plan true');
  await daemon.call('session.kill', { session: 'main' });
  daemon.answers['state.get'] = () => {
    throw new Error('the disk is broken');
  };
  await daemon.open('main', ['x.ts'], { reason: 'recover' });
  await expect(daemon.command('main', 'x', 'plan')).rejects.toThrow('the disk is broken');
  await expect(daemon.command('main', 'x', 'flags', 'deep true')).rejects.toThrow('could not be read');
  delete daemon.answers['state.get'];
  await daemon.reload('main', ['x.ts']);
  expect(await daemon.command('main', 'x', 'plan')).toBe('true');
});

test('what is saved last is saved when the session is closed', async () => {
  const daemon = await startDaemon();
  daemon.write(
    'x.ts',
    'export default (pi) => pi.on("session_shutdown", () => pi.appendEntry("end", { done: true }));',
  );
  await daemon.open('main', ['x.ts']);
  await daemon.call('session.close', { session: 'main', reason: 'close' });
  expect(JSON.stringify([...daemon.state.values()])).toContain('"done":true');
});

test('flags have their defaults, can be set, and are read at the next start', async () => {
  const daemon = await open(`export default (pi) => {
    pi.registerFlag("plan", { type: "boolean", default: false, description: "only plan" });
    pi.registerFlag("model", { type: "string" });
    const plan = pi.getFlag("plan");
    pi.registerCommand("x", { handler: () => JSON.stringify([plan, pi.getFlag("model") ?? "none", pi.getFlag("other") ?? "none"]) });
  };`);
  expect(await daemon.command('main', 'x', 'x')).toBe('[false,"none","none"]');
  expect(await daemon.command('main', 'x', 'flags')).toBe('plan = false  only plan\nmodel = (not set)');
  await daemon.command('main', 'x', 'flags', 'plan true');
  await daemon.command('main', 'x', 'flags', 'model  large one ');
  await daemon.reload('main', ['x.ts']);
  expect(await daemon.command('main', 'x', 'x')).toBe('[true,"large one","none"]');
  await expect(daemon.command('main', 'x', 'flags', 'plan maybe')).rejects.toThrow('true or false');
  await expect(daemon.command('main', 'x', 'flags', 'nope 1')).rejects.toThrow('plan, model');
});

test('what needs an agent says so once', async () => {
  const daemon = await open(`export default (pi) => {
    for (const event of ["before_agent_start", "tool_call", "tool_result", "turn_end", "input"]) pi.on(event, () => {});
    for (const type of ["Message", "Entry"]) pi["register" + type + "Renderer"]("x", () => undefined);
    pi.registerProvider("mine", { models: [] });
    pi.registerVirtualModel("mine", {});
    ${command(`
      for (let n = 0; n < 3; n += 1) pi.sendUserMessage("hello");
      pi.sendMessage({ customType: "c", content: "shown", display: true }, { triggerTurn: true });
      const results = [await pi.setModel({}), (await ctx.newSession()).cancelled, ctx.isIdle(), ctx.mode, ctx.hasUI,
        ctx.model ?? "no model"];
      return JSON.stringify(results);`)}
  };`);
  expect(JSON.parse(await daemon.command('main', 'x', 'x'))).toEqual([
    ...[false, true, true, 'tui', true],
    'no model',
  ]);
  const without = 'needs an agent, and none is attached to this session';
  expect(daemon.notes('main')).toEqual([
    `x: sendUserMessage ${without}`,
    'shown',
    `x: sendMessage with triggerTurn ${without}`,
    `x: setModel ${without}`,
    `x: newSession ${without}`,
  ]);
});

test('tools, commands, shortcuts, widgets and the theme', async () => {
  const daemon = await open(`export default (pi) => {
    pi.registerTool({ name: "a", execute: () => "" });
    pi.registerTool({ name: "b", execute: () => "" });
    pi.registerShortcut("ctrl+shift+p", { description: "plans", handler: (ctx) => ctx.ui.notify(ctx.ui.theme.bold("planned")) });
    ${command(`
      const { ui } = ctx;
      const before = pi.getActiveTools();
      pi.setActiveTools(["b"]);
      ui.setWidget("w", ["one", "two"]);
      ui.setWidget("v", (_tui, theme) => ({ render: () => [theme.fg("accent", "drawn")] }));
      ui.setEditorText("text");
      return JSON.stringify([before, pi.getActiveTools(), pi.getAllTools().map(({ name }) => name),
        pi.getCommands().map(({ name }) => name), ui.getEditorText()]);`)}
  };`);
  expect(JSON.parse(await daemon.command('main', 'x', 'x'))).toEqual([
    ['a', 'b'],
    ['b'],
    ['a', 'b'],
    ['key:ctrl+shift+p', 'x'],
    'text',
  ]);
  expect(daemon.all('ui.status').map(({ key, text }) => [key, text])).toEqual([
    ['w', 'one │ two'],
    ['v', 'drawn'],
  ]);
  await daemon.command('main', 'x', 'key:ctrl+shift+p');
  expect(daemon.notes()).toEqual(['text', 'planned']);
});

// What pi's declarations list; see pi_members.json.
test('every member of pi’s API is there and in the documents', async () => {
  const daemon = await open(
    `export default (pi) => { ${command(
      'const { ui, sessionManager } = ctx; return JSON.stringify({ pi: Object.keys(pi), ctx: Object.keys(ctx), ui: Object.keys(ui), sessionManager: Object.keys(sessionManager) });',
    )} };`,
  );
  const there = JSON.parse(await daemon.command('main', 'x', 'x'));
  const documents = readFileSync(new URL('../../docs/extensions.md', import.meta.url), 'utf8');
  const section = documents.slice(documents.indexOf('## Extensions written for pi'));
  for (const part of ['pi', 'ctx', 'ui', 'sessionManager'] as const)
    for (const name of members[part]) {
      expect(there[part], part).toContain(name);
      expect(section, part).toContain(`\`${name}\``);
    }
});

test('a method that only a newer pi has is told once, and does not keep the extension from loading', async () => {
  const daemon = await open(`export default (pi) => {
    for (const what of [1, 2]) pi.registerHologram(what);
    const isThenable = typeof pi.then;
    ${command('return isThenable;')}
  };`);
  expect(await daemon.command('main', 'x', 'x')).toBe('undefined');
  expect(daemon.notes('main')).toEqual([
    'x: it calls pi.registerHologram, which Holdfast does not have; this has no effect',
  ]);
});

test('pi, ctx and ctx.ui can be wrapped and changed', async () => {
  const daemon = await open(`export default (pi) => {
    const { registerCommand } = pi;
    pi.registerCommand = (name, options) => registerCommand(name, options);
    ${command(`
      const ui = new Proxy(ctx.ui, { get: (target, name) => name === "notify" ? undefined : Reflect.get(target, name) });
      const inner = new Proxy(ctx, { get: (target, name) => name === "ui" ? ui : Reflect.get(target, name) });
      ctx.more = 1;
      return typeof inner.ui.notify + typeof inner.ui.confirm + ctx.more;`)}
  };`);
  expect(await daemon.command('main', 'x', 'x')).toBe('undefinedfunction1');
});

test('a widget is drawn again when it asks for it, until its code is replaced', async () => {
  const daemon = await open(`export default (pi) => {
    ${command(`
      let count = 0;
      ctx.ui.setWidget("clock", (tui, theme) => {
        const timer = setInterval(() => { count += 1; tui.requestRender(); }, 5);
        globalThis.old = tui;
        return { render: () => ["", theme.fg("accent", "tick " + count)], dispose: () => { clearInterval(timer); globalThis.disposed = (globalThis.disposed ?? 0) + 1; } };
      });`)}
    pi.registerCommand("off", { handler: (_args, { ui }) => { globalThis.old?.requestRender(); ui.setWidget("clock", undefined); return String(globalThis.disposed ?? 0); } });
  };`);
  await daemon.command('main', 'x', 'x');
  await daemon.wait('ui.status', ({ key, text }) => key === 'clock' && /^tick [2-9]/.test(text));
  expect(await daemon.command('main', 'x', 'off')).toBe('1');
  expect(daemon.all('ui.status').at(-1)).toMatchObject({ key: 'clock', text: null });
  await daemon.command('main', 'x', 'x');
  await daemon.reload('main', ['x.ts']);
  expect(await daemon.command('main', 'x', 'off')).toBe('2');
});

test('an ended generation cannot use these either', async () => {
  const daemon = await open(`export default (pi) => {
    globalThis.first ??= pi;
    ${command(`
      try { globalThis.first[args](); return "done"; } catch (error) { return error.name; }`)}
  };`);
  await daemon.reload('main', ['x.ts']);
  for (const member of ['appendEntry', 'getFlag', 'sendUserMessage', 'setSessionName', 'registerProvider'])
    expect(await daemon.command('main', 'x', 'x', member)).toBe('StaleError');
});
