// The setting `node`: a Node that is too old is reported, with advice. A change takes effect with
// the next daemon.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, readlinkSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { test } from "node:test";

import { limit, runners, theRunner, until, withDaemon } from "./fixture.mjs";

const hello = `
  import { spawn } from "node:child_process";
  export default (pi, session) => {
    pi.on("session_start", ({ reason }, ctx) => ctx.ui.notify("started: " + reason));
    pi.on("session_shutdown", ({ reason }) => session.state.set("ended", reason));
    pi.registerCommand("hello", { handler: () => "hello" });
    pi.registerCommand("ended", { handler: () => session.state.get("ended") });
    pi.registerCommand("hold", { handler: () => session.resources.getOrCreate("thing", () => ({})).then(() => "held") });
    pi.registerCommand("drop", { handler: () => session.resources.close("thing").then(String) });
  };`;

function versionOf(path) {
  return existsSync(path) ? execFileSync(path, ["-p", "process.versions.node"], { encoding: "utf8" }).trim() : "99";
}

// A Node that is too old: a real one if this machine has one, else a program that claims to be one.
function oldNode(daemon) {
  const found = ["/usr/bin/node", ...process.env.PATH.split(delimiter).map((folder) => join(folder, "node"))].find((path) => Number.parseInt(versionOf(path), 10) < 22);
  if (found) return { path: found, version: versionOf(found) };
  const path = join(daemon.home, "old-node");
  writeFileSync(path, `#!/bin/sh\nprintf '\\n18.20.4 %s\\n' ${path}\n`, { mode: 0o755 });
  return { path, version: "18.20.4" };
}

const nodeOf = (pid) => readlinkSync(`/proc/${pid}/exe`);

// Restarts the daemon with this Node.
async function restart(daemon, node) {
  await daemon.kill("SIGTERM");
  daemon.options.args = ["--node", node];
  await daemon.run();
}

// The same Node as another file.
function copyOfNode(daemon) {
  const path = join(daemon.home, "other-node");
  if (!existsSync(path)) copyFileSync(process.execPath, path);
  return path;
}

test("a Node that is too old turns extensions off, and /help says what to install and where to set it", limit, async () => {
  await withDaemon({ hello }, async (daemon, connect) => {
    const { path, version } = oldNode(daemon);
    await restart(daemon, path);
    await daemon.kill("SIGTERM");
    await daemon.killKeeper();
    await daemon.run();
    const client = await connect();
    const help = await until(async () => /too old/.test(await client.ok("/help")) && client.ok("/help"), "/help to tell");
    const what = new RegExp(`extensions are off: Node ${version.replaceAll(".", "\\.")} \\(.*\\) is too old`);
    assert.match(help, what);
    assert.match(help, /Install Node 22\.19 or newer.*`node` \(--node, HOLDFAST_NODE\)/);
    assert.doesNotMatch(daemon.said, /withResolvers/);
    await client.note(what);
    assert.match((await client.run("/reload")).error, what);
    assert.equal(await client.ok("! echo shells work"), "shells work\n");
    assert.deepEqual(daemon.keeper().children.filter(({ kind }) => kind === "process"), [], "nothing is left behind");

    await restart(daemon, process.execPath);
    const again = await connect();
    assert.equal(await again.ok("/hello"), "hello");
  });
});

test("a program that is no Node is told from one", limit, async () => {
  await withDaemon({ hello }, async (_daemon, connect) => {
    const client = await connect();
    assert.match((await client.run("/reload")).error, /extensions are off: \/bin\/echo is not Node/);
  }, { args: ["--node", "/bin/echo"] });
});

test("a daemon that is started with another Node replaces the runner", limit, async () => {
  await withDaemon({ hello }, async (daemon, connect) => {
    const client = await connect();
    assert.equal(await client.ok("/hello"), "hello");
    const before = await theRunner(daemon);
    assert.equal(nodeOf(before), process.execPath);
    const other = copyOfNode(daemon);
    await restart(daemon, other);
    const again = await connect();
    assert.equal(await again.ok("/hello"), "hello");
    const after = await theRunner(daemon);
    assert.equal(nodeOf(after), other);
    assert.equal(await again.ok("/ended"), "quit", "the code was told before");
    // The same file by another name is the same Node.
    const link = join(daemon.home, "link-to-node");
    symlinkSync(other, link);
    await restart(daemon, link);
    const third = await connect();
    assert.equal(await third.ok("/hello"), "hello");
    assert.deepEqual(runners(daemon), [after]);
  });
});

test("a runner that holds something stays, says so, and makes way once it holds nothing", limit, async () => {
  await withDaemon({ hello }, async (daemon, connect) => {
    const client = await connect();
    await client.ask("session_create", { name: "other" });
    const others = await connect("other");
    await others.ok("/hello");
    assert.equal(await client.ok("/hold"), "held");
    const before = await theRunner(daemon);
    const other = copyOfNode(daemon);
    await restart(daemon, other);
    const again = await connect();
    const remark = new RegExp(`Extensions still run on ${process.execPath}; ${other} is set now\\. Switching would lose hello/thing of session main\\. Close .*/resources.*/reload`);
    await again.note(remark);
    assert.match(await again.ok("/help"), remark);
    await again.ok("/reload");
    assert.deepEqual(runners(daemon), [before]);
    assert.equal(await again.ok("/drop"), "true");
    await again.ok("/reload");
    assert.equal(nodeOf(runners(daemon)[0]), other);
    assert.equal(await again.ok("/hello"), "hello");
    assert.doesNotMatch(await again.ok("/help"), /still run on/);
    assert.equal(await (await connect("other")).ok("/hello"), "hello");
  });
});

test("a Node that cannot be used does not end a runner that works", limit, async () => {
  await withDaemon({ hello }, async (daemon, connect) => {
    const client = await connect();
    assert.equal(await client.ok("/hello"), "hello");
    const before = await theRunner(daemon);
    const { path, version } = oldNode(daemon);
    await restart(daemon, path);
    const again = await connect();
    await again.note(new RegExp(`Extensions still run on ${process.execPath}, .*Node ${version.replaceAll(".", "\\.")} .* is too old`));
    assert.equal(await again.ok("/hello"), "hello");
    assert.deepEqual(runners(daemon), [before]);
  });
});
