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
  withCommands(async ({ run }) => {
    const wrong = async (expected, ...args) => {
      const { code, stdout, stderr } = await run(...args);
      assert.deepEqual([code, stdout], [2, ""], args.join(" "));
      assert.match(stderr, expected);
    };
    for (const args of [["nothing"], ["capture"], ["send"], ["resize", "t", "x", "1"], ["capture", "t", "--ansi", "--json"], ["capture", "t", "--text", "--ansi"], ["send", "t", "Up", "--keys", "--literal"]]) await wrong(/./, ...args);
    await wrong(/^holdfast: there is no command "foo"\nSee: holdfast help\n$/, "foo");
    await wrong(/^holdfast: name is required\nSee: holdfast help rename\n$/, "rename", "a");
    await wrong(/^holdfast: .*--sesion.*\nSee: holdfast help ls\n$/, "ls", "--sesion", "x");
    await wrong(/\nSee: holdfast help token new\n$/, "token", "new", "--nothing");
    const duration = /"2q" is not a duration\. Write it as 500ms, 2s, 3m or 1h/;
    await wrong(duration, "wait", "t", "--exit", "--timeout", "2q");
    await wrong(duration, "wait", "t", "--quiet", "2q");
    await wrong(duration, "lease", "t", "--for", "2q");
    await wrong(duration, "send", "t", "x", "--if-idle=2q");
    await wrong(duration, "exec", "t", "--if-idle=2q", "--", "true");
    await wrong(/"2q" is not a lifetime/, "share", "t", "--for", "2q");
    await wrong(/there is nothing to wait for\. Use --text, --exit/, "wait", "t");
    await wrong(/there is nothing to type/, "send", "t");
    await wrong(/there is no command "nothing"\. List them with: holdfast help/, "help", "nothing");
    await wrong(/there is no command "token nothing"/, "man", "token", "nothing");
    await wrong(/there are no completions for "ksh"\. Use bash, zsh or fish/, "completions", "ksh");
    await wrong(/cannot read the detach keys "x"/, "attach", "--detach-keys", "x");
  }));

test("a lone - is standard input, or text with --literal", limit, () =>
  withCommands(async ({ ok, daemon }) => {
    await ok("new", "-n", "t", "--", "sh", "-c", "while read line; do echo got $line; done");
    await ok("send", "t", "--literal", "-", "--enter");
    await ok("wait", "t", "--text", "^got -$", "--since", "0");
    const piped = await daemon.shellWithInput("from a pipe", "send", "t", "-", "--enter");
    assert.equal(piped.code, 0, piped.stderr);
    await ok("wait", "t", "--text", "^got from a pipe$", "--since", "0");
    assert.equal(await ok("capture", "t", "--text"), await ok("capture", "t"));
  }));

test("sessions are created, renamed and closed", limit, () =>
  withCommands(async ({ run, ok, refused }) => {
    await ok("new", "-d", "-s", "work", "-n", "cat", "--", "cat");
    await ok("new", "-d", "-s", "work", "--", "true");
    assert.match(await ok("sessions"), /^work\tinteractive\t2\t0$/m);
    await refused(/Use A-Z a-z 0-9/, "new", "-s", "no name", "--", "cat");
    await ok("sessions", "new", "empty");
    await refused(/already/, "sessions", "new", "empty");
    await ok("sessions", "rename", "work", "play");
    assert.match(await ok("ls", "-s", "play"), /\tplay\tcat\t/);
    await refused(/This ends 1 running terminal\. Use --yes to confirm/, "sessions", "close", "play");
    assert.deepEqual(JSON.parse(await ok("sessions", "close", "play", "--yes", "--json")), { name: "play" });
    await ok("sessions", "close", "empty");
    assert.doesNotMatch(await ok("sessions"), /play|empty/);
    await refused(/there is no session/, "sessions", "close", "play");
    assert.equal((await run("sessions", "close")).code, 2);
  }));

test("what is listed can be read by programs", limit, () =>
  withCommands(async ({ ok, daemon }) => {
    await ok("new", "-n", "t", "--", "cat");
    const json = async (...args) => JSON.parse(await ok(...args, "--json"));
    assert.match((await json("link")).link, /^http:\/\//);
    assert.match((await json("share", "t")).link, /^http:\/\//);
    assert.ok(Array.isArray((await json("sign-ins")).signIns));
    assert.deepEqual(await json("trust"), { directories: [] });
    await ok("trust", daemon.home);
    assert.deepEqual(await json("trust"), { directories: [daemon.home] });
    assert.deepEqual((await json("config")).settings.state_dir, { value: `${daemon.home}/state`, origin: "environment HOLDFAST_STATE_DIR" });
  }));

// The keeper holds the socket of a daemon that is gone, so a command is connected and gets no answer.
test("`wait --timeout` expires although the daemon is away", limit, () =>
  withCommands(async ({ run, ok, daemon }) => {
    await ok("new", "-n", "t", "--", "cat");
    process.kill(daemon.pid, "SIGSTOP");
    const stopped = await run("wait", "t", "--text", "never", "--timeout", "500ms");
    process.kill(daemon.pid, "SIGCONT");
    assert.equal(stopped.code, 124, stopped.stderr);
    await daemon.kill();
    const away = await run("--no-start", "wait", "t", "--text", "never", "--since", "0", "--timeout", "500ms", "--json");
    assert.equal(away.code, 124, away.stderr);
    assert.deepEqual(JSON.parse(away.stdout), { outcome: "timed_out", offset: 0 });
    await daemon.run();
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
