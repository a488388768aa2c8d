// The documented ways for extensions to keep state across a reload. Each code block is an extension
// in runner/test/patterns, and runs here unchanged.

import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { limit, withDaemon } from "./fixture.mjs";

const patterns = fileURLToPath(new URL("../../runner/test/patterns/", import.meta.url));

// Runs `use` with a session that has these patterns.
async function withPatterns(names, use) {
  const args = ["--extensions", names.map((name) => join(patterns, `${name}.ts`)).join()];
  await withDaemon({}, async (_, connect) => use(await connect()), { args });
}

test("every pattern is one of these tests", () => {
  const here = ["closes", "detaches", "gondolin", "guard", "inspection", "leaks", "lost", "registry", "tiers", "vm"];
  assert.deepEqual(readdirSync(patterns).sort(), here.map((name) => `${name}.ts`));
});

test("create, use, reload, use, stop: one VM's life, step by step", limit, async () => {
  await withPatterns(["gondolin"], async (client) => {
    assert.equal((await client.run("! echo outside")).text, "outside\n");
    await client.ok("/gondolin start myvm");
    await client.ok("/gondolin attach myvm");
    assert.deepEqual(await client.run("! curl http://example.org/"), { text: "vm1-0123456789 ran curl http://example.org/", exitCode: 0 });
    assert.equal(await client.ok("/reload"), "Reloaded 1 extension.");
    // Nothing is attached now, but the VM is there.
    assert.equal((await client.run("! echo outside")).text, "outside\n");
    await client.ok("/gondolin list");
    await client.ok("/gondolin attach myvm");
    await client.ok("/gondolin list");
    assert.equal((await client.run("! uname")).text, "vm1-0123456789 ran uname");
    await client.ok("/gondolin stop myvm");
    await client.ok("/gondolin list");
    assert.deepEqual(client.notes, [
      ["success", "Started: myvm"],
      ["success", "Attached: myvm"],
      ["info", "Registered VMs:\n  myvm (vm1-0123)"],
      ["success", "Attached: myvm"],
      ["info", "Registered VMs:\n  myvm (vm1-0123) ◆"],
      ["success", "Stopped: myvm"],
      ["info", "Registered VMs:\n"],
    ]);
  });
});

test("what is in a local variable is lost by a reload", limit, async () => {
  await withPatterns(["lost"], async (client) => {
    await client.ok("/attach");
    await client.ok("/reload");
    await client.ok("/attach");
  });
});

test("a registry on globalThis stays, can be inspected, and is cleaned up", limit, async () => {
  await withPatterns(["registry", "inspection"], async (client) => {
    await client.ok("/inspection list");
    await client.ok("/start myvm");
    await client.ok("/reload");
    await client.ok("/list");
    // A built-in command has that name too; the extension's takes precedence.
    assert.equal(await client.ok("/holdfast:cleanup"), "Nothing is orphaned or lost.");
    await client.ok("/list");
    await client.ok("/cleanup");
    await client.ok("/list");
    assert.deepEqual(client.notes, [
      ["info", "No VMs registered"],
      ["success", "Started: myvm"],
      ["info", "Registered VMs:\n  myvm (vm1-0123)"],
      ["info", "Registered VMs:\n  myvm (vm1-0123)"],
      ["success", "Cleaned up all VMs"],
      ["info", "No VMs registered"],
    ]);
  });
});

test("three tiers: session_start finds again what there was", limit, async () => {
  await withPatterns(["registry", "tiers"], async (client) => {
    await client.note("Loaded 0 VM(s) and 0 connection(s)");
    await client.ok("/start one");
    await client.ok("/start two");
    await client.ok("/reload");
    await client.note("Loaded 2 VM(s) and 0 connection(s)");
  });
});

test("a guard asks before a session is left", limit, async () => {
  await withPatterns(["registry", "guard"], async (client) => {
    await client.ask("session_create", { name: "other" });
    assert.deepEqual(await client.ask("session_switch", { from: "main", to: "other" }), { from: "main", to: "other" });
    await client.ok("/start one");
    for (const [answer, outcome] of [[false, "cancelled"], [null, "cancelled"], [true, undefined]]) {
      const asked = client.ask("session_switch", { from: "main", to: "other" }).then(
        () => undefined,
        ({ code }) => code,
      );
      const question = await client.answer("VMs exist", answer);
      assert.equal(question.message, "1 VM(s) will be detached. Continue?");
      assert.equal(await asked, outcome);
    }
    await client.ok("/new-session");
    await client.note("Cleaned VMs, starting new session");
    await client.ask("session_switch", { from: "main", to: "other" });
  });
});

test("a log of resources over a reload", limit, async () => {
  await withPatterns(["registry", "leaks"], async (client) => {
    // Two extensions have this command, so the short name is ambiguous.
    assert.match((await client.run("/start one")).error, /more than one extension/);
    await client.ok("/leaks start one");
    await client.ok("/reload");
    await client.ok("/leaks resources");
    await client.note(/^Recent resources:\n {2}\[.+\] one: create\n {2}\[.+\] one: reload$/);
  });
});

test("closing or detaching at shutdown is the extension's own business", limit, async () => {
  await withPatterns(["closes", "detaches"], async (client) => {
    assert.equal(await client.ok("/reload"), "Reloaded 2 extensions.");
    assert.deepEqual(client.notes, []);
  });
});
