// A dead worker's programs leave nothing in the process table, not even zombies.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";

import { isRunning, limit, runners, theRunner, times, until, withDaemon } from "./fixture.mjs";

const starter = `
  import { exec, execFile, execFileSync, execSync, fork, spawn, spawnSync } from "node:child_process";
  import { once } from "node:events";
  import { writeFileSync } from "node:fs";
  const collect = async (stream) => { let text = ""; for await (const chunk of stream) text += chunk; return text; };
  export default (pi, session) => {
    pi.registerCommand("start", { handler: async () => {
      const children = [
        spawn("sleep", ["610"], { stdio: "ignore" }),
        spawn("sleep", ["611"], { stdio: "ignore", detached: true }),
        exec("sleep 612; true"),
        execFile("sleep", ["613"]),
        spawn("sh", ["-c", "trap '' TERM; while :; do sleep 0.1; done"]),
      ];
      await Promise.all(children.map((child) => once(child, "spawn")));
      return children.map(({ pid }) => pid).join();
    } });
    pi.registerCommand("ping", { handler: () => "pong" });
    pi.registerCommand("loop", { handler: () => { for (;;); } });
    pi.registerCommand("grow", { handler: async () => {
      for (const all = []; ; await new Promise((resolve) => setTimeout(resolve, 1))) all.push(Buffer.alloc(4 << 20, 1));
    } });
    pi.registerCommand("exit", { handler: () => process.exit(1) });
    // Ends before anybody can reap it.
    pi.registerCommand("race", { handler: () => { for (let n = 0; n < 5; n += 1) spawn("true"); process.exit(1); } });
    pi.registerCommand("wait", { handler: () => { spawnSync("sh", ["-c", "sleep 614 & wait"]); } });
    pi.registerCommand("stubborn", { handler: () => { spawnSync("sh", ["-c", "trap '' TERM; while :; do sleep 0.1; done"]); } });
    pi.registerCommand("again", { handler: () => { for (;;) spawnSync("sleep", ["0.01"]); } });
    pi.registerCommand("many", { handler: () => {
      for (;;) {
        spawn("sleep", ["616"], { stdio: "ignore" });
        for (const end = performance.now() + 5; performance.now() < end; );
      }
    } });
    pi.registerCommand("hold", { handler: async () => {
      const child = await session.resources.getOrCreate("held", () => spawn("sleep", ["615"]), { pids: ({ pid }) => [pid] });
      return String(child.pid);
    } });
    pi.registerCommand("works", { handler: async () => {
      const piped = spawn("sh", ["-c", "read line; echo out $line; echo err >&2; exit 7"]);
      piped.stdin.end("in\\n");
      const [out, err, [code]] = await Promise.all([collect(piped.stdout), collect(piped.stderr), once(piped, "close")]);
      const killed = spawn("sleep", ["600"]);
      killed.kill("SIGINT");
      const [, signal] = await once(killed, "exit");
      const detached = spawn("sh", ["-c", "echo $$ $(ps -o sid= -p $$)"], { detached: true });
      const [pid, leader] = (await collect(detached.stdout)).split(/\\s+/);
      writeFileSync("child.cjs", "process.on('message', (text) => { process.send('got ' + text); process.disconnect(); })");
      const forked = fork("child.cjs");
      forked.send("it");
      const [message] = await once(forked, "message");
      const sync = spawnSync("sh", ["-c", "echo sync; kill -9 $$"], { encoding: "utf8" });
      return JSON.stringify([out, err, code, signal, pid === leader && Number(pid) === detached.pid, message, sync.stdout, sync.signal,
        execSync("echo execSync", { encoding: "utf8" }), execFileSync("echo", ["execFileSync"], { encoding: "utf8" })]);
    } });
  };`;
const args = ["--extension-stuck-after", "1", "--extension-memory", "100 MiB"];

// All processes: [pid, parent, state, name].
function processes() {
  return readdirSync("/proc").filter((name) => /^\d+$/.test(name)).flatMap((pid) => {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
      const [state, parent] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      return [[Number(pid), Number(parent), state, stat.slice(stat.indexOf("(") + 1, stat.lastIndexOf(")"))]];
    } catch {
      return []; // It has ended meanwhile.
    }
  });
}

function descendants(pid, all = processes()) {
  const children = all.filter(([, parent]) => parent === pid);
  return [...children, ...children.flatMap(([child]) => descendants(child, all))];
}

const exists = (pid) => processes().some(([each]) => each === pid);

async function nothingLeft(daemon, pids = []) {
  const runner = await theRunner(daemon);
  const began = performance.now();
  const left = () => [...descendants(runner), ...processes().filter(([pid]) => pids.includes(pid))];
  await until(() => left().length === 0, () => `nothing to be left, but there is ${JSON.stringify(left())}`);
  return performance.now() - began;
}

for (const [line, reason] of [["/loop", "stuck"], ["/grow", "memory"], ["/exit", "exit"], ["/race", "exit"], ["/wait", "stuck"], ["/stubborn", "stuck"], ["/again", "stuck"], ["/many", "stuck"]])
  test(`after ${line} no process of the worker is left`, limit, async () => {
    await withDaemon({ starter }, async (daemon, connect) => {
      const client = await connect();
      const pids = (await client.ok("/start")).split(",").map(Number);
      assert.match((await client.run(line)).error, new RegExp(reason));
      // One of them does not end by itself and gets a second. A busy machine can take longer.
      const took = await nothingLeft(daemon, pids);
      assert.ok(took < 5000, `it took ${took} ms`);
      await client.note(/Restarting extensions/);
      await until(async () => (await client.run("/ping")).text === "pong", "the worker to be there again");
    }, { args });
  });

test("50 workers die one after the other, and leave nothing", { timeout: times(120_000, 900_000) }, async () => {
  await withDaemon({ starter }, async (daemon, connect) => {
    const client = await connect();
    const runner = await theRunner(daemon);
    for (let n = 0; n < times(5, 50); n += 1) {
      const pids = (await client.ok("/start")).split(",").map(Number);
      await client.run(n % 2 === 0 ? "/exit" : "/race");
      await nothingLeft(daemon, pids);
      assert.deepEqual(runners(daemon), [runner]);
      // More than three within five minutes are too many, unless a person reloads.
      await until(async () => (await client.run("/reload")).error === undefined, "a reload");
    }
  });
});

test("a process that a resource names outlives the worker, and leaves nothing when it ends", limit, async () => {
  await withDaemon({ starter }, async (daemon, connect) => {
    const client = await connect();
    const pid = Number(await client.ok("/hold"));
    await client.run("/exit");
    await client.note(/Restarting extensions/);
    assert.ok(isRunning(pid));
    const cleaned = client.run("/cleanup");
    await client.answer("Close these resources?", true);
    await cleaned;
    await until(() => !exists(pid), "it to be gone altogether");
  });
});

test("a resource that is made in the last moment is heard of", limit, async () => {
  const last = `
    import { spawn } from "node:child_process";
    export default (pi, session) => pi.registerCommand("last", { handler: async () => {
      await session.resources.getOrCreate("last", () => spawn("sleep", ["619"]), { pids: ({ pid }) => [pid] });
      process.exit(1);
    } });`;
  await withDaemon({ last }, async (daemon, connect) => {
    const client = await connect();
    assert.match((await client.run("/last")).error, /exit/);
    await client.note(/Restarting extensions/);
    const [, pid] = await until(async () => /last\/last {2}lost .*\(processes (\d+)\)/.exec(await client.ok("/resources")), "it to be lost and its process to run");
    const cleaned = client.run("/cleanup");
    await client.answer("Close these resources?", true);
    await cleaned;
    await until(() => !exists(Number(pid)), "it to be gone altogether");
  });
});

test("a session is closed: nothing of it is left", limit, async () => {
  await withDaemon({ starter }, async (daemon, connect) => {
    const client = await connect();
    await client.ask("session_create", { name: "b" });
    const pids = (await client.ok("/start", "b")).split(",").map(Number);
    await client.ask("session_close", { name: "b" });
    await nothingLeft(daemon, pids);
  });
});

test("pipes, exit codes, signals, detached programs, fork and the functions that wait work as in any Node program", limit, async () => {
  await withDaemon({ starter }, async (daemon, connect) => {
    const client = await connect();
    const works = ["out in\n", "err\n", 7, "SIGINT", true, "got it", "sync\n", "SIGKILL", "execSync\n", "execFileSync\n"];
    assert.deepEqual(JSON.parse(await client.ok("/works")), works);
  });
});
