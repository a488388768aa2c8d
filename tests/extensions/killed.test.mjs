// Kills the daemon, the runner, a worker and the keeper during commands and reloads. Afterwards the
// records match what is alive, nothing is left behind, and everything works.

import assert from "node:assert/strict";
import { existsSync, readdirSync, readlinkSync, rmSync, writeFileSync } from "node:fs";
import { test } from "node:test";

import { held, isRunning, limit, records, runners, theRunner, times, until, withDaemon } from "./fixture.mjs";

const soak = { timeout: times(120_000, 900_000) };

const worker = `
  import { spawn } from "node:child_process";
  export default (pi, session) => {
    const started = [];
    pi.on("session_start", ({ reason }) => started.push(reason));
    const get = (key) => session.resources.getOrCreate(key, () => spawn("sleep", ["601"], { stdio: "ignore" }), {
      close: (child) => { child.kill("SIGKILL"); },
      pids: (child) => [child.pid],
    });
    pi.registerCommand("hold", { handler: async (key) => String((await get(key)).pid) });
    pi.registerCommand("drop", { handler: (key) => session.resources.close(key).then(String) });
    pi.registerCommand("child", { handler: () => String(spawn("sleep", ["602"], { stdio: "ignore" }).pid) });
    pi.registerCommand("keep", { handler: async () => String((await pi.exec("sleep", ["603"], { keep: true, name: "kept" })).pid) });
    pi.registerCommand("kept", { handler: async () => (await session.processes.list()).map(({ pid, name }) => name + " " + pid).join() });
    pi.registerCommand("terminal", { handler: async () => (await session.terminals.create({ command: ["cat"], name: "kept" })).id });
    pi.registerCommand("terminals", { handler: async () => (await session.terminals.list()).map(({ id }) => id).join() });
    pi.registerCommand("started", { handler: () => started.join() });
    pi.registerCommand("slow", { handler: () => new Promise((resolve) => setTimeout(() => resolve("slow"), 100)) });
    pi.registerCommand("list", { handler: () => session.resources.list().map(({ key }) => key).sort().join() });
    pi.registerCommand("exit", { handler: () => process.exit(1) });
  };`;

// What the keeper and the daemon must agree on when idle.
async function agreed(daemon, client, expected) {
  await until(() => runners(daemon).length === 1, () => `one runner, of ${JSON.stringify(held(daemon))}`);
  const list = (await client.ok("/list")).split(",").filter(Boolean);
  const live = records(daemon).filter(({ state }) => state !== "lost");
  assert.deepEqual(live.map(({ key }) => key).sort(), list, "records and what the worker holds");
  for (const { processes } of live) for (const [pid] of JSON.parse(processes)) assert.ok(isRunning(pid), `process ${pid} of a record runs`);
  await until(() => held(daemon).length === expected, () => `the keeper to hold ${expected} processes, not ${JSON.stringify(held(daemon))}`);
}

const sockets = (pid) => readdirSync(`/proc/${pid}/fd`).filter((fd) => linkOf(pid, fd).startsWith("socket:")).length;

function linkOf(pid, fd) {
  try {
    return readlinkSync(`/proc/${pid}/fd/${fd}`);
  } catch {
    return "";
  }
}

// Endless commands and reloads, whether they succeed or not.
function busy(client) {
  let going = true;
  const lines = ["/reload", "/slow", "/hold a", "/drop a", "! echo x", "/started"];
  const loops = [0, 1, 2].map(async (first) => {
    for (let n = first; going; n += 1) await client.run(lines[n % lines.length]).catch(() => new Promise((resolve) => setTimeout(resolve, 5)));
  });
  return async () => {
    going = false;
    client.close();
    await Promise.all(loops);
  };
}

async function start(client) {
  const pid = Number(await client.ok("/keep"));
  const terminal = await client.ok("/terminal");
  return { pid, terminal };
}

async function kept(client, { pid, terminal }) {
  assert.ok(isRunning(pid));
  assert.equal(await client.ok("/kept"), `kept ${pid}`);
  assert.equal(await client.ok("/terminals"), terminal);
}

test("the daemon is killed in the middle of commands and reloads", soak, async () => {
  await withDaemon({ worker }, async (daemon, connect) => {
    let client = await connect();
    const there = await start(client);
    const one = await client.ok("/hold one");
    const runner = await theRunner(daemon);
    let before;
    for (let n = 0; n < times(5, 50); n += 1) {
      const stop = busy(client);
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 150));
      await daemon.kill();
      await stop();
      await daemon.run();
      client = await connect();
      await kept(client, there);
      assert.equal(await client.ok("/hold one"), one);
      assert.deepEqual(runners(daemon), [runner], "the runner is the same");
      assert.ok(["startup", "reload"].includes(await client.ok("/started")), "the extension noticed nothing");
      await agreed(daemon, client, 2);
      before ??= sockets(daemon.pid);
      assert.ok(sockets(daemon.pid) <= before + 1, "sockets do not pile up");
    }
  });
});

test("the runner is killed in the middle of commands and reloads", soak, async () => {
  await withDaemon({ worker }, async (daemon, connect) => {
    const client = await connect();
    const there = await start(client);
    for (let n = 0; n < times(5, 50); n += 1) {
      const one = Number(await client.ok("/hold one"));
      const child = Number(await client.ok("/child"));
      const stop = busy(await connect());
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 150));
      const runner = await theRunner(daemon);
      process.kill(runner, "SIGKILL");
      await until(() => runners(daemon).some((pid) => pid !== runner), "another runner");
      await stop();
      // More than three within five minutes are too many, unless a person reloads.
      await until(async () => (await client.run("/reload")).error === undefined, "a reload");
      await until(async () => /recover|reload/.test(await client.ok("/started")), "to be started again");
      await kept(client, there);
      await until(() => !isRunning(child), "a program that no resource names to end");
      await until(async () => {
        if (/lost|orphan/.test(await client.ok("/resources"))) {
          const cleaned = client.run("/cleanup");
          await client.answer("Close these resources?", true);
          await cleaned;
        }
        return !/lost|orphan/.test(await client.ok("/resources"));
      }, "what was lost to be cleaned up");
      await until(() => !isRunning(one), "the lost resource's process to end");
      await agreed(daemon, client, 2);
    }
  });
});

test("a worker is killed in the middle of commands and reloads", soak, async () => {
  await withDaemon({ worker }, async (daemon, connect) => {
    const client = await connect();
    await client.ask("session_create", { name: "b" });
    const there = await start(client);
    const runner = await theRunner(daemon);
    for (let n = 0; n < times(5, 50); n += 1) {
      await client.ok("/hold one");
      const stop = busy(await connect());
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 100));
      await until(async () => /exit|ended|was lost/.test((await client.run("/exit")).error ?? ""), "the worker to exit");
      await stop();
      await until(async () => (await client.run("/reload")).error === undefined, "a reload");
      await kept(client, there);
      const cleaned = client.run("/cleanup");
      await client.answer("Close these resources?", true);
      await cleaned;
      await agreed(daemon, client, 2);
      assert.deepEqual(runners(daemon), [runner]);
      assert.equal(await client.ok("/started", "b"), "new");
    }
  });
});

test("the keeper is lost, and with it the runner: both come back", limit, async () => {
  for (const signal of ["SIGTERM", "SIGKILL"])
    await withDaemon({ worker }, async (daemon, connect) => {
      const client = await connect();
      await start(client);
      await client.ok("/hold one");
      const runner = await theRunner(daemon);
      process.kill(daemon.keeper().pid, signal);
      await until(() => runners(daemon).some((pid) => pid !== runner), "another runner", 20_000);
      await until(async () => (await client.run("/started")).text === "recover", "to recover");
      await until(() => !isRunning(runner), "the old runner to end");
      assert.match(await client.ok("/resources"), /worker\/one {2}lost/);
      assert.equal(await client.ok("/kept"), "");
      assert.equal(await client.ok("/terminals"), "");
      assert.equal((await client.run("! echo works")).text, "works\n");
    });
});

test("why a session's extensions are started is told", limit, async () => {
  await withDaemon({ worker }, async (daemon, connect) => {
    let client = await connect();
    assert.equal(await client.ok("/started"), "startup");
    await client.ask("session_create", { name: "b" });
    assert.equal(await client.ok("/started", "b"), "new");
    await client.ok("/reload");
    assert.equal(await client.ok("/started"), "reload");
    await client.run("/exit");
    await until(async () => (await client.run("/started")).text === "recover", "to recover");
    // A new daemon finds everything as it was.
    await daemon.kill("SIGTERM");
    await daemon.run();
    client = await connect();
    assert.equal(await client.ok("/started"), "recover");
    assert.equal(await client.ok("/started", "b"), "new");
    // After an orderly end of everything, and then after a kill.
    for (const [signal, reason] of [
      ["SIGTERM", "resume"],
      ["SIGKILL", "recover"],
    ]) {
      await daemon.kill(signal);
      await daemon.killKeeper();
      await daemon.run();
      client = await connect();
      assert.equal(await client.ok("/started"), reason);
      assert.equal(await client.ok("/started", "b"), reason);
    }
  });
});

// Loads while the file `go` is there, and waits for it otherwise.
const slow = (version) => `import { existsSync, writeFileSync } from "node:fs";
const home = process.env.HOME;
export default async (pi, session) => {
  writeFileSync(home + "/loading", "");
  while (!existsSync(home + "/go")) await new Promise((resolve) => setTimeout(resolve, 10));
  pi.registerCommand("version", { handler: () => "${version} " + session.reason });
};`;

const letLoad = (daemon) => writeFileSync(`${daemon.home}/go`, "");
const holdLoads = (daemon) => ["go", "loading"].forEach((name) => rmSync(`${daemon.home}/${name}`));
const isLoading = (daemon) => until(() => existsSync(`${daemon.home}/loading`), "a session to be loading");

test("the runner is killed while a session is opened", limit, async () => {
  await withDaemon({ slow: slow(1) }, async (daemon, connect) => {
    letLoad(daemon);
    const client = await connect();
    assert.equal(await client.ok("/version"), "1 startup");
    const runner = await theRunner(daemon);
    holdLoads(daemon);
    await client.ask("session_create", { name: "b" });
    const waiting = client.run("/version", "b");
    await isLoading(daemon);
    process.kill(runner, "SIGKILL");
    letLoad(daemon);
    await waiting;
    await until(async () => (await client.run("/version", "b")).text === "1 recover", "the new session to recover");
    assert.equal(await client.ok("/version"), "1 recover");
  });
});

for (const signal of ["SIGKILL", "SIGTERM"])
  test(`the daemon ends by ${signal} while a session is loaded anew: the next one hears how that ended`, limit, async () => {
    await withDaemon({ slow: slow(1) }, async (daemon, connect) => {
      letLoad(daemon);
      const client = await connect();
      assert.equal(await client.ok("/version"), "1 startup");
      daemon.extension("slow", slow(2));
      holdLoads(daemon);
      client.begin("run", { session: "main", line: "/reload" });
      await client.ask("session_create", { name: "b" });
      await isLoading(daemon);
      await daemon.kill(signal);
      await daemon.run();
      letLoad(daemon);
      const next = await connect();
      assert.equal(await next.ok("/version"), "2 reload");
      assert.equal(await next.ok("/version", "b"), "2 new");
    });
  });

test("another daemon takes over, again and again, in the middle of commands", limit, async () => {
  await withDaemon({ worker }, async (daemon, connect) => {
    let client = await connect();
    const there = await start(client);
    const one = await client.ok("/hold one");
    for (let n = 0; n < times(3, 30); n += 1) {
      const stop = busy(client);
      await daemon.run("--takeover");
      await stop();
      client = await connect();
      await kept(client, there);
      assert.equal(await client.ok("/hold one"), one);
      await agreed(daemon, client, 2);
    }
  });
});

test("the daemon is killed while a session is loaded anew, and then the runner", limit, async () => {
  await withDaemon({ slow: slow(1) }, async (daemon, connect) => {
    letLoad(daemon);
    const first = await connect();
    const runner = await theRunner(daemon);
    assert.equal(await first.ok("/version"), "1 startup");
    holdLoads(daemon);
    first.begin("run", { session: "main", line: "/reload" });
    await isLoading(daemon);
    await daemon.kill();
    await daemon.run();
    const client = await connect();
    const waiting = client.run("/version");
    process.kill(runner, "SIGKILL");
    letLoad(daemon);
    await waiting;
    await until(async () => (await client.run("/version")).text === "1 recover", "the session to recover");
  });
});

test("a daemon that is to end does not wait for commands that go on", limit, async () => {
  const endless = 'export default (pi) => pi.registerCommand("endless", { handler: () => new Promise(() => {}) });';
  await withDaemon({ endless }, async (daemon, connect) => {
    const client = await connect();
    const shell = client.begin("run", { session: "main", line: "! echo begun; exec sleep 600" });
    await client.event("progress");
    client.begin("run", { session: "main", line: "/endless" });
    await client.ok("/help");
    const began = performance.now();
    await daemon.kill("SIGTERM");
    assert.ok(performance.now() - began < 3000, "it ended at once");
    await assert.rejects(shell.answer, /has ended/);
  });
});

test("a shell command whose asker is gone runs to its end, and leaves nothing behind", limit, async () => {
  await withDaemon({}, async (daemon, connect) => {
    const client = await connect();
    const file = `${daemon.home}/done`;
    client.begin("run", { session: "main", line: `! echo begun; while [ ! -e ${file}.go ]; do sleep 0.05; done; touch ${file}` });
    await client.event("progress");
    await daemon.kill();
    await daemon.run();
    assert.equal(held(daemon).length, 1);
    writeFileSync(`${file}.go`, "");
    await until(() => existsSync(file), "the command to end");
    await until(() => held(daemon).length === 0, "its record to be released");
  });
});
