// How fast @xterm/headless processes a file: xterm_headless.mjs FILE [COLS ROWS]
//
// Prints one number, MB/s (10^6 bytes): the median of three runs after a warm-up run. It counts the
// main thread's processor time, as the other benchmarks do, or wall time with a Node before 23.9.
// Needs `npm ci` in tests/oracle.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { performance } from "node:perf_hooks";

const require = createRequire(new URL("../tests/oracle/package.json", import.meta.url));
const { Terminal } = require("@xterm/headless");
const { Unicode11Addon } = require("@xterm/addon-unicode11");

const WRITE_SIZE = 64 * 1024;
const SCROLLBACK = 10_000;
const RUNS = 3;

const [file, cols = "80", rows = "24"] = process.argv.slice(2);
if (!file) {
  console.error("usage: xterm_headless.mjs FILE [COLS ROWS]");
  process.exit(2);
}
const bytes = readFileSync(file);

await secondsToFeed();
const seconds = [];
for (let run = 0; run < RUNS; run++) seconds.push(await secondsToFeed());
seconds.sort((a, b) => a - b);
console.log((bytes.length / 1e6 / seconds[Math.floor(RUNS / 2)]).toFixed(1));

function now() {
  if (!process.threadCpuUsage) return performance.now() / 1000;
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1e6;
}

async function secondsToFeed() {
  const terminal = new Terminal({
    cols: Number(cols),
    rows: Number(rows),
    scrollback: SCROLLBACK,
    allowProposedApi: true,
  });
  terminal.loadAddon(new Unicode11Addon());
  terminal.unicode.activeVersion = "11";
  const start = now();
  for (let at = 0; at < bytes.length; at += WRITE_SIZE) terminal.write(bytes.subarray(at, at + WRITE_SIZE));
  await new Promise((done) => terminal.write("", done));
  const elapsed = now() - start;
  terminal.dispose();
  return elapsed;
}
