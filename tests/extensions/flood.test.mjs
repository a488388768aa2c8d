// Fair share: one session floods what all share, and another session's commands are answered as
// before. 50,000 notifications delayed them by 2 to 3 seconds, and 200,000 by 11.

import assert from "node:assert/strict";
import { test } from "node:test";

import { limit, times, withDaemon } from "./fixture.mjs";

const seconds = times(2, 20);
const most = 50;
// More than 1,000 messages a second are too many of one client.
const betweenCommands = 2;

// What floods, again and again. `yields` lets the worker do other things in between.
const floods = {
  notifications: { one: 'ctx.ui.notify("note " + n)' },
  status: { one: 'ctx.ui.setStatus("k" + (n % 10), "status " + n)' },
  questions: { one: 'ctx.ui.confirm("?", "", { timeout: 1000 }).catch(() => {})' },
  "log lines": { one: 'console.log("line " + n)' },
  calls: { one: 'void session.state.get("k" + (n % 10)).catch(() => {})' },
  progress: { one: 'onUpdate("step " + n)' },
  memory: { one: "globalThis.all = [...(globalThis.all ?? []).slice(-20), Buffer.alloc(4 << 20, n)]", yields: 1 },
  "CPU time": { one: "for (const until = Date.now() + 500; Date.now() < until; );", yields: 1 },
};

const flooder = `export default (pi, session) => {
  const flood = (one, yields) => async (ctx, onUpdate = () => {}) => {
    const until = Date.now() + ${seconds} * 1000;
    for (let n = 0; Date.now() < until; n += 1) {
      one(ctx, n, onUpdate);
      if (n % yields === 0) await new Promise((resolve) => setImmediate(resolve));
    }
  };
  const floods = {
    ${Object.entries(floods)
      .map(([name, { one, yields = 1000 }]) => `"${name}": flood((ctx, n, onUpdate) => { ${one} }, ${yields}),`)
      .join("\n    ")}
  };
  pi.registerTool({ name: "flood", execute: async (_id, { of }, _signal, onUpdate, ctx) => { await floods[of](ctx, onUpdate); return "done"; } });
  pi.registerCommand("hello", { handler: () => "hello" });
};`;

// How long commands of this session take, until `until` settles.
async function measure(client, until) {
  let going = true;
  const stop = () => {
    going = false;
  };
  until.then(stop, stop);
  const taken = [];
  while (going) {
    const began = performance.now();
    await client.ok("/hello");
    taken.push(performance.now() - began);
    await new Promise((resolve) => setTimeout(resolve, betweenCommands));
  }
  taken.sort((a, b) => a - b);
  const at = (share) => taken[Math.min(taken.length - 1, Math.floor(taken.length * share))];
  return { count: taken.length, median: at(0.5), p99: at(0.99) };
}

for (const name of Object.keys(floods))
  test(`a flood of ${name} in one session does not hold up another`, limit, async (context) => {
    await withDaemon({ flooder }, async (_daemon, connect) => {
      const client = await connect();
      await client.ask("session_create", { name: "b" });
      const other = await connect("b");
      await other.ok("/hello");
      // What the machine has to do besides counts in both.
      const quiet = await measure(other, new Promise((resolve) => setTimeout(resolve, seconds * 1000)));
      const flooded = await measure(other, client.ask("tool", { session: "main", name: "flood", arguments: { of: name } }));
      const text = ({ count, median, p99 }) => `${count} commands, median ${median.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`;
      context.diagnostic(`quiet: ${text(quiet)}; flooded: ${text(flooded)}`);
      assert.ok(flooded.p99 < Math.max(most, 3 * quiet.p99), `p99 ${flooded.p99.toFixed(1)} ms; quiet ${quiet.p99.toFixed(1)} ms`);
      if (name === "notifications") await client.note(/^flooder: \d+ notifications were left out/, 20_000);
      assert.ok(client.notes.length < 1000);
      for (const type of ["status", "progress", "ui_request"]) assert.ok(client.all(type).length < 1000, type);
    });
  });
