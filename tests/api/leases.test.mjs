// A program holds a terminal's keyboard, also over daemons, until it expires or a person types.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Native } from "../node/native.mjs";
import { limit, times, until, withApi } from "./fixture.mjs";

async function withCat(use, options) {
  await withApi(async (api, daemon) => {
    await api.ok("POST", "/terminals", { terminalId: "t", command: ["cat"] });
    const refused = async (body, expected) => {
      const answer = await api.call("POST", "/terminals/t/send", body);
      assert.deepEqual([answer.status, answer.body.code], [409, "busy"], answer.text);
      assert.match(answer.body.detail, expected);
    };
    await use({ api, daemon, refused, take: (body = {}) => api.ok("POST", "/terminals/t/lease", { seconds: 60, holder: "bot", ...body }) });
  }, options);
}

async function restart(daemon) {
  await daemon.kill();
  await daemon.run();
}

test("only the holder types, also over kills", limit, () =>
  withCat(async ({ api, daemon, refused, take }) => {
    const { lease, holder, expiresAt } = await take();
    assert.equal(holder, "bot");
    const left = Date.parse(expiresAt) - Date.now();
    assert.ok(left > 30_000 && left <= 61_000, expiresAt);
    for (let i = 0; i < times(3, 20); i += 1) {
      await api.send("t", { text: "x", lease });
      await refused({ text: "y" }, /"bot" holds the keyboard of this terminal until \d{4}-/);
      await refused({ text: "y", lease: "another" }, /"bot" holds/);
      assert.equal((await api.call("POST", "/terminals/t/lease", { holder: "other" })).status, 409);
      await restart(daemon);
      assert.ok(Date.parse((await api.ok("POST", "/terminals/t/lease", { lease, seconds: 60 })).expiresAt) > Date.now());
    }
    await api.ok("DELETE", `/terminals/t/lease?lease=${lease}`);
    await refused({ text: "x", lease }, /was released/);
    await restart(daemon);
    await refused({ text: "x", lease }, /was released/);
    await api.send("t", { text: "z" });
  }));

test("a lease expires", limit, () =>
  withCat(async ({ api, daemon, refused, take }) => {
    const { lease } = await take({ seconds: 1 });
    await restart(daemon);
    await until(async () => (await api.call("POST", "/terminals/t/send", { text: "x" })).status === 200, "the lease to expire");
    await refused({ text: "x", lease }, /has expired/);
    await take({ holder: "next" });
    await refused({ text: "x", lease }, /"next" holds/);
  }));

test("a person takes the keyboard back", limit, () =>
  withCat(async ({ api, daemon, refused, take }) => {
    const { lease } = await take();
    await api.send("t", { text: "x", lease, ifIdle: 60_000 });
    const person = await Native.connect(daemon, null);
    const { channel } = await person.ask("attach", { terminalId: "t" });
    person.type(channel, "\x1b[I"); // Its window got the focus. Nobody typed.
    const { offset } = await person.ask("send", { terminalId: "t", text: "mine", lease });
    person.type(channel, "typed");
    await api.wait("t", { text: "typed", since: offset });
    await refused({ text: "x", lease }, /a person took the keyboard back by typing/);
    await refused({ text: "x", ifIdle: 60_000 }, /a person is typing/);
    await restart(daemon);
    await refused({ text: "x", lease }, /a person took the keyboard back by typing/);
    await refused({ text: "x", ifIdle: 60_000 }, /a person is typing/);
    await api.send("t", { text: "x", ifIdle: 0 });
    assert.ok((await take()).lease !== lease);
  }));

test("or is refused, if that is what was configured", limit, () =>
  withCat(
    async ({ api, daemon, take }) => {
      const { lease } = await take();
      const person = await Native.connect(daemon, null);
      const { channel } = await person.ask("attach", { terminalId: "t" });
      person.type(channel, "typed");
      assert.match((await person.event("error")).error, /"bot" holds the keyboard/);
      await api.send("t", { text: "x", lease });
      assert.doesNotMatch(await api.screen("t"), /typed/);
      person.close();
    },
    { args: ["--request-rate-limit", "100000", "--leases-yield", "false"] },
  ));

test("the same over the native protocol", limit, () =>
  withCat(async ({ api, daemon, refused }) => {
    const program = await Native.connect(daemon, null);
    const { lease, holder } = await program.ask("lease", { terminalId: "t", holder: "native", seconds: 60 });
    assert.equal(holder, "native");
    await refused({ text: "x" }, /"native" holds/);
    const body = { terminalId: "t", text: "once", enter: true, idempotencyKey: "k", lease };
    const { offset } = await program.ask("send", body);
    assert.equal((await program.ask("send", body)).offset, offset);
    await assert.rejects(program.ask("send", { ...body, text: "other" }), { code: "mismatch" });
    await assert.rejects(program.ask("send", { terminalId: "t", text: "x" }), { code: "busy" });
    assert.equal((await program.ask("lease", { terminalId: "t", lease })).lease, lease);
    await program.ask("release", { terminalId: "t", lease });
    // The echo first, then what the program prints.
    const echo = await api.wait("t", { text: "^once$", since: offset });
    await api.wait("t", { text: "^once$", since: echo.offset });
    await api.send("t", { text: "end" });
    await until(async () => /^once\nonce\nend/.test(await api.screen("t")), "once, then the end");
    program.close();
  }));

const shell = { terminalId: "s", command: ["bash"], env: { TERM: "xterm-256color" } };

test("only the holder executes commands", limit, () =>
  withApi(async (api, daemon) => {
    await api.ok("POST", "/terminals", shell);
    const { lease } = await api.ok("POST", "/terminals/s/lease", { seconds: 60, holder: "bot" });
    const exec = (text, more = {}) => api.call("POST", "/terminals/s/exec", { text, ...more });
    for (const more of [{}, { lease: "another" }]) {
      const refused = await exec("echo never", more);
      assert.deepEqual([refused.status, refused.body.code], [409, "busy"], refused.text);
      assert.match(refused.body.detail, /"bot" holds the keyboard/);
    }
    assert.equal((await exec("echo mine", { lease })).body.output, "mine\n");
    // What it leaves incomplete is cancelled by the same holder.
    assert.equal((await exec("echo 'unfinished", { lease })).body.outcome, "incomplete");
    assert.equal((await exec("echo next", { lease })).body.output, "next\n");
    await restart(daemon);
    assert.equal((await exec("echo again", { lease })).body.output, "again\n");

    const run = async (...args) => {
      const { code, stdout, stderr } = await daemon.shell("exec", "s", ...args);
      return { code, stdout, stderr };
    };
    assert.deepEqual(await run("--lease", lease, "--", "echo by command; false"), { code: 1, stdout: "by command\n", stderr: "" });
    assert.match((await run("--", "echo never")).stderr, /"bot" holds the keyboard/);

    const person = await Native.connect(daemon, null);
    const { channel } = await person.ask("attach", { terminalId: "s" });
    person.type(channel, "\x15");
    await until(async () => (await exec("echo never", { lease })).status === 409, "the person's key to arrive");
    assert.match((await exec("echo never", { lease })).body.detail, /a person took the keyboard back/);
    assert.match((await exec("echo never", { ifIdle: 60_000 })).body.detail, /a person is typing/);
    assert.match((await run("--if-idle=5m", "--", "echo never")).stderr, /a person is typing/);
    assert.equal((await exec("echo idle", { ifIdle: 0 })).body.output, "idle\n");
    assert.doesNotMatch(await api.screen("s"), /never/);
    person.close();
  }));

test("by commands", limit, () =>
  withCat(async ({ daemon }) => {
    const run = (...args) => daemon.shell(...args);
    const lease = (await run("lease", "t", "--for", "1m", "--holder", "me")).stdout.trim();
    assert.match(lease, /^[0-9a-f]{32}$/);
    assert.equal((await run("send", "t", "x", "--lease", lease)).code, 0);
    const refused = await run("send", "t", "x");
    assert.deepEqual([refused.code, refused.stdout], [1, ""]);
    assert.match(refused.stderr, /"me" holds the keyboard of this terminal until .*Try again then/);
    assert.equal((await run("lease", "t", "--renew", lease)).code, 0);
    assert.equal((await run("lease", "t", "--release", lease)).code, 0);
    assert.equal((await run("send", "t", "x", "--if-idle")).code, 0);
    assert.equal((await run("send", "t", "x", "--if-idle=2m", "--key", "k")).code, 0);
    assert.equal((await run("lease", "t", "--for", "2h")).code, 1);
    assert.equal((await run("lease", "t", "--renew", lease, "--release", lease)).code, 2);
  }));
