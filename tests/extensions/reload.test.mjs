// Code that does not load, does not end, or is gone: resources stay, and the session says what is
// wrong.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { describe, test } from "node:test";

import { isRunning, limit, logged, records, until, withDaemon } from "./fixture.mjs";

// Holds a program under the key `vm:one`.
const holder = (more = "", version = 1) => `
  import { spawn } from "node:child_process";
  ${version === 1 ? "" : `// version ${version}`}
  export default async (pi, session) => {
    ${more}
    const get = () => session.resources.getOrCreate("vm:one", () => spawn("sleep", ["600"], { stdio: "ignore" }), {
      close: (child) => { child.kill("SIGKILL"); },
      describe: () => "a program that sleeps",
      pids: (child) => [child.pid],
    });
    pi.registerCommand("pid", { handler: async () => String((await get()).pid) });
    pi.registerCommand("version", { handler: () => "${version}" });
    pi.registerCommand("state", { handler: () => session.resources.list().map(({ key, state }) => key + " " + state).join() });
  };`;

const path = (daemon) => `${daemon.home}/.config/holdfast/extensions/holder.ts`;

// Each: the new code, what `/reload` says about it, and which version runs then.
const broken = {
  "a syntax error": ["export default (pi) => {\n  pi.on(;\n};", (file) => new RegExp(`^holder: ${file}:2: .*\\(the previous code keeps running\\)$`, "s"), "1"],
  "an import that is not there": ['import "./nowhere";\nexport default () => {};', (file) => new RegExp(`^holder: ${file}.*nowhere.*\\(the previous code keeps running\\)$`, "s"), "1"],
  "an import that is not there, further in": ['import { x } from "./_helper";\nexport default () => x;', () => /_helper|nowhere/, "1"],
  "no entry": ["export const x = 1;", () => /^holder: .*\(the previous code keeps running\)$/s, "1"],
  "a factory that throws": [holder("throw new Error('not today');", 2), () => /^holder: .*not today \(the previous code keeps running\)$/s, "1"],
  "code that throws when it is imported": [`throw new Error("not at all");\n${holder("", 2)}`, () => /^holder: .*not at all/s, "1"],
  "a factory that hangs": [holder("await new Promise(() => {});", 2), () => /^holder: .*took longer than 10000 ms/, "1"],
  "a shutdown that hangs": [holder("", 2), undefined, "2"],
};

describe("code that is broken", { concurrency: 4 }, () => {
  for (const [what, [code, complaint, version]] of Object.entries(broken))
    test(`a reload with ${what} loses nothing`, limit, async () => {
      const first = holder(what === "a shutdown that hangs" ? 'pi.on("session_shutdown", () => new Promise(() => {}));' : "");
      await withDaemon({ holder: first, "_helper.ts": 'export { x } from "./nowhere";' }, async (daemon, connect) => {
        const client = await connect();
        const pid = Number(await client.ok("/pid"));
        daemon.extension("holder", code);
        const { error, text } = await client.run("/reload");
        if (complaint) {
          assert.match(error, complaint(path(daemon)));
          assert.match(await client.ok("/help"), /holder\n {4}\S/);
        } else {
          assert.equal(error, undefined);
          assert.equal(text, "Reloaded 1 extension.");
        }
        assert.equal(await client.ok("/version"), version);
        assert.equal(Number(await client.ok("/pid")), pid);
        assert.ok(isRunning(pid));
        assert.deepEqual(
          records(daemon).map(({ key, state }) => [key, state]),
          [["vm:one", "live"]],
        );
        // Once fixed, it works again.
        daemon.extension("holder", holder("", 3));
        assert.equal(await client.ok("/reload"), "Reloaded 1 extension.");
        assert.equal(await client.ok("/version"), "3");
        assert.equal(Number(await client.ok("/pid")), pid);
      });
    });
});

test("what is not asked for after a reload is an orphan, can be adopted, and is closed by /cleanup", limit, async () => {
  await withDaemon({ holder: holder() }, async (daemon, connect) => {
    const client = await connect();
    assert.equal(await client.ok("/resources"), "This session holds no resources.");
    const pid = Number(await client.ok("/pid"));
    assert.equal(await client.ok("/resources"), `  holder/vm:one  live  a program that sleeps  (processes ${pid})`);
    await client.ok("/reload");
    assert.equal(await client.ok("/state"), "vm:one orphan");
    assert.equal(await client.ok("/resources"), `  holder/vm:one  orphan  a program that sleeps  (processes ${pid})`);
    await client.ok("/pid");
    assert.equal(await client.ok("/state"), "vm:one live");
    assert.equal(await client.ok("/cleanup"), "Nothing is orphaned or lost.");
    await client.ok("/reload");

    const refused = client.run("/cleanup");
    const question = await client.answer("Close these resources?", false);
    assert.equal(question.message, `  holder/vm:one  orphan  a program that sleeps  (processes ${pid})`);
    assert.match((await refused).error, /nothing was closed/);
    assert.ok(isRunning(pid));

    const cleaned = client.run("/cleanup");
    await client.answer("Close these resources?", true);
    assert.equal((await cleaned).text, "Closed 1 resource.");
    await until(() => !isRunning(pid), "the program to end");
    assert.deepEqual(records(daemon), []);
    assert.deepEqual(
      logged(daemon, "holder/vm:one").map(([, event]) => event),
      ["create", "reload", "orphan", "adopt", "reload", "orphan", "close"],
    );
    const log = await client.ok("/resources log");
    assert.match(log, /^ {2}\[\d\d:\d\d:\d\d\] holder\/vm:one: create \(a program that sleeps\)$/m);
    assert.match(log, /^ {2}\[\d\d:\d\d:\d\d\] holder\/vm:one: close/m);
    assert.match((await client.run("/cleanup nothing")).error, /there is no resource nothing/);
  });
});

test("/cleanup tells what it could not close, and why", limit, async () => {
  const code = `export default (pi, session) => pi.registerCommand("make", { handler: async () => {
    await session.resources.getOrCreate("fine", () => ({}), { close: () => {} });
    await session.resources.getOrCreate("throws", () => ({}), { close: () => { throw new Error("it is stuck"); } });
    await session.resources.getOrCreate("hangs", () => ({}), { close: () => new Promise(() => {}) });
  } });`;
  await withDaemon({ maker: code }, async (daemon, connect) => {
    const client = await connect();
    await client.ok("/make");
    await client.ok("/reload");
    const cleaned = client.run("/cleanup");
    await client.answer("Close these resources?", true);
    const { text } = await cleaned;
    assert.match(text, /^Closed 1 of 3 resources\./);
    assert.match(text, /maker\/fine {2}closed/);
    assert.match(text, /maker\/throws {2}not closed: .*it is stuck/);
    assert.match(text, /maker\/hangs {2}not closed: .*took longer than 10000 ms/);
    assert.deepEqual(records(daemon), []);
    assert.equal(await client.ok("/resources"), "This session holds no resources.");
  });
});

test("what an extension that was taken away held belongs to the session", limit, async () => {
  await withDaemon({ holder: holder(), other: "export default (pi) => pi.registerCommand('other', { handler: () => 'here' });" }, async (daemon, connect) => {
    const client = await connect();
    const pid = Number(await client.ok("/pid"));
    daemon.removeExtension("holder");
    assert.equal(await client.ok("/reload"), "Reloaded 1 extension.");
    assert.match((await client.run("/pid")).error, /there is no command \/pid/);
    assert.equal(await client.ok("/other"), "here");
    assert.equal(await client.ok("/resources"), `  holder/vm:one  orphan  a program that sleeps  (processes ${pid})`);
    assert.ok(isRunning(pid));
    const cleaned = client.run("/cleanup vm:one");
    await client.answer("Close these resources?", true);
    assert.equal((await cleaned).text, "Closed 1 resource.");
    await until(() => !isRunning(pid), "the program to end");
    assert.deepEqual(records(daemon), []);
  });
});

test("all extensions taken away and one put back", limit, async () => {
  await withDaemon({ holder: holder() }, async (daemon, connect) => {
    const client = await connect();
    const pid = Number(await client.ok("/pid"));
    daemon.removeExtension("holder");
    assert.equal(await client.ok("/reload"), "Reloaded 0 extensions.");
    daemon.extension("holder", holder("", 2));
    assert.equal(await client.ok("/reload"), "Reloaded 1 extension.");
    assert.equal(await client.ok("/version"), "2");
    assert.equal(Number(await client.ok("/pid")), pid);
  });
});

test("closing a session closes what it holds", limit, async () => {
  await withDaemon({ holder: holder() }, async (daemon, connect) => {
    const main = await connect();
    await main.ask("session_create", { name: "b" });
    const pid = Number(await main.ok("/pid", "b"));
    const mine = Number(await main.ok("/pid"));
    await main.ask("session_close", { name: "b" });
    assert.ok(!isRunning(pid));
    assert.ok(isRunning(mine));
    assert.equal(records(daemon).length, 1);
  });
});

test("commands that arrive during a reload wait for it, and run in the code that is there then", limit, async () => {
  const slow = (version) => `import { existsSync } from "node:fs";
  export default async (pi) => {
    if (${version} === 2) while (!existsSync(process.env.HOME + "/go")) await new Promise((resolve) => setTimeout(resolve, 10));
    pi.registerCommand("version", { handler: () => "${version}" });
  };`;
  await withDaemon({ slow: slow(1) }, async (daemon, connect) => {
    const client = await connect();
    assert.equal(await client.ok("/version"), "1");
    daemon.extension("slow", slow(2));
    const order = [];
    const noting = (what) => (value) => order.push(`${what} ${value}`);
    const all = [client.ok("/reload").then(noting("reload")), client.ok("/version").then(noting("version")), client.ok("/slow version").then(noting("version"))];
    await client.ask("ping"); // By now they have arrived.
    writeFileSync(`${daemon.home}/go`, "");
    await Promise.all(all);
    assert.deepEqual(order, ["reload Reloaded 1 extension.", "version 2", "version 2"]);
  });
});
