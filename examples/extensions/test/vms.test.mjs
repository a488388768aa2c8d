// Real VMs: running commands in them, and that they outlive the code, the runner and the daemon.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";

import { isAlive, killRunner, notified, said, times, until, withExamples } from "./fixture.mjs";

const limit = { timeout: times(240_000, 600_000) };
const host = execFileSync("uname", ["-r"], { encoding: "utf8" }).trim();

// This VM's line in `/vms list`: {terminal, pid, attached}.
async function listed(run, name) {
  const found = new RegExp(`^  ${name} \\(terminal (\\S+), process (\\d+)\\)( ◆)?$`, "m").exec(
    await said(run("/vms list")),
  );
  return found && { terminal: found[1], pid: Number(found[2]), attached: found[3] !== undefined };
}

// The directory of its sockets.
const folderOf = (pid) => dirname(/unix:([^,]+)/.exec(readFileSync(`/proc/${pid}/cmdline`, "latin1"))[1]);

// The highest number that the counter in the VM wrote to its console.
async function counted(run, name) {
  const numbers = [...(await said(run(`/vms console ${name}`))).matchAll(/^tick (\d+)$/gm)].map((each) =>
    Number(each[1]),
  );
  return Math.max(0, ...numbers);
}

const count = "(n=0; while :; do n=$((n+1)); echo tick $n >/dev/ttyS0; usleep 100000; done) >/dev/null 2>&1 &";

test("a VM: started, attached, listed, stopped; shell commands run in it, with output and exit code", limit, () =>
  withExamples(["vms"], async ({ connect, run }) => {
    assert.equal(await said(run("/vms list")), "No VMs registered\n");
    assert.match((await run("/vms attach one")).stderr, /There is no VM one/);
    assert.match((await run("/vms start ../one")).stderr, /Invalid name: use a-z, 0-9 and -/);
    assert.match(await notified(run("/vms start one")), /^(info: Building .*\n)?success: Started: one\n$/);
    assert.match((await run("/vms start one")).stderr, /The VM one already exists/);

    const { terminal, pid, attached } = await listed(run, "one");
    assert.equal(attached, false);
    assert.match(readFileSync(`/proc/${pid}/cmdline`, "latin1"), /^qemu-system-x86_64\0/);
    assert.match(await said(run("/vms console one")), /one is up: Linux/);
    assert.match(
      await said(run("/resources")),
      new RegExp(`vms/vm:one  live  VM one, terminal ${terminal}  \\(processes ${pid}\\)`),
    );

    // Without attaching, commands run on the host.
    assert.equal(await said(run("! uname -r")), `${host}\n`);
    assert.equal(await notified(run("/vms attach one")), "success: Attached: one\n");
    assert.equal((await listed(run, "one")).attached, true);
    const uname = await said(run("! uname -nr"));
    assert.match(uname, /^one \S+-cloud-amd64\n$/);
    assert.notEqual(uname.split(" ")[1].trim(), host);

    const mixed = await run("! echo out; echo err >&2; printf 'no newline'; exit 7");
    assert.deepEqual([mixed.code, mixed.stdout], [7, "out\nerr\nno newline\n"]);
    assert.equal(
      await said(run("! echo 'quotes \"stay\"  as $they are' | tr a-z A-Z")),
      'QUOTES "STAY"  AS $THEY ARE\n',
    );
    assert.equal(await said(run(`! echo ${"x".repeat(20_000)} | wc -c`)), "20001\n");
    assert.equal((await said(run("! seq 5000"))).split("\n").length, 5001);
    // One after the other: there is only one line into the VM.
    const numbers = [1, 2, 3, 4, 5, 6];
    const answers = await Promise.all(numbers.map((number) => said(run(`! usleep 100000; echo ${number}`))));
    assert.deepEqual(
      answers,
      numbers.map((number) => `${number}\n`),
    );

    // Cancelling a command ends it in the VM too.
    const client = await connect();
    const { request, answer } = client.begin("run", { session: "main", line: "! echo begun >/dev/ttyS0; sleep 12345" });
    await until(async () => /begun/.test(await said(run("/vms console one"))), "the command to run");
    client.tell("cancel", { request });
    await answer.catch(() => {});
    assert.doesNotMatch(await said(run("! ps")), /sleep 12345/);

    assert.equal(await notified(run("/vms detach")), "success: Detached\n");
    assert.equal(await said(run("! uname -r")), `${host}\n`);
    await notified(run("/vms attach one"));
    assert.equal(await notified(run("/vms stop one")), "success: Stopped: one\n");
    assert.equal(isAlive(pid), false);
    assert.equal(await said(run("! uname -r")), `${host}\n`);
    assert.equal(await said(run("/vms list")), "No VMs registered\n");
    assert.equal(await said(run("/resources")), "This session holds no resources.\n");
  }),
);

test("a VM outlives a reload, the runner and the daemon, and is attached afterwards", limit, () =>
  withExamples(["vms"], async ({ daemon, extensions, run }) => {
    await notified(run("/vms start one"));
    await notified(run("/vms attach one"));
    await said(run(`! ${count}`));
    await until(() => counted(run, "one"), "the counter");
    const { terminal, pid } = await listed(run, "one");

    async function isTheSame(what) {
      // At once: a command that arrives while the runner is being replaced still goes to the VM.
      assert.match(await said(run("! uname -nr")), /^one \S+-cloud-amd64\n$/, what);
      const before = await counted(run, "one");
      assert.deepEqual(await listed(run, "one"), { terminal, pid, attached: true }, what);
      assert.match(await said(run("/resources")), /vms\/vm:one {2}live/, what);
      await until(async () => (await counted(run, "one")) > before, `the counter to go on ${what}`);
      return before;
    }

    const restartDaemon = async (meanwhile = async () => {}) => {
      await daemon.kill("SIGKILL");
      assert.equal(isAlive(pid), true);
      await meanwhile();
      await daemon.run();
    };
    const ends = {
      "after a reload": async () => {
        appendFileSync(join(extensions, "vms/index.ts"), "\n// Edited.\n");
        assert.match(await said(run("/reload")), /Reloaded 1 extension/);
      },
      "after the runner was killed": () => killRunner(daemon),
      "after the daemon was killed": () => restartDaemon(),
      // Together, so that neither can ask the other.
      "after both were killed": () => restartDaemon(() => killRunner(daemon)),
    };
    let last = await isTheSame("at first");
    for (let round = 0; round < times(1, 20); ++round) {
      for (const [what, end] of Object.entries(ends)) {
        await end();
        const next = await isTheSame(what);
        assert.ok(next >= last, `${next} after ${last}: the counter has begun anew ${what}`);
        last = next;
      }
    }

    const log = await said(run("/resources log"));
    for (const event of ["create", "adopt", "lost"]) assert.match(log, new RegExp(`vms/vm:one: ${event}`));

    assert.equal(await notified(run("/vms cleanup")), "success: Cleaned up all VMs\n");
    assert.equal(isAlive(pid), false);
    assert.equal(await said(run("/resources")), "This session holds no resources.\n");
  }),
);

test("a VM that has died is told of, and its commands do not run here instead", limit, () =>
  withExamples(["vms"], async ({ daemon, run }) => {
    await notified(run("/vms start one"));
    await notified(run("/vms attach one"));
    // A running command ends with it.
    const running = run("! echo begun >/dev/ttyS0; sleep 1000");
    await until(async () => /begun/.test(await said(run("/vms console one"))), "the command to run");
    const { pid } = await listed(run, "one");
    const directory = folderOf(pid);
    assert.equal(existsSync(directory), true);
    process.kill(pid, "SIGKILL");
    const ended = await running;
    assert.equal(ended.code, 125);
    await until(async () => (await listed(run, "one")) === null, "the VM to be forgotten");

    const refused = await run("! uname -r");
    assert.equal(refused.code, 125);
    assert.match(refused.stdout, /The attached VM one is not running/);
    // Also when it is only known from the stored state.
    await killRunner(daemon);
    assert.equal((await run("! uname -r")).code, 125);
    await notified(run("/vms detach"));
    assert.equal(await said(run("! uname -r")), `${host}\n`);
    assert.equal(existsSync(directory), false);
  }),
);

test("two sessions have each its own VM of one name; one that is closed takes its own along", limit, () =>
  withExamples(["vms"], async ({ connect, run }) => {
    const client = await connect();
    await client.ask("session_create", { name: "other" });
    const inOther = (line) => run(line, "other");
    await Promise.all([notified(run("/vms start one")), notified(inOther("/vms start one"))]);
    const [main, other] = [await listed(run, "one"), await listed(inOther, "one")];
    assert.notEqual(main.pid, other.pid);
    await notified(inOther("/vms attach one"));
    assert.equal(await said(run("! uname -r")), `${host}\n`);
    assert.notEqual(await said(inOther("! uname -r")), `${host}\n`);

    const directory = folderOf(other.pid);
    assert.equal(existsSync(directory), true);
    await client.ask("session_close", { name: "other" });
    assert.equal(isAlive(other.pid), false);
    assert.equal(existsSync(directory), false);
    assert.equal(isAlive(main.pid), true);
    await notified(run("/vms attach one"));
    assert.equal(await said(run("! hostname")), "one\n");
    await notified(run("/vms cleanup"));
  }),
);
