// What extensions change, hear and remember: sessions, terminals, state, and those of a project.

import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { limit, until, withDaemon } from "./fixture.mjs";

test("/new and /switch change what is shown, unless an extension says no", limit, async () => {
  const guard = `
    export default (pi, session) => {
      const heard = [];
      pi.on("session_before_switch", async ({ from, to }) => to === "forbidden" ? { cancel: true, reason: "A deployment is running." } : undefined);
      pi.on("session_switch", ({ from, to }) => heard.push(from + ">" + to));
      pi.registerCommand("heard", { handler: () => heard.join() });
    };`;
  await withDaemon({ guard }, async (_, connect) => {
    const client = await connect();
    assert.deepEqual(await client.run("/new ops"), { text: "Switched to ops.", session: "ops" });
    assert.equal((await client.run("/new")).session, "session-2");
    assert.match((await client.run("/new ops")).error, /already/);
    assert.match((await client.run("/new no/name")).error, /invalid session name/);
    assert.match((await client.run("/switch nowhere")).error, /there is no session nowhere/);
    assert.match((await client.run("/switch")).error, /no session given/);
    await client.ask("session_create", { name: "forbidden" });
    assert.match((await client.run("/switch forbidden")).error, /A deployment is running\./);
    await assert.rejects(client.ask("session_switch", { from: "main", to: "forbidden" }), { code: "cancelled", message: "A deployment is running." });
    assert.deepEqual(await client.ask("session_switch", { from: "ops", to: "main" }), { from: "ops", to: "main" });
    assert.equal(await client.ok("/heard"), "main>ops,main>session-2,ops>main");
  });
});

test("extensions hear of terminals, and change what is about to run", limit, async () => {
  const terminals = `
    export default (pi, session) => {
      const heard = [];
      for (const name of ["terminal_created", "terminal_attached", "terminal_orphaned", "terminal_exited", "terminal_closed"])
        pi.on(name, ({ terminalId, exitCode }) => heard.push([name.slice(9), terminalId, exitCode].join(" ").trim()));
      pi.on("terminal_before_create", ({ argv, env }) => argv[0] === "routed" ? { argv: ["sh", "-c", "echo $WHO; exit 4"], env: { ...env, WHO: "me" } } : undefined);
      pi.registerCommand("heard", { handler: () => heard.join(", ") });
      pi.registerCommand("make", { handler: async () => {
        const terminal = await session.terminals.create({ command: ["cat"], name: "mine", rows: 10, cols: 40 });
        await terminal.write("typed\\r");
        while (!(await terminal.text()).includes("typed")) await new Promise((resolve) => setTimeout(resolve, 5));
        const text = await terminal.text();
        const found = await session.terminals.get(terminal.id);
        await terminal.close();
        return text.split("\\n")[0].trim() + " " + (found.id === terminal.id) + " " + (await session.terminals.list()).length;
      } });
    };`;
  await withDaemon({ terminals }, async (_, connect) => {
    const client = await connect();
    await client.ok("/heard");
    await client.ask("create", { terminalId: "t1", command: ["routed"] });
    await until(async () => (await client.ok("/heard")).includes("exited t1 4"), "the routed program to exit");
    const { channel } = await client.ask("attach", { terminalId: "t1" });
    await client.ask("detach", { channel });
    await client.ask("close", { terminalId: "t1" });
    await until(async () => (await client.ok("/heard")) === "created t1, exited t1 4, attached t1 4, orphaned t1 4, closed t1 4", async () => client.ok("/heard"));
    assert.equal(await client.ok("/make"), "typed true 0");
  });
});

test("what an extension remembers outlives everything, within its limits", limit, async () => {
  const memory = `
    export default (pi, session) => {
      pi.registerCommand("set", { handler: async (key) => session.state.set(key, { key, list: [1, "zwei", null, { deep: true }] }) });
      pi.registerCommand("get", { handler: async (key) => JSON.stringify((await session.state.get(key)) ?? "nothing") });
      pi.registerCommand("delete", { handler: async (key) => session.state.delete(key) });
      pi.registerCommand("keys", { handler: async () => (await session.state.keys()).join() });
      pi.registerCommand("large", { handler: async (size) => session.state.set("large", "x".repeat(Number(size))) });
      pi.registerCommand("fill", { handler: async () => { for (let n = 0; ; n += 1) await session.state.set("fill" + n, "x".repeat(250_000)); } });
      pi.registerCommand("deep", { handler: async (depth) => {
        let value = 1;
        for (let n = 0; n < Number(depth); n += 1) value = [value];
        await session.state.set("deep", value);
        return String(JSON.stringify(await session.state.get("deep")).length);
      } });
    };`;
  await withDaemon({ memory, other: memory }, async (daemon, connect) => {
    let client = await connect();
    await client.ok("/memory set a");
    await client.ok("/memory set b");
    await client.ok("/memory delete b");
    assert.equal(await client.ok("/other keys"), "");
    assert.match((await client.run("/memory large 300000")).error, /256 KiB|too large|large/i);
    await client.ok("/memory large 200000");
    assert.equal(await client.ok("/memory deep 200"), "401");
    assert.match((await client.run("/other fill")).error, /4 MiB|large|limit/i);
    assert.equal(await client.ok("/memory keys"), "a,deep,large");
    await client.ask("session_create", { name: "b" });
    assert.equal(await client.ok("/memory keys", "b"), "");
    await daemon.kill();
    await daemon.killKeeper();
    await daemon.run();
    client = await connect();
    assert.equal(await client.ok("/memory get a"), '{"key":"a","list":[1,"zwei",null,{"deep":true}]}');
    assert.equal(await client.ok("/memory get b"), '"nothing"');
  });
});

test("a project's own extensions run once its directory is trusted", limit, async () => {
  await withDaemon({}, async (daemon, connect) => {
    const project = join(daemon.home, "project");
    mkdirSync(join(project, ".holdfast/extensions"), { recursive: true });
    writeFileSync(join(project, ".holdfast/extensions/own.ts"), 'export default (pi) => pi.registerCommand("own", { handler: () => process.cwd() });');
    const main = await connect();
    await main.ask("session_create", { name: "p", workDir: project });
    assert.match((await main.run("/own", "p")).error, /there is no command/);
    assert.deepEqual(await daemon.shell("trust", project), { code: 0, stdout: "", stderr: "" });
    assert.equal((await daemon.shell("trust")).stdout, `${project}\n`);
    await main.ok("/reload", "p");
    assert.equal(await main.ok("/own", "p"), project);
    assert.match((await main.run("/own")).error, /there is no command/);
    await daemon.shell("trust", project, "--remove");
    await main.ok("/reload", "p");
    assert.match((await main.run("/own", "p")).error, /there is no command/);
    assert.equal((await daemon.shell("trust", "/nowhere/at/all")).code, 1);
  });
});
