// Two extensions in a session. One keeps killing the worker: it is disabled, and the other keeps
// running.

import assert from "node:assert/strict";
import { test } from "node:test";

import { limit, logged, theRunner, until, withDaemon } from "./fixture.mjs";

const good = `
  export default (pi, session) => {
    // Runs often but never for long, so it must not be blamed.
    setInterval(() => {}, 5);
    pi.on("session_start", ({ reason }, ctx) => ctx.ui.notify("good started: " + reason));
    pi.registerCommand("hello", { handler: () => "hello" });
  };`;
const mended = `export default (pi) => pi.registerCommand("mended", { handler: () => "mended" });`;
// On a busy machine, filling the memory takes time. It must not be mistaken for a loop.
const argsFor = (reason) => ["--extension-stuck-after", reason === "stuck" ? "2" : "10", "--extension-memory", "100 MiB"];

const deeds = {
  loops: ["stuck", "for (;;);"],
  exits: ["exit", "process.exit(3);"],
  grows: ["memory", "for (const all = []; ; all.push(new Array(1e5).fill(0)));"],
};
// Where it fails: an extension's code, and the line that triggers it.
const places = {
  "from a command": (deed) => `export default (pi) => pi.registerCommand("bad", { handler: () => { ${deed} } });`,
  "from a timer": (deed) => `export default (pi) => pi.registerCommand("bad", { handler: () => { setTimeout(() => { ${deed} }, 30); } });`,
};
// The same after leaving the code and entering it again.
const laterPlaces = {
  "in a command that has waited": (deed) => `export default (pi) => pi.registerCommand("bad", { handler: async () => {
    await new Promise((resolve) => setTimeout(resolve, 30));
    ${deed}
  } });`,
  "in a rejection that it catches": (deed) => `export default (pi) => pi.registerCommand("bad", { handler: () => {
    setTimeout(async () => { try { await Promise.reject(new Error()); } catch { ${deed} } }, 30);
  } });`,
};

// Loading is judged by CPU time: four times six seconds, which a busy machine gives slowly.
const takingCpuTime = { timeout: 400_000 };

// Kills the worker once, and waits until the session is back.
async function bringDown(client, line, reason) {
  client.forget();
  const done = await client.run(line);
  await client.note(new RegExp(`(Restarting extensions: ${reason}.*, by bad$)|(^bad is disabled)`), 20_000);
  return done;
}

for (const [deed, [reason, code]] of Object.entries(deeds))
  for (const [place, extension] of Object.entries(places))
    test(`an extension that ${deed} ${place} is the one that is disabled`, limit, async () => {
      await withDaemon({ good, bad: extension(code) }, async (daemon, connect) => {
        const client = await connect();
        for (let n = 0; n < 4; n += 1) await bringDown(client, "/bad", reason);
        const { text } = await client.note(/^bad is disabled after three restarts within five minutes/);
        assert.match(text, new RegExp(`\\(${reason}.*, by bad\\)`));
        await until(async () => (await client.run("/hello")).text === "hello", "the other to answer");
        const help = await client.ok("/help");
        assert.match(help, new RegExp(`bad \\(disabled\\)\\n    disabled after three restarts within five minutes: ${reason}`));
        assert.match((await client.run("/bad")).error, /there is no command/);
        assert.ok(logged(daemon, "bad").some(([, event]) => event === "disabled"));
        daemon.extension("bad", mended);
        assert.equal(await client.ok("/reload"), "Reloaded 2 extensions.");
        assert.equal(await client.ok("/mended"), "mended");
        assert.equal(await client.ok("/hello"), "hello");
      }, { args: argsFor(reason) });
    });

for (const [deed, [reason, code]] of Object.entries(deeds))
  for (const [place, extension] of Object.entries(laterPlaces))
    test(`an extension that ${deed} ${place} is known`, limit, async () => {
      await withDaemon({ good, bad: extension(code) }, async (daemon, connect) => {
        const client = await connect();
        await bringDown(client, "/bad", reason);
      }, { args: argsFor(reason) });
    });

for (const [deed, [reason, code]] of Object.entries(deeds))
  for (const [place, extension] of [["while its code is read", `${code}\nexport default () => {};`], ["in its factory", `export default async () => { await null; ${code} };`]])
    test(`an extension that ${deed} ${place} is the one that is disabled`, takingCpuTime, async () => {
      await withDaemon({ good }, async (daemon, connect) => {
        const client = await connect();
        assert.equal(await client.ok("/hello"), "hello");
        daemon.extension("bad", extension);
        await client.run("/reload");
        await client.note(/^bad is disabled after three restarts within five minutes/, takingCpuTime.timeout / 2);
        assert.equal(client.notes.filter(([, text]) => new RegExp(`Restarting extensions: ${reason}.*, by bad$`).test(text)).length, 3);
        await until(async () => (await client.run("/hello")).text === "hello", "the other to answer");
        daemon.extension("bad", mended);
        assert.equal(await client.ok("/reload"), "Reloaded 2 extensions.");
        assert.equal(await client.ok("/mended"), "mended");
      }, { args: argsFor(reason) });
    });

test("a microtask that calls itself without end is told from the others", limit, async () => {
  const bad = `export default (pi) => pi.registerCommand("bad", { handler: () => { const again = () => { Promise.resolve().then(again); }; again(); } });`;
  await withDaemon({ good, bad }, async (daemon, connect) => {
    const client = await connect();
    await bringDown(client, "/bad", "stuck");
  }, { args: argsFor("stuck") });
});

test("who calls another over the bus and then loops is told from the one that was called", limit, async () => {
  const bad = `export default (pi) => pi.registerCommand("bad", { handler: () => { pi.events.emit("ping"); for (;;); } });`;
  const called = `export default (pi) => pi.events.on("ping", () => {});`;
  await withDaemon({ called, bad }, async (daemon, connect) => {
    const client = await connect();
    await bringDown(client, "/bad", "stuck");
  }, { args: argsFor("stuck") });
});

test("memory that one holds is not laid to the charge of one that is busy", limit, async () => {
  const bad = `
    export default (pi) => pi.registerCommand("bad", { handler: async () => {
      for (const all = []; ; await new Promise((resolve) => setTimeout(resolve, 20))) all.push(Buffer.alloc(4 << 20, 1));
    } });`;
  await withDaemon({ good, bad }, async (daemon, connect) => {
    const client = await connect();
    await bringDown(client, "/bad", "memory");
  }, { args: argsFor("memory") });
});

test("when it cannot be known, all are disabled, and that is said", limit, async () => {
  await withDaemon({ good, bad: mended }, async (daemon, connect) => {
    const client = await connect();
    await client.ok("/hello");
    for (let n = 0; n < 4; n += 1) {
      client.forget();
      const runner = await theRunner(daemon);
      process.kill(runner, "SIGKILL");
      if (n < 3) await client.note("good started: recover", 20_000);
    }
    await client.note(/^Extensions are disabled after three restarts within five minutes .*\. It is not known which one is at fault/);
    assert.match(await client.ok("/help"), /bad \(disabled\)[^]*good \(disabled\)/);
    assert.equal(await client.ok("/reload"), "Reloaded 2 extensions.");
    assert.equal(await client.ok("/hello"), "hello");
  });
});
