// `! command` when an extension has to do with it: it never runs on the host because the extension
// has failed.

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { limit, theRunner, withDaemon } from "./fixture.mjs";

// Runs commands in a place of its own: as pi's extensions do, with `operations`.
const place = `
  import { spawn } from "node:child_process";
  let deed = "run";
  export default (pi) => {
    pi.registerCommand("deed", { handler: (args) => { deed = args; } });
    pi.on("user_bash", async () => {
      if (deed === "throw") throw new Error("the VM does not start");
      if (deed === "nonsense") return { vm: "one" };
      return { operations: { exec: (command, cwd, { onData, signal }) => new Promise((resolve, reject) => {
        if (deed === "die") process.exit(1);
        if (deed === "fail") return reject(new Error("the VM is gone"));
        const child = spawn("sh", ["-c", command], { cwd, env: { PLACE: "inside", PATH: process.env.PATH } });
        child.stdout.on("data", onData);
        signal.addEventListener("abort", () => child.kill());
        child.on("close", (exitCode) => resolve({ exitCode }));
      }) } };
    });
  };`;

const marked = (daemon) => join(daemon.home, "ran-on-the-host");

test("operations run the command, show its output, and can be cancelled", limit, async () => {
  await withDaemon({ place }, async (_daemon, connect) => {
    const client = await connect();
    const { text, exitCode } = await client.run('! echo "$PLACE"; exit 3');
    assert.equal(text, "inside\n");
    assert.equal(exitCode, 3);
    const { request, answer } = client.begin("run", { session: "main", line: "! echo begun; exec sleep 600" });
    assert.equal((await client.event("progress", (data) => data.request === request)).text, "begun\n");
    client.tell("cancel", { request });
    assert.match((await answer).error, /the command was cancelled/);
  });
});

for (const [deed, reason] of [
  ["throw", /^place must decide .*it failed at .*place\.ts:\d+:\d+: Error: the VM does not start\. The command was not run/],
  ["nonsense", /^place must decide .*its answer is invalid/],
  ["fail", /the VM is gone/],
  ["die", /has ended \(exit\)/],
])
  test(`a command is not run when the extension does this: ${deed}`, limit, async () => {
    await withDaemon({ place }, async (daemon, connect) => {
      const client = await connect();
      await client.ok(`/deed ${deed}`);
      assert.match((await client.run(`! touch ${marked(daemon)}`)).error, reason);
      assert.equal(existsSync(marked(daemon)), false);
    });
  });

test("nor when the runner is killed while the extension runs it", limit, async () => {
  await withDaemon({ place }, async (daemon, connect) => {
    const client = await connect();
    const { answer } = client.begin("run", { session: "main", line: `! echo begun; sleep 600; touch ${marked(daemon)}` });
    await client.event("progress");
    process.kill(await theRunner(daemon), "SIGKILL");
    assert.ok((await answer).error);
    assert.equal(existsSync(marked(daemon)), false);
  });
});
