// The ways in which extensions keep state on globalThis, which must go on working, and the failures they used to have
// when one process held several sessions.

import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { Daemon } from './daemon.ts';
import { startDaemon } from './start.ts';

async function start(...names: string[]): Promise<Daemon> {
  const daemon = await startDaemon();
  cpSync(fileURLToPath(new URL('patterns', import.meta.url)), join(daemon.folder, 'extensions'), {
    recursive: true,
  });
  const outcomes = await daemon.open('main', names);
  for (const outcome of outcomes) expect(outcome.status).toBe('loaded');
  return daemon;
}

test('what is in a local variable is lost', async () => {
  const daemon = await start('lost.ts');
  await daemon.command('main', 'lost', 'attach');
  expect(await daemon.reload('main', ['lost.ts'])).toMatchObject([{ status: 'loaded' }]);
  expect(await daemon.command('main', 'lost', 'attach')).toBeUndefined();
});

test('a registry on globalThis stays, can be inspected, and is cleaned up', async () => {
  const all = ['registry.ts', 'inspection.ts'];
  const daemon = await start(...all);
  await daemon.command('main', 'registry', 'start', 'myvm');
  await daemon.reload('main', all);
  await daemon.command('main', 'inspection', 'list');
  await daemon.command('main', 'inspection', 'cleanup');
  await daemon.command('main', 'inspection', 'list');
  expect(daemon.all('ui.notify').map(({ text, level }) => [text, level])).toEqual([
    ['Started: myvm', 'success'],
    ['Registered VMs:\n  myvm (vm1-0123)', 'info'],
    ['Cleaned up all VMs', 'success'],
    ['No VMs registered', 'info'],
  ]);
});

test('three tiers: what session_start finds again', async () => {
  const daemon = await start('registry.ts', 'tiers.ts');
  await daemon.command('main', 'registry', 'start', 'one');
  await daemon.command('main', 'registry', 'start', 'two');
  await daemon.reload('main', ['registry.ts', 'tiers.ts']);
  expect(daemon.notes().filter((text) => text.startsWith('Loaded'))).toEqual([
    'Loaded 0 VM(s) and 0 connection(s)',
    'Loaded 2 VM(s) and 0 connection(s)',
  ]);
});

test('a guard asks before switching', async () => {
  const daemon = await start('registry.ts', 'guard.ts');
  expect(await daemon.event('main', 'session_before_switch', { from: 'main', to: 'b' })).toBeNull();
  await daemon.command('main', 'registry', 'start', 'one');
  daemon.answers['ui.ask'] = () => false;
  expect(await daemon.event('main', 'session_before_switch', { from: 'main', to: 'b' })).toEqual({
    cancel: true,
  });
  expect(daemon.all('ui.ask')).toMatchObject([
    { kind: 'confirm', title: 'VMs exist', message: '1 VM(s) will be detached. Continue?' },
  ]);
  daemon.answers['ui.ask'] = () => true;
  expect(await daemon.event('main', 'session_before_switch', { from: 'main', to: 'b' })).toBeNull();
  await daemon.command('main', 'guard', 'new-session');
  expect(daemon.notes().at(-1)).toBe('Cleaned VMs, starting new session');
});

test('a log of resources over a reload', async () => {
  const daemon = await start('registry.ts', 'leaks.ts');
  await daemon.command('main', 'leaks', 'start', 'one');
  await daemon.reload('main', ['registry.ts', 'leaks.ts']);
  await daemon.command('main', 'leaks', 'resources');
  expect(daemon.notes().at(-1)).toMatch(
    /^Recent resources:\n {2}\[.+\] one: create\n {2}\[.+\] one: reload$/,
  );
});

test('closing or detaching at shutdown is the extension’s own business', async () => {
  const daemon = await start('closes.ts', 'detaches.ts');
  expect(await daemon.reload('main', ['closes.ts', 'detaches.ts'])).toMatchObject([
    { status: 'loaded' },
    { status: 'loaded' },
  ]);
  expect(daemon.all('log')).toEqual([]);
});

test('create, attach, use, reload, use, stop', async () => {
  const daemon = await start('gondolin.ts');
  const say = async (command: string, args = '') => {
    await daemon.command('main', 'gondolin', command, args);
    return daemon.notes().at(-1);
  };
  expect(await say('start', 'myvm')).toBe('Started: myvm');
  expect(await say('attach', 'myvm')).toBe('Attached: myvm');
  const routed = { result: { output: 'vm1-0123456789 ran curl', exitCode: 0 } };
  expect(await daemon.event('main', 'user_bash', { command: 'curl' })).toEqual(routed);
  await daemon.reload('main', ['gondolin.ts']);
  expect(await daemon.event('main', 'user_bash', { command: 'curl' })).toBeNull();
  expect(await say('list')).toBe('Registered VMs:\n  myvm (vm1-0123)');
  expect(await say('attach', 'myvm')).toBe('Attached: myvm');
  expect(await daemon.event('main', 'user_bash', { command: 'curl' })).toEqual(routed);
  expect(await say('stop', 'myvm')).toBe('Stopped: myvm');
  expect(await say('list')).toBe('Registered VMs:\n');
});

/** An extension that clears everybody's callbacks, overrides what there is once, and guesses who it is. */
const careless = `
  globalThis.callbacks ??= [];
  export function registerTools(pi, session) {
    globalThis.callbacks.splice(0);
    globalThis.callbacks.push((text, ctx) => ctx.ui.notify("callback of " + session.id + " " + text));
    globalThis.active = { of: session.id };
    globalThis.calls = (globalThis.calls ?? 0) + 1;
    const guess = globalThis.calls > 1 ? "reload" : "creation";
    pi.registerCommand("finish", { handler: (text, ctx) => globalThis.callbacks.forEach((each) => each(text, ctx)) });
    pi.registerCommand("who", { handler: () => [globalThis.active.of, session.id, session.reason, guess, globalThis.calls].join() });
  }`;

test.each([2, 10])('%i sessions do not clear, override or mistake each other', async (count) => {
  const daemon = await startDaemon();
  daemon.write('x.ts', careless);
  const ids = Array.from({ length: count }, (_, n) => `s${n}`);
  await Promise.all(ids.map((id) => daemon.open(id, ['x.ts'], { reason: 'new' })));
  await Promise.all(ids.map((id) => daemon.command(id, 'x', 'finish', 'job', { call: id })));
  for (const id of ids) expect(daemon.notes(id)).toEqual([`callback of ${id} job`]);
  const who = await Promise.all(ids.map((id) => daemon.command(id, 'x', 'who', '', { call: id })));
  expect(who).toEqual(ids.map((id) => `${id},${id},new,creation,1`));
  await daemon.reload('s0', ['x.ts']);
  expect(await daemon.command('s0', 'x', 'who')).toBe('s0,s0,reload,reload,2');
  expect(await daemon.command('s1', 'x', 'who')).toBe('s1,s1,new,creation,1');
});

test('what extensions did about it before still works', async () => {
  const daemon = await startDaemon();
  daemon.write(
    'x.ts',
    `globalThis.tagged ??= []; globalThis.bridges ??= new Map(); globalThis.single ??= true;
    export function registerTools(pi, session) {
      globalThis.tagged = globalThis.tagged.filter(({ sessionId }) => sessionId !== session.id);
      globalThis.tagged.push({ sessionId: session.id, fn: () => "mine" });
      const again = globalThis.single && globalThis.bridges.has(session.id);
      globalThis.bridges.set(session.id, { again });
      const marked = globalThis.reloading === session.id;
      globalThis.reloading = undefined;
      pi.on("session_before_reload", () => { globalThis.reloading = session.id; });
      pi.registerCommand("x", { handler: () => JSON.stringify(
        [globalThis.tagged.length, globalThis.tagged[0].fn(), globalThis.bridges.size, globalThis.bridges.get(session.id).again, marked]) });
    }`,
  );
  await daemon.open('a', ['x.ts']);
  await daemon.open('b', ['x.ts']);
  expect(await daemon.command('a', 'x', 'x')).toBe('[1,"mine",1,false,false]');
  await daemon.reload('a', ['x.ts']);
  expect(await daemon.command('a', 'x', 'x')).toBe('[1,"mine",1,true,true]');
  expect(await daemon.command('b', 'x', 'x')).toBe('[1,"mine",1,false,false]');
});

test('a reload of one session and the creation of another are told apart, a thousand times', async () => {
  const daemon = await startDaemon();
  // Into a file, because log lines are limited.
  const heardFile = join(daemon.folder, 'heard');
  daemon.write(
    'x.ts',
    `import { appendFileSync } from "node:fs";
    export default (pi, { id, reason, generation }) => pi.on("session_start", (event) =>
      appendFileSync(${JSON.stringify(heardFile)}, [id, reason, event.reason, generation].join() + "\\n"));`,
  );
  await daemon.open('a', ['x.ts']);
  // Starting a thousand threads takes a minute, so usually most of it is reloads.
  const newSessions = process.env.HOLDFAST_SOAK ? 1000 : 100;
  const expected: string[] = [];
  for (let n = 0; n < 1000; n += 1) {
    const steps = [daemon.reload('a', ['x.ts'])];
    expected.push(`a,reload,reload,${n + 2}`);
    if (n % (1000 / newSessions) === 0) {
      steps.push(daemon.open(`b${n}`, ['x.ts'], { reason: 'new' }));
      expected.push(`b${n},new,new,1`);
    }
    for (const [outcome] of await Promise.all(steps)) expect(outcome.status).toBe('loaded');
    if (steps.length > 1) await daemon.call('session.close', { session: `b${n}`, reason: 'close' });
  }
  const heard = readFileSync(heardFile, 'utf8').trimEnd().split('\n');
  expect(heard.slice(1).sort()).toEqual(expected.sort());
}, 180_000);

test('many reloads of edited code leave no more behind than a little', async () => {
  const daemon = await startDaemon();
  const code = (n: number) => `
    import v8 from "node:v8"; import vm from "node:vm";
    const weight = new Array(20_000).fill(${n});
    export default (pi) => {
      setInterval(() => weight.length, 1000);
      process.on("thing", () => weight.length);
      pi.on("session_start", () => weight.length);
      pi.registerTool({ name: "t", parameters: { type: "object", properties: { n${n}: {} } }, execute: () => String(weight[0]) });
      pi.registerCommand("heap", { handler: async () => {
        v8.setFlagsFromString("--expose-gc");
        vm.runInNewContext("gc")();
        return String(v8.getHeapStatistics().used_heap_size);
      } });
    };`;
  daemon.write('x.ts', code(0));
  await daemon.open('main', ['x.ts']);
  const heapAfter = async (from: number, to: number) => {
    for (let n = from; n < to; n += 1) {
      daemon.write('x.ts', code(n));
      await daemon.reload('main', ['x.ts']);
    }
    return Number(await daemon.command('main', 'x', 'heap')) / 1024 / 1024;
  };
  const before = await heapAfter(1, 50);
  const after = await heapAfter(50, 350);
  console.log(`heap after 50 reloads ${before.toFixed(1)} MiB, after 350 ${after.toFixed(1)} MiB`);
  // Each generation holds 160 KiB: had they all stayed, it would have grown by 47 MiB.
  expect(after - before).toBeLessThan(6);
  // 350 reloads take 5 s alone, and much longer on a busy machine.
}, 60_000);
