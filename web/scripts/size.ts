// Fails if what a browser loads before the first terminal is drawn has grown beyond its budget.

import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const budget = 250 * 1024;
const dist = join(dirname(fileURLToPath(import.meta.url)), '..', 'dist');
const page = readFileSync(join(dist, 'index.html'), 'utf8');
const first = [...page.matchAll(/(?:src|href)="\/([^"]+)"/g)].map((match) => match[1] ?? '');
// The renderer is loaded with the first terminal that is shown.
const script = first.find((name) => name.endsWith('.js')) ?? '';
const renderer = /addon-webgl-[\w-]+\.js/.exec(readFileSync(join(dist, script), 'utf8'))?.[0];
const names = ['index.html', ...first, ...(renderer ? [`assets/${renderer}`] : [])];

let total = 0;
for (const name of names) {
  const file = join(dist, name);
  // Images are compressed already.
  const { size } = statSync(existsSync(`${file}.gz`) ? `${file}.gz` : file);
  total += size;
  console.log(`${(size / 1024).toFixed(1).padStart(7)} KiB  ${name}`);
}
console.log(`${(total / 1024).toFixed(1).padStart(7)} KiB  first load, gzip; at most ${budget / 1024}`);
if (total > budget) process.exitCode = 1;
