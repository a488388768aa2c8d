// Twenty sessions are reloaded at the same time, again and again: each keeps what is its own, and
// sees nothing of the others.

import assert from "node:assert/strict";
import { test } from "node:test";

import { records, rows, runners, times, withDaemon } from "./fixture.mjs";

const sessions = 20;
const reloads = times(5, 50);

const extension = `
  globalThis.mark ??= undefined;
  export default (pi, session) => {
    globalThis.mark ??= session.name;
    globalThis.loads = (globalThis.loads ?? 0) + 1;
    const channel = (globalThis.channel ??= new BroadcastChannel("everybody"));
    globalThis.heard ??= [];
    channel.onmessage = ({ data }) => globalThis.heard.push(data);
    setInterval(() => channel.postMessage(session.name), 50);
    pi.on("session_start", async () => {
      const made = await session.resources.getOrCreate("kept", () => ({ of: session.name, number: Math.random() }), { describe: ({ of }) => of });
      globalThis.kept ??= made;
      await session.state.set("loads", globalThis.loads);
    });
    pi.registerCommand("about", { handler: async () => JSON.stringify({
      mark: globalThis.mark, name: session.name, loads: globalThis.loads, generation: session.generation,
      same: (await session.resources.get("kept")) === globalThis.kept, saved: await session.state.get("loads"),
      heard: [...new Set(globalThis.heard)], timers: process.getActiveResourcesInfo().filter((each) => each === "Timeout").length,
    }) });
  };`;

test(`${sessions} sessions are reloaded ${reloads} times in parallel`, { timeout: 1_800_000 }, async (context) => {
  await withDaemon({ extension }, async (daemon, connect) => {
    const main = await connect();
    const names = Array.from({ length: sessions }, (_, n) => `s${n}`);
    for (const name of names) await main.ask("session_create", { name });
    const clients = await Promise.all(names.map((name) => connect(name)));
    const began = performance.now();
    await Promise.all(clients.map(async (client) => {
      for (let n = 0; n < reloads; n += 1) assert.equal(await client.ok("/reload"), "Reloaded 1 extension.");
    }));
    const each = (performance.now() - began) / (sessions * reloads);
    context.diagnostic(`${sessions * reloads} reloads, ${each.toFixed(1)} ms each`);
    for (const client of clients) {
      const { timers, ...about } = JSON.parse(await client.ok("/about"));
      const loads = reloads + 1;
      assert.deepEqual(about, { mark: client.session, name: client.session, loads, generation: loads, same: true, saved: loads, heard: [] });
      assert.ok(timers < 10, `${timers} timers`);
    }
    assert.equal(runners(daemon).length, 1);
    const described = rows(daemon, "SELECT description FROM resources JOIN sessions ON sessions.id = resources.session WHERE sessions.name = resources.description");
    assert.equal(described.length, sessions + 1);
    for (const name of names) await main.ask("session_close", { name });
    assert.equal(records(daemon).length, 1);
  });
});
