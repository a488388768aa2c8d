// Extensions that hang, grow, exit or fail: their session recovers, and others are not affected.

import assert from "node:assert/strict";
import { test } from "node:test";

import { limit, logged, until, withDaemon } from "./fixture.mjs";

const trouble = `
  export default (pi, session) => {
    pi.on("session_start", ({ reason }, ctx) => ctx.ui.notify("started: " + reason));
    pi.registerCommand("loop", { handler: () => { for (;;); } });
    pi.registerCommand("grow", { handler: async () => {
      const all = [];
      for (;;) {
        all.push(new Array(1e5).fill(all.length));
        if (all.length % 10 === 0) await new Promise((resolve) => setTimeout(resolve, 1));
      }
    } });
    pi.registerCommand("exit", { handler: () => process.exit(3) });
    pi.registerCommand("reject", { handler: () => { Promise.reject(new Error("nobody catches this")); } });
    pi.registerCommand("throw", { handler: () => { setTimeout(() => { throw new Error("nor this"); }, 0); } });
    pi.registerCommand("generation", { handler: () => String(session.generation) });
  };`;
const args = ["--extension-stuck-after", "1", "--extension-memory", "100 MiB"];

// Asks a session over and over until told to stop. Returns the slowest answer in milliseconds.
function asking(client, line = "/generation") {
  let going = true;
  const slowest = (async () => {
    let most = 0;
    while (going) {
      const began = performance.now();
      await client.ok(line);
      most = Math.max(most, performance.now() - began);
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    return most;
  })();
  return () => {
    going = false;
    return slowest;
  };
}

for (const [line, reason] of [["/loop", "stuck"], ["/grow", "memory"], ["/exit", "exit"]])
  test(`${line} in one session: it recovers, and another answers within 100 ms throughout`, limit, async () => {
    await withDaemon(
      { trouble },
      async (daemon, connect) => {
        const main = await connect();
        await main.ask("session_create", { name: "b" });
        const b = await connect("b");
        await b.ok("/generation");
        // A busy machine may be slow once.
        for (const last of [false, true]) {
          main.forget();
          const stop = asking(b);
          const { error } = await main.run(line);
          assert.match(error, new RegExp(reason));
          await main.note("started: recover", 20_000);
          const slowest = await stop();
          if (slowest < 100) break;
          assert.ok(!last, `the slowest answer took ${slowest} ms`);
        }
        assert.match(main.notes.map(([, text]) => text).join("\n"), new RegExp(`Restarting extensions: ${reason}`));
        assert.ok(Number(await main.ok("/generation")) > 1);
        assert.equal(await b.ok("/generation"), "1");
        assert.ok(logged(daemon, "extensions").some(([, event, detail]) => event === "worker_ended" && detail.startsWith(reason)));
      },
      { args },
    );
  });

test("a rejection and an exception that nobody catches are logged, and end nothing", limit, async () => {
  await withDaemon({ trouble }, async (daemon, connect) => {
    const client = await connect();
    for (const line of ["/reject", "/throw"]) await client.ok(line);
    for (const text of [/nobody catches this/, /nor this/])
      await until(() => logged(daemon, "trouble").some(([, event, detail]) => event === "log" && text.test(detail)), `${text} to be logged`);
    assert.equal(await client.ok("/generation"), "1");
    assert.ok(!client.notes.some(([, text]) => text === "started: recover"));
  });
});

test("three restarts within five minutes disable an extension, and /reload enables it", limit, async () => {
  await withDaemon({ trouble }, async (daemon, connect) => {
    const main = await connect();
    await main.ask("session_create", { name: "b" });
    const b = await connect("b");
    for (let n = 0; n < 3; n += 1) {
      main.forget();
      assert.match((await main.run("/exit")).error, /exit/);
      await main.note("started: recover");
    }
    await main.run("/exit");
    await main.note(/^trouble is disabled after three restarts within five minutes/);
    assert.match((await main.run("/generation")).error, /there is no command|are not running/);
    assert.match(await main.ok("/help"), /trouble \(disabled\)/);
    assert.equal(await b.ok("/generation"), "1");
    assert.ok(logged(daemon, "trouble").some(([, event]) => event === "disabled"));
    main.forget();
    assert.equal(await main.ok("/reload"), "Reloaded 1 extension.");
    await main.note("started: recover");
    assert.equal(await main.ok("/generation"), "5");
    // The count starts again.
    main.forget();
    await main.run("/exit");
    await main.note("started: recover");
  });
});
