// One session's flood of notifications, status items, questions or calls: another session's commands
// go on. 50,000 notifications delayed them by 2 to 3 seconds, and 200,000 by 11.

import assert from "node:assert/strict";
import { test } from "node:test";

import { limit, withDaemon } from "./fixture.mjs";

const flooder = `
  export default (pi, session) => {
    const flood = (name, one, count = 200_000) => pi.registerCommand(name, { handler: async (_args, ctx) => {
      for (let n = 0; n < count; n += 1) {
        one(ctx, n);
        if (n % 1000 === 0) await new Promise((resolve) => setImmediate(resolve));
      }
    } });
    flood("notify", ({ ui }, n) => ui.notify("note " + n));
    flood("status", ({ ui }, n) => ui.setStatus("k", "status " + n));
    flood("questions", ({ ui }) => ui.confirm("?", "", { timeout: 1000 }).catch(() => {}));
    flood("state", (_ctx, n) => void session.state.get("k" + (n % 10)), 20_000);
    pi.registerCommand("hello", { handler: () => "hello" });
  };`;

for (const line of ["/notify", "/status", "/questions", "/state"])
  test(`${line} in one session does not hold up another`, limit, async (context) => {
    await withDaemon({ flooder }, async (_daemon, connect) => {
      const client = await connect();
      await client.ask("session_create", { name: "b" });
      const other = await connect("b");
      await other.ok("/hello");
      let going = true;
      const times = [];
      const asking = (async () => {
        while (going) {
          const began = performance.now();
          await other.ok("/hello");
          times.push(performance.now() - began);
          await new Promise((resolve) => setImmediate(resolve));
        }
      })();
      assert.equal((await client.run(line)).error, undefined);
      if (line === "/notify") await client.note(/^flooder: \d+ notifications were left out/, 20_000);
      going = false;
      await asking;
      times.sort((a, b) => a - b);
      const at = (share) => times[Math.min(times.length - 1, Math.floor(times.length * share))];
      context.diagnostic(`${times.length} commands: median ${at(0.5).toFixed(1)} ms, p99 ${at(0.99).toFixed(1)} ms`);
      assert.ok(at(0.5) < 50, `the median was ${at(0.5)} ms`);
      assert.ok(at(1) < 1000, `the slowest took ${at(1)} ms`);
      assert.ok(client.notes.length < 1000);
      assert.ok(client.all("status").length < 1000);
    });
  });
