// Which files a reload reads anew.

import { expect, test } from 'vitest';
import { startDaemon } from './start.ts';

test('nested files of every kind are read anew', async () => {
  const daemon = await startDaemon();
  const files: Record<string, (n: number) => string> = {
    'x/a.ts': (n) => `import { b } from "./deep/b.js"; export const a: string = "a${n}" + b;`,
    'x/deep/b.ts': (n) => `export const b = "b${n}";`,
    'x/c.mjs': (n) => `export default "c${n}";`,
    'x/d.cjs': (n) => `exports.d = "d${n}" + require("./e.cjs") + require("./f.json").f;`,
    'x/e.cjs': (n) => `module.exports = "e${n}";`,
    'x/f.json': (n) => `{"f": "f${n}"}`,
    'x/g.js': (n) => `module.exports = { g: "g${n}" };`,
    'x/h.ts': (n) => `export const h = "h${n}";`,
  };
  const writeAll = (n: number) => {
    for (const [name, code] of Object.entries(files)) daemon.write(name, code(n));
  };
  daemon.write(
    'x/index.ts',
    `import { a } from "./a"; import c from "./c.mjs"; import { d } from "./d.cjs"; import { g } from "./g.js";
     import f from "./f.json";
     export default (pi) => pi.registerCommand("x", { handler: async () => {
       const name = "h"; const { h } = await import("./" + name + ".ts"); return a + c + d + g + f.f + h; } });`,
  );
  for (const n of [1, 2, 3]) {
    writeAll(n);
    if (n === 1) await daemon.open('main', ['x/index.ts']);
    else await daemon.reload('main', ['x/index.ts']);
    expect(await daemon.command('main', 'x', 'x')).toBe('a b c d e f g f h'.replace(/(\w) ?/g, `$1${n}`));
  }
});

test('a module that two files import is there once, and packages are not loaded anew', async () => {
  const daemon = await startDaemon();
  daemon.write('x/node_modules/pack/package.json', '{"name": "pack", "main": "main.js"}');
  daemon.write(
    'x/node_modules/pack/main.js',
    'globalThis.packs = (globalThis.packs ?? 0) + 1; exports.n = 1;',
  );
  daemon.write('x/shared.ts', 'globalThis.shares = (globalThis.shares ?? 0) + 1; export const one = {};');
  daemon.write('x/a.ts', 'export { one } from "./shared";');
  daemon.write('x/b.ts', 'export * from "./shared";');
  daemon.write(
    'x/index.ts',
    `import "pack"; import { one as a } from "./a"; import { one as b } from "./b";
     export default (pi) => pi.registerCommand("x", { handler: () => [a === b, globalThis.shares, globalThis.packs].join() });`,
  );
  await daemon.open('main', ['x/index.ts']);
  expect(await daemon.command('main', 'x', 'x')).toBe('true,1,1');
  await daemon.reload('main', ['x/index.ts']);
  expect(await daemon.command('main', 'x', 'x')).toBe('true,2,1');
});
