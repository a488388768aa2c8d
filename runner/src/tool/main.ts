// `holdfast extension`: `new PATH`, `test PATH` (docs/cli.md). HOLDFAST is the program itself.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { templateOf } from './template.ts';
import { Trial } from './trial.ts';

const [what, path = '.', holdfast = 'holdfast'] = process.argv.slice(2);

function make(): number {
  const name = basename(path);
  if (!/^[a-z][a-z0-9-]*$/.test(name)) {
    return fail(`${name} cannot be an extension's name. Use small letters, digits and hyphens.`);
  }
  if (existsSync(path)) return fail(`${path} exists already. Choose another name, or remove it.`);
  for (const [file, text] of Object.entries(templateOf(name))) {
    mkdirSync(dirname(join(path, file)), { recursive: true });
    writeFileSync(join(path, file), text);
  }
  console.log(`Created ${path}.`);
  console.log(`Type /reload in a session, then /${name}. To test it: holdfast extension test ${name}`);
  return 0;
}

function testsIn(extension: string): string[] {
  const folder = join(extension, 'test');
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return files.filter((file) => /\.test\.(ts|mts|js|mjs)$/.test(file)).map((file) => join('test', file));
}

async function test(): Promise<number> {
  const files = testsIn(path);
  if (files.length === 0) {
    return fail(`there are no tests in ${join(path, 'test')}. Their names end in .test.ts or .test.js.`);
  }
  const trial = new Trial(holdfast);
  const end = () => void trial.end().then(() => process.exit(130));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, end);
  try {
    await trial.start(path);
    // The tests' processes inherit it.
    const hooks = new URL('./hooks.mjs', import.meta.url).href;
    const tests = spawn(process.execPath, ['--test', ...files], {
      cwd: path,
      stdio: 'inherit',
      env: {
        ...process.env,
        NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --import=${hooks}`.trim(),
        HOLDFAST_TEST_URL: trial.url,
        HOLDFAST_TEST_TOKEN: trial.token,
      },
    });
    const [code] = await once(tests, 'exit');
    return code ?? 1;
  } finally {
    await trial.end();
  }
}

function fail(text: string): number {
  console.error(`holdfast: ${text}`);
  return 1;
}

try {
  process.exitCode = what === 'new' ? make() : await test();
} catch (error) {
  process.exitCode = fail((error as Error).message);
}
