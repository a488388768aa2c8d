// The commands that use the API, with their exit codes and errors.

import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { limit, withCommands } from "./fixture.mjs";

test("a terminal from its creation to its end", limit, () =>
  withCommands(async ({ run, ok, refused }) => {
    const id = (await ok("new", "-n", "work", "--cols", "100", "--", "sh", "-c", "while read line; do echo got $line; done")).trim();
    assert.match(await ok("ls"), new RegExp(`^${id}\tmain\twork\trunning\t100x24\tsh\t`));
    assert.equal(JSON.parse(await ok("ls", "--json")).terminals[0].terminalId, id);
    const { offset } = JSON.parse(await ok("send", "work", "hello", "there", "--enter", "--json"));
    assert.equal(await ok("wait", "work", "--text", "^got hello there$", "--since", String(offset)), "");
    assert.equal(await ok("capture", "work"), "hello there\ngot hello there\n");
    assert.equal((await run("wait", "work", "--text", "never", "--timeout", "50ms")).code, 124);
    await ok("rename", "work", "play");
    await refused(/there is no terminal "work"\. List them with: holdfast ls/, "capture", "work");
    await ok("resize", `main:play`, "40", "10");
    assert.match(await ok("ls"), /40x10/);
    await ok("send", "play", "--keys", "C-d");
    await ok("wait", "play", "--exit");
    assert.equal((await run("wait", "play", "--text", "never")).code, 1);
    await refused(/program in this terminal has ended/, "send", "play", "x");
    await ok("kill", id.slice(0, 6));
    assert.equal(await ok("ls"), "");
    assert.match(await ok("sessions"), /^main\tinteractive\t0\t0\n$/);
  }));

test("targets that are not unique are named", limit, () =>
  withCommands(async ({ ok, refused, api }) => {
    for (const [terminalId, name, session] of [
      ["abc1", "one", "main"],
      ["abc2", "two", "main"],
      ["xyz", "one", "main"],
    ])
      await api.ok("POST", "/terminals", { terminalId, name, session, command: ["cat"] });
    await refused(/"one" matches several terminals: abc1 \(main:one\), xyz \(main:one\)\. Use the id/, "capture", "one");
    await refused(/"abc" matches several terminals/, "capture", "abc");
    await ok("capture", "abc1");
    await ok("capture", "x");
    await ok("capture", "two");
  }));

test("what a program says is not acted on", limit, () =>
  withCommands(async ({ ok, api }) => {
    await api.ok("POST", "/terminals", { terminalId: "t", name: "a\x1b]0;x\x07b", command: ["cat", "\x1b[2J"] });
    assert.doesNotMatch(await ok("ls"), /\x1b|\x07/);
  }));

test("a paste is bracketed only if the program asked for it", limit, () =>
  withCommands(async ({ ok, api }) => {
    await api.ok("POST", "/terminals", { terminalId: "t", command: ["sh", "-c", "stty raw -echo; printf '\\033[?2004hready'; exec cat -v"] });
    await ok("wait", "t", "--text", "ready", "--since", "0");
    await ok("send", "t", "--paste", "text");
    await ok("wait", "t", "--text", "\\^\\[\\[200~text\\^\\[\\[201~", "--since", "0");
  }));

test("wrong usage exits with 2", limit, () =>
  withCommands(async ({ run, refused }) => {
    for (const args of [["nothing"], ["capture"], ["send"], ["resize", "t", "x", "1"], ["capture", "t", "--ansi", "--json"]]) assert.equal((await run(...args)).code, 2, args.join(" "));
    await refused(/"2q" is not a duration\. Write it as 500ms, 2s or 3m/, "wait", "t", "--exit", "--timeout", "2q");
  }));

test("a daemon is started if none runs, unless that is unwanted", limit, () =>
  withCommands(async ({ run, ok, daemon }) => {
    await daemon.kill();
    const none = await run("--no-start", "ls");
    assert.equal(none.code, 1);
    assert.match(none.stderr, /no daemon is running/);
    // The one that is started has no flags, and must not take the port of another daemon.
    mkdirSync(join(daemon.home, ".config/holdfast"), { recursive: true });
    writeFileSync(join(daemon.home, ".config/holdfast/config.toml"), 'listen = "127.0.0.1:0"\n');
    assert.equal(await ok("ls"), "");
    await ok("stop");
  }));
