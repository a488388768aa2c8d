// What people may want to hear of: it is kept, told once, and to nobody else.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { Native } from "../node/native.mjs";
import { another, limit, until, withApi } from "./fixture.mjs";

const noticesOf = async (daemon, token) => {
  const client = await Native.connect(daemon, null, token);
  const { notices } = await client.ask("notices");
  client.close();
  return notices;
};
const texts = async (daemon) => (await noticesOf(daemon)).map(({ kind, text }) => (text === undefined ? kind : `${kind}: ${text}`));

test("what programs tell is kept over kill -9, and told once", limit, () =>
  withApi(async (api, daemon) => {
    await api.ok("POST", "/terminals", { terminalId: "t", name: "agent", command: ["sh", "-c", "for i in 1 2 3 4 5; do until [ -e go$i ]; do sleep 0.05; done; printf \"\\033]9;said $i\\a\"; done; sleep 1000"], workDir: daemon.home });
    for (let i = 1; i <= 5; ++i) {
      writeFileSync(join(daemon.home, `go${i}`), "");
      // Sometimes before it was read, sometimes after it was told.
      if (i % 2) await until(async () => (await texts(daemon)).length === i, `notice ${i}`);
      await daemon.kill();
      await daemon.run();
      await until(async () => (await texts(daemon)).length >= i, `notice ${i} after the kill`);
    }
    assert.deepEqual(await texts(daemon), [1, 2, 3, 4, 5].map((i) => `message: said ${i}`));
    const [first] = await noticesOf(daemon);
    assert.equal(first.name, "agent");
    assert.equal(first.session, "main");
    assert.equal(first.watched, false);
    assert.equal((await daemon.shell("upgrade")).code, 0);
    assert.equal((await texts(daemon)).length, 5);
    assert.equal((await api.ok("POST", "/terminals/t/notify", { text: "by the API" })).terminalId, "t");
    assert.equal((await texts(daemon)).at(-1), "message: by the API");
    const { stdout } = await daemon.shell("events", "--json");
    assert.equal(stdout.split("\n").filter((line) => line.includes('"terminal_notice"')).length, 6);
  }));

test("a long command that ends is one, and a short one is not", limit, () =>
  withApi(async (api, daemon) => {
    await api.ok("POST", "/terminals", { terminalId: "t", command: ["bash"] });
    await until(async () => (await api.ok("GET", "/terminals/t")).state.kind === "prompt", "the prompt");
    await api.ok("POST", "/terminals/t/exec", { text: "true", timeout: 60_000 });
    await api.ok("POST", "/terminals/t/exec", { text: "sleep 5.1; (exit 3)", timeout: 60_000 });
    await until(async () => (await texts(daemon)).length === 1, "the notice");
    const [{ kind, command, exitCode, duration, watched }] = await noticesOf(daemon);
    assert.deepEqual({ kind, command, exitCode, watched }, { kind: "command_ended", command: "sleep 5.1; (exit 3)", exitCode: 3, watched: false });
    assert.ok(duration >= 5000 && duration < 60_000, `${duration}`);
  }));

test("somebody who shows the terminal watches, and who hides it does not", limit, () =>
  withApi(async (api, daemon) => {
    await api.ok("POST", "/terminals", { terminalId: "t", command: ["cat"] });
    const viewer = await Native.connect(daemon, null);
    const { channel } = await viewer.ask("attach", { terminalId: "t" });
    await api.ok("POST", "/terminals/t/notify", { state: "blocked", text: "one" });
    viewer.tell("hide", { channel });
    await viewer.ask("ping");
    await api.ok("POST", "/terminals/t/notify", { state: "done", text: "two" });
    assert.deepEqual((await noticesOf(daemon)).map(({ kind, text, watched }) => [kind, text, watched]), [["blocked", "one", true], ["done", "two", false]]);
    assert.equal((await viewer.event("notice", ({ text }) => text === "one")).kind, "blocked");
  }));

test("a bell that rings all the time is bounded, and others hear of nothing", limit, () =>
  withApi(async (api, daemon) => {
    const { api: bounded } = await another(daemon, "--user", "mallory");
    const watcher = await Native.connect(daemon, null);
    await api.ok("POST", "/terminals", { terminalId: "t", command: ["sh", "-c", "yes $(printf '\\a') | head -c 100000; sleep 1000"] });
    await watcher.event("notice");
    await api.wait("t", { quiet: 500 });
    const notices = await noticesOf(daemon);
    assert.ok(notices.length > 0 && notices.length <= 20, `${notices.length} notices`);
    assert.equal((await bounded.raw("POST", "/terminals/t/notify", { text: "hello" })).status, 404);
  }));
