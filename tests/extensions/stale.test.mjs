// Calls from code whose generation has ended: refused, logged, without effect.

import assert from "node:assert/strict";
import { test } from "node:test";

import { limit, logged, until, withDaemon } from "./fixture.mjs";

// Keeps each generation's API, so that a later generation can call it.
const keeper = `
  globalThis.kept ??= [];
  export default (pi, session) => {
    const { generation } = session;
    const tries = {
      command: () => pi.registerCommand("stray" + generation, { handler: () => "stray" }),
      tool: () => pi.registerTool({ name: "stray", execute: () => "" }),
      on: () => pi.on("user_bash", () => ({ result: { output: "stray", exitCode: 0 } })),
      exec: () => pi.exec("touch", ["stray"]),
      keep: () => pi.exec("sleep", ["600"], { keep: true }),
      emit: () => pi.events.emit("stray", {}),
    };
    pi.registerCommand("keep", { handler: (_, ctx) => {
      globalThis.kept.push({ ...tries, generation,
        notify: () => ctx.ui.notify("stray"),
        status: () => ctx.ui.setStatus("stray", "stray"),
        confirm: () => ctx.ui.confirm("stray"),
        state: () => ctx.session.state,
      });
    } });
    pi.registerCommand("try", { handler: async (name) => {
      try {
        const value = await globalThis.kept[0][name]();
        return "no refusal: " + value;
      } catch (error) {
        return error.name + ": " + error.message;
      }
    } });
    pi.registerCommand("timer", { handler: (_, ctx) => {
      setInterval(() => ctx.ui.notify("tick of " + generation), 5);
    } });
    pi.registerCommand("await", { handler: async (_, ctx) => {
      await new Promise((resolve) => { globalThis.go = resolve; });
      ctx.ui.notify("after the await");
      return "not refused";
    } });
    pi.registerCommand("uncaught", { handler: () => {
      const old = globalThis.kept[0];
      setTimeout(() => old.notify(), 0);
      old.confirm();
    } });
    pi.registerCommand("go", { handler: () => globalThis.go() });
    pi.registerCommand("hello", { handler: () => "hello " + generation });
  };`;

const refusal = "StaleError: this is generation 1 of keeper in session main; generation 2 has taken over";

test("a pi and a ctx of the last generation refuse, and nothing happens", limit, async () => {
  await withDaemon({ keeper }, async (daemon, connect) => {
    const client = await connect();
    await client.ok("/keep");
    await client.ok("/reload");
    for (const what of ["command", "tool", "on", "exec", "keep", "emit", "notify", "status", "confirm"]) assert.equal(await client.ok(`/try ${what}`), refusal, what);
    await client.ok("/uncaught");
    await until(() => logged(daemon).filter(([, event, detail]) => event === "log" && /generation 2 has taken over/.test(detail)).length >= 2, "both uncaught refusals to be logged");
    assert.equal(await client.ok("/hello"), "hello 2");
    assert.equal((await client.run("! echo here")).text, "here\n");
    assert.deepEqual(client.notes, []);
    assert.deepEqual(client.all("status"), []);
    assert.deepEqual(client.all("ui_request"), []);
    const { commands } = await client.ask("commands", { session: "main" });
    assert.ok(!commands.some(({ name }) => name.startsWith("stray")));
    assert.deepEqual((await client.ask("tools", { session: "main" })).tools, []);
  });
});

test("a timer of the last generation is silent", limit, async () => {
  await withDaemon({ keeper }, async (_, connect) => {
    const client = await connect();
    await client.ok("/timer");
    await client.note("tick of 1");
    await client.ok("/reload");
    client.forget();
    await client.ok("/timer");
    await until(() => client.notes.length > 20, "the new timer to tick");
    assert.ok(client.notes.every(([, text]) => text === "tick of 2"));
  });
});

test("a command that was waiting during the reload is refused what it does afterwards", limit, async () => {
  await withDaemon({ keeper }, async (_, connect) => {
    const client = await connect();
    const waiting = client.run("/await");
    await until(async () => (await client.run("/go")).error === undefined, "the command to wait");
    // It has been let go of once; the next one is overtaken.
    assert.equal((await waiting).text, "not refused");
    client.forget();
    const overtaken = client.run("/await");
    await client.ok("/hello");
    await client.ok("/reload");
    await client.ok("/go");
    assert.match((await overtaken).error, /this is generation 1 of keeper in session main; generation 2 has taken over/);
    assert.deepEqual(client.notes, []);
  });
});

test("a reload in one session ends nothing in another", limit, async () => {
  await withDaemon({ keeper }, async (_, connect) => {
    const main = await connect();
    await main.ask("session_create", { name: "b" });
    const b = await connect("b");
    await b.ok("/keep");
    await main.ok("/keep");
    await main.ok("/reload");
    assert.equal(await main.ok("/try notify"), refusal);
    assert.match(await b.ok("/try notify"), /^no refusal/);
    await b.note("stray");
    assert.deepEqual(main.notes, []);
  });
});
