// What extensions that were written for pi import: pi's packages, which may not be installed, and
// their own files, which may be a package themselves.

import { expect, test, vi } from 'vitest';
import type { Daemon } from './daemon.ts';
import { startDaemon } from './start.ts';

vi.setConfig({ testTimeout: 60_000 });

async function open(code: string): Promise<Daemon> {
  const daemon = await startDaemon();
  daemon.write('x.ts', code);
  expect(await daemon.open('main', ['x.ts'])).toMatchObject([{ status: 'loaded' }]);
  return daemon;
}

const command = (body: string) => `pi.registerCommand("x", { handler: async (args, ctx) => { ${body} } });`;

test('imports of pi’s packages are there; what they lack says what to install', async () => {
  const daemon = await open(`
    import {
      createBashTool, createLocalBashOperations, CustomEditor, defineTool, DynamicBorder, getMarkdownTheme, initTheme,
      LONGEST_NAME, truncateHead, truncateLine, truncateTail, VERSION, withFileMutationQueue, type ExtensionAPI,
    } from "@earendil-works/pi-coding-agent";
    import { Box, Editor, Key, Markdown, matchesKey, SelectList, Text, truncateToWidth, visibleWidth } from "@earendil-works/pi-tui";
    import { StringEnum, uuidv7 } from "@mariozechner/pi-ai";
    import { Type } from "typebox";
    import { Check } from "typebox/value";
    class Mine extends CustomEditor {}
    const Parameters = Type.Object({ of: StringEnum(["a", "b"]), n: Type.Optional(Type.Number()) });
    const order = [];
    const uses = {
      text: () => new Text("a\\nb", 0, 0).render(3).join(),
      box: () => { const box = new Box(1, 1); box.addChild(new Text("in", 0, 0)); return JSON.stringify(box.render(6)); },
      key: () => Key.ctrl("x") + " " + matchesKey("\x18", "ctrl+x"),
      width: () => visibleWidth("\x1b[1m日本👍🏽\x1b[0m") + truncateToWidth("日本語", 4, ""),
      border: () => new DynamicBorder((text) => text).render(3)[0],
      markdown: () => new Markdown("# Title", 0, 0, getMarkdownTheme()).render(20)[0].includes("Title"),
      check: () => Check(Parameters, { of: "a" }) + " " + Check(Parameters, { of: "c" }),
      types: () => Object.keys(Type.Pick(Parameters, ["n"]).properties) + Object.keys(Type.Omit(Parameters, ["n"]).properties),
      uuid: () => [uuidv7(), uuidv7()].every((id) => /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(id)),
      version: () => VERSION.split(".").map(Number).every(Number.isInteger),
      head: () => JSON.stringify(truncateHead("1\\n2\\n3", { maxLines: 2 })),
      tail: () => truncateTail("1\\n22\\n333", { maxBytes: 6 }).content + "|" + truncateTail("äöü", { maxBytes: 3 }).content,
      line: () => truncateLine("x".repeat(9), 3).text,
      queue: async () => {
        const slow = withFileMutationQueue("a", async () => { await new Promise((done) => setTimeout(done, 20)); order.push("first"); });
        await Promise.all([slow, withFileMutationQueue("a", () => { order.push("second"); })]);
        return order.join();
      },
      shell: async () => {
        const all = [];
        const { exitCode } = await createLocalBashOperations().exec("echo out; exit 3", "/", { onData: (data) => all.push(data) });
        return Buffer.concat(all).toString().trim() + exitCode;
      },
      classes: () => [Mine, SelectList, Editor].every((each) => typeof each === "function"),
      missing: () => initTheme(),
      constant: () => LONGEST_NAME,
    };
    export default (pi: ExtensionAPI) => {
      pi.registerTool(defineTool({
        name: "pick", label: "Pick", description: "picks", parameters: Parameters,
        execute: async (_id, { of }) => ({ content: [{ type: "text", text: of }] }),
      }));
      pi.registerTool({ ...createBashTool("/") });
      ${command('return String(await uses[args]());')}
    };`);
  const expected = {
    text: 'a  ,b  ',
    box: '["      "," in   ","      "]',
    key: 'ctrl+x true',
    width: '6日本\x1b[0m',
    border: '───',
    markdown: 'true',
    check: 'true false',
    types: 'nof',
    ...{ uuid: 'true', version: 'true', classes: 'true' },
    tail: '22\n333|ü',
    line: 'xxx... [truncated]',
    queue: 'first,second',
    shell: 'out3',
  };
  for (const [what, text] of Object.entries(expected))
    expect(await daemon.command('main', 'x', 'x', what), what).toBe(text);
  const { content, truncatedBy, totalLines } = JSON.parse(await daemon.command('main', 'x', 'x', 'head'));
  expect([content, truncatedBy, totalLines]).toEqual(['1\n2', 'lines', 3]);
  for (const [what, name] of [
    ['missing', 'initTheme'],
    ['constant', 'LONGEST_NAME'],
  ])
    await expect(daemon.command('main', 'x', 'x', what), what).rejects.toThrow(
      `${name} is in the package @earendil-works/pi-coding-agent; run npm install`,
    );
  expect(await daemon.tool('main', 'x', 'pick', { of: 'a' })).toEqual({
    content: [{ type: 'text', text: 'a' }],
  });
  await expect(daemon.tool('main', 'x', 'pick', { of: 'c' })).rejects.toThrow('a, b');
  await expect(daemon.tool('main', 'x', 'bash', {})).rejects.toThrow('npm install');
});

test('a package that is installed beside the extension is used instead', async () => {
  const daemon = await startDaemon();
  daemon.write('node_modules/@earendil-works/pi-tui/package.json', '{ "main": "index.js" }');
  daemon.write('node_modules/@earendil-works/pi-tui/index.js', 'exports.visibleWidth = () => "installed";');
  daemon.write(
    'x.ts',
    `import { visibleWidth } from "@earendil-works/pi-tui"; export default (pi) => { ${command('return visibleWidth("");')} };`,
  );
  await daemon.open('main', ['x.ts']);
  expect(await daemon.command('main', 'x', 'x')).toBe('installed');
});

test('an extension that is installed as a package is loaded like any other', async () => {
  const daemon = await startDaemon();
  const code = (text: string) => `
    import { Text } from "@earendil-works/pi-tui";
    import { word } from "./word.ts";
    import { count } from "beside";
    export default (pi) => {
      setInterval(() => globalThis.ticks.push("${text}"), 1);
      globalThis.ticks = [];
      ${command('if (args) throw new Error("no"); return [word, new Text("drawn", 0, 0).render(80)[0].trim(), count()].join();')}
      pi.registerCommand("ticks", { handler: async () => {
        globalThis.ticks = [];
        while (globalThis.ticks.length < 3) await new Promise((resolve) => setTimeout(resolve, 1));
        return [...new Set(globalThis.ticks)].join();
      } });
    };`;
  daemon.write('node_modules/@scope/x/index.ts', code('old'));
  daemon.write('node_modules/@scope/x/word.ts', 'export const word: string = "old";');
  daemon.write('node_modules/@scope/x/node_modules/beside/package.json', '{ "main": "index.js" }');
  daemon.write(
    'node_modules/@scope/x/node_modules/beside/index.js',
    'let n = 0; exports.count = () => (n += 1);',
  );
  const path = 'node_modules/@scope/x/index.ts';
  const name = 'node_modules/@scope/x';
  expect(await daemon.open('main', [path])).toMatchObject([{ status: 'loaded' }]);
  expect(await daemon.command('main', name, 'x')).toBe('old,drawn,1');
  daemon.write('node_modules/@scope/x/index.ts', code('new'));
  daemon.write('node_modules/@scope/x/word.ts', 'export const word: string = "new";');
  await daemon.reload('main', [path]);
  expect(await daemon.command('main', name, 'x')).toBe('new,drawn,2');
  expect(await daemon.command('main', name, 'ticks')).toBe('new');
  await expect(daemon.command('main', name, 'x', 'fail')).rejects.toMatchObject({
    data: { advice: expect.stringMatching(/@scope\/x\/index.ts:8:\d+/) },
  });
  daemon.write('node_modules/@scope/x/word.ts', 'export const = ;');
  expect(await daemon.reload('main', [path])).toMatchObject([
    { status: 'kept', error: { file: expect.stringMatching('word.ts'), line: 1 } },
  ]);
});
