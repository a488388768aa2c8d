// A session whose extensions have their own Node process, beside sessions that share one.

import assert from "node:assert/strict";
import { test } from "node:test";

import { limit, rows, runners, until, withDaemon } from "./fixture.mjs";

const worker = `
  export default (pi, session) => {
    const started = [];
    pi.on("session_start", ({ reason }) => started.push(reason));
    pi.registerCommand("pid", { handler: () => String(process.pid) });
    pi.registerCommand("started", { handler: () => started.join() });
  };`;

const isolation = (daemon) => Object.fromEntries(rows(daemon, "SELECT name, isolation FROM sessions").map(({ name, isolation }) => [name, isolation]));

async function differs(client, session, from) {
  return until(async () => {
    const pid = (await client.run("/pid", session)).text;
    return pid !== undefined && pid !== from && pid;
  }, "another process");
}

test("two sessions of one user, one of them isolated: the end of its process touches only that one", limit, async () => {
  await withDaemon({ worker }, async (daemon, connect) => {
    let client = await connect();
    await client.ask("session_create", { name: "apart", isolation: "process" });
    await client.ask("session_create", { name: "shared" });
    const shared = await client.ok("/pid");
    assert.equal(await client.ok("/pid", "shared"), shared);
    const apart = await client.ok("/pid", "apart");
    assert.notEqual(apart, shared);
    assert.deepEqual(runners(daemon).map(String).sort(), [apart, shared].sort());
    assert.deepEqual(isolation(daemon), { main: "", apart: "process", shared: "" });

    process.kill(Number(apart), "SIGKILL");
    const next = await differs(client, "apart", apart);
    assert.equal(await client.ok("/started", "apart"), "recover");
    for (const session of ["main", "shared"]) assert.equal(await client.ok("/pid", session), shared);
    assert.equal(await client.ok("/started"), "startup");

    process.kill(Number(shared), "SIGKILL");
    const other = await differs(client, "main", shared);
    assert.equal(await differs(client, "shared", shared), other);
    assert.equal(await client.ok("/pid", "apart"), next);

    // The next daemon finds both.
    await daemon.kill();
    await daemon.run();
    client = await connect();
    assert.equal(await client.ok("/pid", "apart"), next);
    assert.equal(await client.ok("/pid"), other);

    await client.ask("session_close", { name: "apart" });
    await until(() => runners(daemon).length === 1, "its process to end with the session");
    assert.equal(await client.ok("/pid"), other);
  });
});

test("/new takes an isolation, and says what it does not understand", limit, async () => {
  await withDaemon({ worker }, async (daemon, connect) => {
    const client = await connect();
    const shared = await client.ok("/pid");
    assert.equal((await client.run("/new apart --isolation process")).session, "apart");
    assert.equal((await client.run("/new --isolation thread")).session, "session-2");
    assert.notEqual(await client.ok("/pid", "apart"), shared);
    assert.equal(await client.ok("/pid", "session-2"), shared);
    assert.deepEqual(isolation(daemon), { main: "", apart: "process", "session-2": "thread" });
    for (const line of ["/new b --isolation", "/new b --isolation fibre"]) assert.match((await client.run(line)).error, /process or thread/);
    assert.match((await client.run("/new b c")).error, /unexpected argument: c/);
    await assert.rejects(client.ask("session_create", { name: "b", isolation: "fibre" }), (error) => /isolation must be/.test(JSON.stringify(error)));
  });
});

test("where each session has a process of its own, one may still share", limit, async () => {
  await withDaemon({ worker }, async (daemon, connect) => {
    let client = await connect();
    const pid = await client.ok("/pid");
    for (const name of ["a", "b"]) await client.ask("session_create", { name, isolation: "thread" });
    const shared = await client.ok("/pid", "a");
    assert.notEqual(shared, pid);
    assert.equal(await client.ok("/pid", "b"), shared);
    // The setting has changed, but a session's own choice stays.
    daemon.options.args = [];
    await daemon.kill();
    await daemon.run();
    client = await connect();
    assert.equal(await client.ok("/pid", "a"), shared);
    assert.equal(await client.ok("/pid"), shared);
    await until(() => runners(daemon).length === 1, "the process of a session that shares now to end");
  }, { args: ["--extension-isolation", "process"] });
});
