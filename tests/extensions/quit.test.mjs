// Stopping the daemon alone, and stopping everything.

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { isRunning, limit, records, until, withDaemon } from "./fixture.mjs";

// Writes the events it gets to a file, which can be read after everything has ended.
const diary = `
import { appendFileSync } from "node:fs";
const write = (line) => appendFileSync("diary", line + "\\n");
export default function (pi, session) {
  pi.on("session_start", ({ reason }) => write("start " + reason));
  pi.on("session_shutdown", ({ reason }) => write("shutdown " + reason));
  pi.registerCommand("hold", { handler: async () => {
    await session.resources.getOrCreate("thing", () => ({}), { close: () => write("closed") });
  } });
}`;

const lines = (daemon) => readFileSync(join(daemon.home, "diary"), "utf8").trim().split("\n");

test("holdfast stop leaves everything but the daemon", limit, () =>
  withDaemon({ diary }, async (daemon, connect) => {
    const client = await connect();
    await client.ok("/hold");
    const { terminal } = await client.ask("create", { command: ["sleep", "1000"] });
    const stopped = await daemon.shell("stop");
    assert.deepEqual([stopped.code, stopped.stdout], [0, "The daemon has stopped; 1 terminal keeps running.\n"]);
    assert.deepEqual(lines(daemon), ["start startup"]);
    const { children } = daemon.keeper();
    assert.ok(children.some(({ id, state }) => id === terminal.terminalId && state === "running"));
    assert.match((await daemon.shell("stop")).stderr, /no daemon is running/);
    await daemon.run();
  }));

test("holdfast stop --all ends everything, after asking, and closes what extensions hold", limit, () =>
  withDaemon({ diary }, async (daemon, connect) => {
    const client = await connect();
    await client.ok("/hold");
    await client.ask("create", { command: ["sleep", "1000"] });
    const { pid, children } = daemon.keeper();
    const asked = await daemon.shell("stop", "--all");
    assert.deepEqual([asked.code, asked.stdout], [1, ""]);
    assert.match(asked.stderr, /ends 1 terminal.*--yes/);
    assert.ok(isRunning(pid), "nobody said yes");

    const stopped = await daemon.shell("stop", "--all", "--yes");
    assert.deepEqual([stopped.code, stopped.stdout], [0, "Stopped everything, including 1 terminal.\n"]);
    assert.deepEqual(lines(daemon), ["start startup", "shutdown quit", "closed"]);
    assert.deepEqual(records(daemon), []);
    assert.ok(!isRunning(pid) && !isRunning(daemon.pid));
    for (const child of children) await until(() => !isRunning(child.pid), "a child to end");
    assert.match((await daemon.shell("stop", "--all", "--yes")).stderr, /keeper/, "there is nothing left to end");

    await daemon.run();
    await until(() => lines(daemon).at(-1) === "start resume", "the session to come back");
    assert.ok(existsSync(daemon.database));
  }));

// A VM's close ends its console and forgets it. Once this was refused as stale, and files were
// left.
test("what closes a resource with its session may still use the session", limit, () =>
  withDaemon(
    {
      holder: `export default function (pi, session) {
        const close = async ({ id }) => {
          await (await session.terminals.get(id)).close();
          await session.state.delete("held");
          console.log("closed in order");
        };
        pi.registerCommand("hold", { handler: async () => {
          const made = async () => ({ id: (await session.terminals.create({ command: ["sleep", "1000"] })).id });
          await session.state.set("held", (await session.resources.getOrCreate("thing", made, { close })).id);
        } });
      }`,
    },
    async (daemon, connect) => {
      const client = await connect();
      await client.ask("session_create", { name: "other" });
      await client.ok("/hold", "other");
      await client.ask("session_close", { name: "other" });
      // The daemon's output and its answers arrive separately.
      await until(() => daemon.said.includes("closed in order"), () => `the resource to be closed in order; the daemon said ${daemon.said}`);
    },
  ));
