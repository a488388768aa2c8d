// A Node that is too old is told what is needed, in the first lines that run.

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const program = fileURLToPath(new URL('../dist/runner.mjs', import.meta.url));

function start(node: string, ...args: string[]) {
  const { status, stderr } = spawnSync(node, [...args, program, '--socket', '/nowhere'], {
    encoding: 'utf8',
  });
  return { status, stderr };
}

test.each(['18.20.4', '20.20.2', '22.18.0'])('Node %s is too old', (version) => {
  const claim = `Object.defineProperty(process, "versions", { value: { ...process.versions, node: "${version}" } })`;
  const { status, stderr } = start(process.execPath, '--import', `data:text/javascript,${claim}`);
  expect(status).toBe(2);
  expect(stderr).toBe(
    `Node ${version} (${process.execPath}) is too old: extensions need Node 22.19 or newer\n`,
  );
});

const folders = ['/usr/bin', ...(process.env.PATH ?? '').split(delimiter)];
const old = folders
  .map((folder) => join(folder, 'node'))
  .find((node) => {
    if (!existsSync(node)) return false;
    const { stdout } = spawnSync(node, ['-p', 'process.versions.node'], { encoding: 'utf8' });
    return Number.parseInt(stdout, 10) < 22;
  });

test.skipIf(old === undefined)('a real one, too, if there is one', () => {
  expect(start(old as string).stderr).toMatch(/^Node \S+ \(.*\) is too old: extensions need Node 22\.19/);
});
