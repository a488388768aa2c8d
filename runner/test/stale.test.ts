// What an ended generation still tries: refused with a clear error, without any effect.

import { expect, test } from 'vitest';
import type { Daemon } from './daemon.ts';
import { startDaemon } from './start.ts';

const refusal = 'this is generation 1 of x in session main; generation 2 has taken over';

/** Opens the code, loads it anew, and calls what it has left in globalThis. */
async function afterReload(code: string): Promise<Daemon> {
  const daemon = await startDaemon();
  daemon.write('x.ts', code);
  daemon.write(
    'ask.ts',
    'export default (pi) => pi.registerCommand("ask", { handler: () => globalThis.old() });',
  );
  await daemon.open('main', ['x.ts', 'ask.ts']);
  await daemon.reload('main', ['x.ts', 'ask.ts']);
  return daemon;
}

const calls = [
  'pi.on("session_start", () => {})',
  'pi.registerCommand("late", { handler: () => {} })',
  'pi.registerTool({ name: "late", execute: () => "" })',
  'pi.events.on("x", () => {})',
  'pi.events.emit("x")',
  'await pi.exec("touch", ["effect"])',
  'await pi.exec("touch", ["effect"], { keep: true })',
  'ctx.ui.notify("late")',
  'ctx.ui.setStatus("k", "late")',
  'await ctx.ui.confirm("late")',
  'await ctx.ui.select("late", [])',
  'await ctx.ui.input("late")',
];

test('every call of an old pi or ctx is refused', async () => {
  const daemon = await afterReload(`
    globalThis.tries ??= [];
    export default (pi) => pi.on("session_start", (event, ctx) => {
      if (event.reason === "reload") return;
      globalThis.old = async () => {
        const refused = [];
        ${calls.map((call) => `try { ${call}; refused.push("done"); } catch (error) { refused.push(String(error)); }`).join('\n')}
        return JSON.stringify(refused);
      };
    });`);
  const before = daemon.told.length;
  expect(JSON.parse(await daemon.command('main', 'ask', 'ask'))).toEqual(
    calls.map(() => `StaleError: ${refusal}`),
  );
  expect(daemon.told).toHaveLength(before);
});

test('after an await it is refused, and a refusal that nobody catches is only written to the log', async () => {
  const daemon = await startDaemon();
  daemon.write(
    'x.ts',
    `export default (pi, session) => pi.registerCommand("slow", { handler: async (_args, ctx) => {
      void new Promise((resolve) => { globalThis.go ??= []; globalThis.go.push(resolve); }).then(() => pi.events.emit("late"));
      ctx.ui.notify("begun");
      await new Promise((resolve) => globalThis.go.push(resolve));
      ctx.ui.notify("late");
    } });
    globalThis.go?.forEach((go) => go());`,
  );
  await daemon.open('main', ['x.ts']);
  const slow = daemon.command('main', 'x', 'slow').catch((error) => error);
  await daemon.wait('ui.notify');
  await daemon.reload('main', ['x.ts']);
  expect(await slow).toMatchObject({ code: -32001, message: refusal });
  const log = await daemon.wait('log', ({ text }) => text.includes('unhandled rejection'));
  expect(log).toMatchObject({ extension: 'x', generation: 1, level: 'error' });
  expect(log.text).toContain(`StaleError: ${refusal}`);
  expect(log.text).toMatch(/x\.ts:2:\d+/);
  expect(daemon.notes()).toEqual(['begun']);
});

test('timers and listeners end with their generation, however they were started', async () => {
  const daemon = await afterReload(`
    import timers from "node:timers";
    import { setInterval as ticks, setTimeout as sleep } from "timers/promises";
    import { promisify } from "node:util";
    import process2 from "node:process";
    export default (pi, session) => {
      const { generation } = session;
      const tick = (how) => { globalThis.ticks[generation + how] = (globalThis.ticks[generation + how] ?? 0) + 1; };
      globalThis.ticks ??= {};
      setInterval(tick, 1, "interval");
      globalThis.setInterval(tick, 1, "global");
      timers.setInterval(tick, 1, "module");
      const again = () => { tick("timeout"); setTimeout(again, 1); };
      again();
      const immediate = () => { tick("immediate"); setImmediate(immediate); };
      immediate();
      void (async () => { for await (const _ of ticks(1)) tick("iterator"); })();
      void (async () => { for (;;) { await sleep(1); tick("sleep"); } })();
      void (async () => { for (;;) { await promisify(setTimeout)(1); tick("promisified"); } })();
      process.on("thing", () => tick("listener"));
      process2.once("thing", () => tick("once"));
      const beat = setInterval(() => process.emit("thing"), 1);
      clearTimeout(setTimeout(tick, 1, "cleared"));
      clearInterval(undefined);
      globalThis.old = () => JSON.stringify({ ticks: globalThis.ticks, listeners: process.listenerCount("thing") });
    };`);
  const read = async () => JSON.parse(await daemon.command('main', 'ask', 'ask'));
  const kinds = [
    'interval',
    'global',
    'module',
    'timeout',
    'immediate',
    'iterator',
    'sleep',
    'promisified',
    'listener',
  ];
  const first = await read();
  let last = first;
  const enough = () =>
    kinds.every((kind) => (last.ticks[`2${kind}`] ?? 0) > (first.ticks[`2${kind}`] ?? 0) + 5);
  const until = Date.now() + 5000;
  while (!enough() && Date.now() < until) last = await read();
  expect(enough(), JSON.stringify(last)).toBe(true);
  for (const kind of [...kinds, 'once'])
    expect([kind, last.ticks[`1${kind}`]]).toEqual([kind, first.ticks[`1${kind}`]]);
  expect(last.ticks).not.toHaveProperty('2cleared');
  expect(last.listeners).toBeLessThanOrEqual(2);
});

test.each([
  ['a package', 'require("pack")'],
  ['a package that jiti compiles', 'import("pack-modern")'],
])('the timers of %s stay', async (_what, get) => {
  const daemon = await startDaemon();
  const beat = 'setInterval(() => { globalThis.beats = (globalThis.beats ?? 0) + 1; }, 1)';
  daemon.write('x/node_modules/pack/index.js', `exports.start = () => ${beat};`);
  daemon.write('x/node_modules/pack-modern/index.js', `export const start = () => ${beat};`);
  daemon.write(
    'x/index.ts',
    `export default async (pi, session) => {
      const { start } = await ${get};
      if (session.generation === 1) start();
      pi.registerCommand("beats", { handler: () => String(globalThis.beats ?? 0) });
    };`,
  );
  expect(await daemon.open('main', ['x/index.ts'])).toMatchObject([{ status: 'loaded' }]);
  await daemon.reload('main', ['x/index.ts']);
  const first = Number(await daemon.command('main', 'x', 'beats'));
  let last = first;
  const until = Date.now() + 5000;
  while (last < first + 5 && Date.now() < until) last = Number(await daemon.command('main', 'x', 'beats'));
  expect(last).toBeGreaterThanOrEqual(first + 5);
});

test('the timers of a kept resource stay, also those that its code starts later', async () => {
  const daemon = await afterReload(`
    import { EventEmitter } from "node:events";
    export default async (pi, session) => {
      const beat = await session.resources.getOrCreate("beat", () => {
        const beat = Object.assign(new EventEmitter(), { count: 0 });
        const next = () => { beat.count += 1; beat.emit("beat"); setTimeout(next, 1); };
        next();
        return beat;
      });
      globalThis.old = () => String(beat.count);
    };`);
  const first = Number(await daemon.command('main', 'ask', 'ask'));
  let last = first;
  const until = Date.now() + 5000;
  while (last < first + 5 && Date.now() < until) last = Number(await daemon.command('main', 'ask', 'ask'));
  expect(last).toBeGreaterThanOrEqual(first + 5);
});

test('new code that an old connection calls may use timers', async () => {
  const daemon = await afterReload(`
    import { EventEmitter } from "node:events";
    import { AsyncResource } from "node:async_hooks";
    globalThis.line ??= new EventEmitter();
    export default (pi, session) => {
      // A connection's events come from within the context of the generation that made it.
      globalThis.ring ??= AsyncResource.bind(() => globalThis.line.emit("ring"));
      globalThis.line.removeAllListeners("ring");
      globalThis.line.on("ring", () => setTimeout(() => pi.events.emit("rung" + session.generation), 1));
      pi.events.on("rung2", () => console.info("rung"));
      globalThis.old = () => { globalThis.ring(); };
    };`);
  await daemon.command('main', 'ask', 'ask');
  await daemon.wait('log', ({ text }) => text === 'rung');
});

test('what one session keeps, another cannot reach', async () => {
  const daemon = await startDaemon();
  daemon.write(
    'x.ts',
    `export default (pi, session) => {
      globalThis.pis ??= []; globalThis.pis.push(pi);
      pi.registerCommand("count", { handler: () => String(globalThis.pis.length) });
    };`,
  );
  await daemon.open('main', ['x.ts']);
  await daemon.reload('main', ['x.ts']);
  await daemon.open('other', ['x.ts']);
  expect(await daemon.command('main', 'x', 'count')).toBe('2');
  expect(await daemon.command('other', 'x', 'count')).toBe('1');
  // A call with the identity that it has in another session.
  await expect(daemon.command('other', 'x', 'count', '', { generation: 2 })).rejects.toMatchObject({
    code: -32001,
  });
});

test('a refusal by the daemon is the same error', async () => {
  const daemon = await startDaemon();
  daemon.write(
    'x.ts',
    `import { StaleError } from "@holdfast/extension";
     export default (pi, { state }) => pi.registerCommand("x", {
       handler: async () => { try { await state.get("a"); } catch (error) { return (error instanceof StaleError) + error.message; } } });`,
  );
  daemon.answers['state.get'] = () => {
    throw Object.assign(new Error('old news'), { code: -32001 });
  };
  await daemon.open('main', ['x.ts']);
  expect(await daemon.command('main', 'x', 'x')).toBe('trueold news');
});

// They succeeded, and overwrote what the new code had saved.
test.each(['set("k", 1)', 'get("k")', 'delete("k")', 'keys()'])(
  'old code cannot use the state any more: %s',
  async (call) => {
    const daemon = await afterReload(`
    globalThis.old ??= undefined;
    export default (pi, session) => {
      if (session.generation > 1) return;
      globalThis.old = async () => {
        try { await session.state.${call}; return "done"; } catch (error) { return String(error); }
      };
    };`);
    const before = daemon.told.length;
    expect(await daemon.command('main', 'ask', 'ask')).toBe(`StaleError: ${refusal}`);
    expect(daemon.told).toHaveLength(before);
  },
);

test('a resource that old code made may use the state while it is closed', async () => {
  const daemon = await startDaemon();
  daemon.write(
    'x.ts',
    `export default async (pi, session) => {
      if (session.generation === 1)
        await session.resources.getOrCreate("r", () => ({}), { close: () => session.state.set("closed", true) });
      else session.resources.get("r");
    };`,
  );
  await daemon.open('main', ['x.ts']);
  await daemon.reload('main', ['x.ts']);
  const { resources } = await daemon.call('session.close', { session: 'main', reason: 'close' });
  expect(resources).toEqual([{ extension: 'x', key: 'r', closed: true }]);
  expect([...daemon.state.values()]).toEqual([true]);
});

// It stayed on the screen, and its answer reached the old code.
test('a question that is open at a reload is withdrawn', async () => {
  const daemon = await startDaemon();
  daemon.answers['ui.ask'] = () => new Promise(() => {});
  daemon.write(
    'x.ts',
    `export default (pi) => pi.registerCommand("x", { handler: async (_args, ctx) => {
      try { return String(await ctx.ui.confirm("Sure?")); } catch (error) { return String(error); }
    } });`,
  );
  await daemon.open('main', ['x.ts']);
  const asking = daemon.command('main', 'x', 'x');
  await daemon.wait('ui.ask');
  await daemon.reload('main', ['x.ts']);
  expect(await asking).toBe(
    'StaleError: this is generation 1 of x in session main; generation 2 has taken over',
  );
  expect(daemon.all('ui.withdraw')).toEqual([{ session: 'main', extension: 'x', generation: 1 }]);
});
