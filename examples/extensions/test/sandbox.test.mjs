// bubblewrap sandboxes: what they keep in and out, and that they survive restarts.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { killRunner, notified, said, until, withExamples } from "./fixture.mjs";

const limit = { timeout: 120_000 };
const host = execFileSync("uname", ["-n"], { encoding: "utf8" });

test("a sandbox: started, attached, listed, stopped; what runs in it sees and reaches nothing else", limit, () =>
  withExamples(["sandbox"], async ({ daemon, run }) => {
    assert.equal(await said(run("/sandbox list")), "No sandboxes registered\n");
    assert.match((await run("/sandbox attach one")).stderr, /There is no sandbox one/);
    assert.match((await run("/sandbox start ../one")).stderr, /Invalid name: use a-z, 0-9 and -/);
    assert.equal(await notified(run("/sandbox start one")), "success: Started: one\n");
    assert.match((await run("/sandbox start one")).stderr, /The sandbox one already exists/);
    const secret = join(daemon.home, "secret");
    writeFileSync(secret, "of the host");
    assert.equal(await said(run(`! cat ${secret}`)), "of the host\n");
    assert.equal(await said(run("! uname -n")), host);

    assert.equal(await notified(run("/sandbox attach one")), "success: Attached: one\n");
    assert.match(await said(run("/sandbox list")), /^Registered sandboxes:\n {2}one \(terminal \S+\) ◆\n$/);
    assert.equal(await said(run("! uname -n; pwd")), "one\n/work\n");
    const hidden = await run(`! cat ${secret}`);
    assert.notEqual(hidden.code, 0);
    assert.match(hidden.stdout, /No such file or directory/);
    assert.notEqual((await run("! touch /usr/bin/mine")).code, 0);
    // Only its own processes: bubblewrap, the shell, and the program that lists them.
    assert.equal(await said(run("! ls -d /proc/[0-9]* | wc -l")).then((text) => Number(text) < 6), true);
    assert.equal(
      (await said(run("! cat /proc/net/dev"))).split("\n").filter((line) => /^\s*\w+:/.test(line)).length,
      1,
    );
    assert.equal((await run("! exit 9")).code, 9);
    await said(run("! echo kept >file"));
    // Two sandboxes do not see each other.
    await notified(run("/sandbox start two"));
    await notified(run("/sandbox attach two"));
    assert.equal(await said(run("! ls")), "");

    await notified(run("/sandbox attach one"));
    const directory = /sandbox one, (\S+)/.exec(await said(run("/resources")))[1];
    assert.equal(readFileSync(join(directory, "file"), "utf8"), "kept\n");
    assert.equal(await notified(run("/sandbox stop one")), "success: Stopped: one\n");
    assert.equal(existsSync(directory), false);
    assert.equal(await said(run("! uname -n")), host);
    assert.equal(await notified(run("/sandbox cleanup")), "success: Cleaned up all sandboxes\n");
    assert.equal(await said(run("/sandbox list")), "No sandboxes registered\n");
    assert.equal(await said(run("/resources")), "This session holds no resources.\n");
  }),
);

test(
  "a sandbox is attached after a reload, and after the runner or the daemon was killed; its terminal goes on",
  limit,
  () =>
    withExamples(["sandbox"], async ({ daemon, connect, run }) => {
      await notified(run("/sandbox start one"));
      await notified(run("/sandbox attach one"));
      const list = await said(run("/sandbox list"));
      const terminalId = /terminal (\S+)\)/.exec(list)[1];
      const client = await connect();
      const shell = (await client.ask("list")).terminals.find((each) => each.terminalId === terminalId);
      assert.equal(shell.name, "sandbox one");
      const pid = () =>
        daemon.keeper().children.find(({ argv, kind }) => kind === "terminal" && argv[0].endsWith("bwrap"))?.pid;
      const before = pid();
      assert.ok(before > 0);
      await said(run("! echo kept >file"));

      const kills = [
        async () => await said(run("/reload")),
        async () => await killRunner(daemon),
        async () => {
          await daemon.kill("SIGKILL");
          await daemon.run();
        },
      ];
      for (const kill of kills) {
        await kill();
        assert.equal(await said(run("! uname -n; cat file")), "one\nkept\n");
        assert.equal(await said(run("/sandbox list")), list);
        assert.equal(pid(), before);
      }
      await notified(run("/sandbox stop one"));
      await until(() => pid() === undefined, "its shell to end");
    }),
);
