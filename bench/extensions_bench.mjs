// What sessions with extensions cost, measured as a client through the real daemon, keeper and
// runner. Times are in milliseconds, memory in MiB.
//   node bench/extensions_bench.mjs          with a small extension
//   node bench/extensions_bench.mjs PATH…    memory of sessions with these extensions

import { readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";

import { Daemon } from "../tests/node/daemon.mjs";
import { Native } from "../tests/node/native.mjs";

const sessions = 100;
const rounds = 300;

const code = (n) => `import { helper } from './helper';
export default (pi: ExtensionAPI, session: SessionContext) => {
  pi.on('session_start', async (_event, ctx) => {});
  pi.registerCommand('echo', { description: 'Echoes', handler: async (args: string) => helper(args, ${n}) });
};`;
const helper = (n) => `export function helper(text: string, n: number): string { return text + ${n} * n; }`;

function show(what, ...columns) {
  console.log(what.padEnd(44), ...columns);
}

function showTimes(what, times) {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (part) => sorted[Math.floor((sorted.length - 1) * part)].toFixed(2).padStart(8);
  show(what, `p50 ${at(0.5)}   p95 ${at(0.95)}   (${times.length})`);
}

async function timed(step) {
  const start = performance.now();
  await step();
  return performance.now() - start;
}

async function measure(count, step) {
  const times = [];
  for (let n = 0; n < count; n += 1) times.push(await timed(() => step(n)));
  return times;
}

const memory = (pid) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))[1]) / 1024;

// Milliseconds of processor time.
function spent(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" ");
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

const real = process.argv.slice(2);

async function measureReal() {
  const one = await Daemon.start({ args: ["--extensions", real.join()] });
  try {
    const client = await Native.connect(one);
    await client.ok("/help");
    const runner = one.keeper().children.find(({ argv }) => argv.some((word) => word.endsWith("runner.mjs"))).pid;
    const before = memory(runner);
    const count = 10;
    showTimes("session created, real extensions loaded", await measure(count, async (n) => {
      await client.ask("session_create", { name: `real${n}` });
      await client.ok("/help", `real${n}`);
      await client.ok("/resources", `real${n}`);
    }));
    show(`memory of a session with them, of ${count}`, `    ${((memory(runner) - before) / count).toFixed(1).padStart(8)}`);
    client.close();
  } finally {
    await one.stop();
  }
}

if (real.length > 0) {
  await measureReal();
  process.exit();
}

const daemon = await Daemon.start();
try {
  const client = await Native.connect(daemon);
  const edit = (n) => {
    daemon.extension("x/index.ts", code(n));
    daemon.extension("x/helper.ts", helper(n));
  };
  const echo = (session) => client.ok("/echo hello", session);
  const open = async (name) => {
    await client.ask("session_create", { name });
    await echo(name);
  };

  edit(0);
  showTimes("the first session, with runner and compiler", [await timed(() => open("first"))]);
  const runner = daemon.keeper().children.find(({ argv }) => argv.some((word) => word.endsWith("runner.mjs"))).pid;
  showTimes("command", await measure(2000, () => echo("first")));
  showTimes("reload, nothing changed", await measure(rounds, () => client.ok("/reload", "first")));
  const edited = (n) => {
    edit(n + 1);
    return client.ok("/reload", "first");
  };
  showTimes("reload, both files edited", await measure(rounds, edited));

  const before = memory(runner);
  showTimes("session created, worker started, first command", await measure(sessions, (n) => open(`s${n}`)));
  show(`memory of a session, of ${sessions}`, `    ${((memory(runner) - before) / sessions).toFixed(1).padStart(8)}`);
  showTimes("command, with all sessions open", await measure(1000, (n) => echo(`s${n % sessions}`)));
  showTimes("reload, with all sessions open", await measure(rounds, (n) => client.ok("/reload", `s${n % sessions}`)));
  const all = (ask) => Promise.all(Array.from({ length: sessions }, (_, n) => ask(`s${n}`)));
  showTimes("a command in all of them at once", [await timed(() => all(echo))]);
  showTimes("reload of all of them at once", [await timed(() => all((name) => client.ok("/reload", name)))]);

  // The engine cleans up some time after work. Measure after that.
  const rest = [];
  for (let n = 0; n < 6; n += 1) {
    const [runnerBefore, daemonBefore] = [spent(runner), spent(daemon.pid)];
    await pause(3000);
    rest.push([(spent(runner) - runnerBefore) / 3, (spent(daemon.pid) - daemonBefore) / 3]);
  }
  const least = (index) => Math.min(...rest.map((each) => each[index])).toFixed(2);
  show("idle processor time, ms a second", `runner ${least(0)}, daemon ${least(1)}`);
  client.close();
} finally {
  await daemon.stop();
}
