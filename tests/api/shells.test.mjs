// What is made from the commands' declarations: completions in real shells, the manual page, and
// the pages of the documentation.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { limit, withCommands } from "./fixture.mjs";

const docs = fileURLToPath(new URL("../../docs/", import.meta.url));

// A shell in which `holdfast` is the one that is tested.
function shell(daemon, program, args, input) {
  const env = { ...daemon.environment, PATH: `${dirname(daemon.program)}:${process.env.PATH}` };
  const { status, stdout, stderr } = spawnSync(program, args, { env, input, encoding: "utf8", cwd: daemon.home, timeout: 60_000 });
  return { status, stdout, stderr };
}

const lines = (text) => text.split("\n").filter(Boolean).sort();

async function withShells(use) {
  await withCommands(async (commands) => {
    const { api, ok } = commands;
    await api.ok("POST", "/sessions", { name: "work" });
    await api.ok("POST", "/terminals", { terminalId: "id1", name: "build", command: ["cat"] });
    await api.ok("POST", "/terminals", { terminalId: "id2", name: "$(touch pwned)`touch pwned`", command: ["cat"] });
    await use({ ...commands, names: (await ok("help")).match(/^ {2}[a-z][a-z-]*/gm).map((each) => each.trim()) });
    assert.ok(!existsSync(join(commands.daemon.home, "pwned")), "a terminal's name was run");
  });
}

test("bash completes commands, options, terminals and sessions", limit, () =>
  withShells(async ({ daemon, names }) => {
    const complete = (...words) => {
      const script = `. <(holdfast completions bash)
        COMP_WORDS=(holdfast "$@"); COMP_CWORD=$#; _holdfast; printf '%s\\n' "\${COMPREPLY[@]}"`;
      const { status, stdout, stderr } = shell(daemon, "bash", ["--norc", "-c", script, "bash", ...words]);
      assert.deepEqual([status, stderr], [0, ""], words.join(" "));
      return lines(stdout);
    };
    for (const name of names) assert.ok(complete("").includes(name), name);
    assert.deepEqual(complete("cap"), ["capture"]);
    assert.deepEqual(complete("capture", "--h"), ["--help", "--history", "--html"]);
    assert.deepEqual(complete("capture", "bu"), ["build"]);
    assert.deepEqual(complete("capture", "i"), ["id1", "id2"]);
    assert.deepEqual(complete("capture", "$"), ["\\$\\(touch\\ pwned\\)\\`touch\\ pwned\\`"]);
    assert.deepEqual(complete("ls", "-s", "w"), ["work"]);
    assert.deepEqual(complete("token", "r"), ["revoke"]);
  }));

test("zsh completes commands, options, terminals and sessions", limit, () =>
  withShells(async ({ daemon, names }) => {
    // Outside of the line editor there is no compadd, so this one tells what would be offered.
    const script = `compdef() { }; . <(holdfast completions zsh); compadd() { shift; print -rl -- "$@" }
      words=(holdfast "$@"); CURRENT=$#words; _holdfast; true`;
    const complete = (...words) => {
      const { status, stdout, stderr } = shell(daemon, "zsh", ["-f", "-c", script, "zsh", ...words]);
      assert.deepEqual([status, stderr], [0, ""], words.join(" "));
      return lines(stdout);
    };
    const all = complete("");
    for (const name of names) assert.ok(all.includes(name), `${name} in ${all}`);
    assert.ok(complete("capture", "--").includes("--html"));
    assert.deepEqual(complete("capture", ""), ["$(touch pwned)`touch pwned`", "build", "id1", "id2"]);
    assert.deepEqual(complete("ls", "-s", ""), ["main", "work"]);
  }));

test("fish completes commands, options, terminals and sessions", limit, () =>
  withShells(async ({ daemon, names }) => {
    const complete = (line) => {
      const { status, stdout, stderr } = shell(daemon, "fish", ["--no-config", "-c", `holdfast completions fish | source; complete -C '${line}'`]);
      assert.deepEqual([status, stderr], [0, ""], line);
      return lines(stdout).map((each) => each.split("\t")[0]);
    };
    for (const name of names) assert.ok(complete("holdfast ").includes(name), name);
    assert.deepEqual(complete("holdfast cap"), ["capture"]);
    assert.ok(complete("holdfast capture --h").includes("--html"));
    assert.deepEqual(complete("holdfast capture bu"), ["build"]);
    assert.deepEqual(complete("holdfast ls -s w"), ["work"]);
  }));

test("there are completions for these shells only", limit, () =>
  withCommands(async ({ run }) => {
    const { code, stderr } = await run("completions", "tcsh");
    assert.equal(code, 2);
    assert.match(stderr, /there are no completions for "tcsh"\. Use bash, zsh or fish\./);
  }));

test("the manual page has every command, and is well formed", limit, () =>
  withShells(async ({ daemon, ok, names }) => {
    const page = await ok("man");
    for (const name of names) assert.match(page, new RegExp(`^\\.SS holdfast ${name.replaceAll("-", "\\\\-")}( |$)`, "m"));
    const { stdout, stderr } = shell(daemon, "mandoc", ["-Tlint", "-Werror"], page);
    assert.equal(stdout + stderr, "");
    assert.match(shell(daemon, "mandoc", ["-Tutf8"], page).stdout.replaceAll(/.\x08/g, ""), /holdfast attach \[OPTIONS\]/);
  }));

test("each command has a manual page of its own, with its subcommands", limit, () =>
  withShells(async ({ daemon, ok, names }) => {
    for (const name of names) {
      const page = await ok("man", name);
      const { stdout, stderr } = shell(daemon, "mandoc", ["-Tlint", "-Werror"], page);
      assert.equal(stdout + stderr, "", name);
      assert.match(shell(daemon, "mandoc", ["-Tutf8"], page).stdout.replaceAll(/.\x08/g, ""), new RegExp(`^HOLDFAST-${name.toUpperCase()}\\(1\\)[^]*holdfast ${name}`), name);
    }
    assert.match(await ok("man", "token"), /holdfast token new/);
    assert.match(await ok("man", "token", "new"), /^\.TH HOLDFAST\\-TOKEN\\-NEW 1/);
  }));

test("docs/cli.md is what the program says", limit, () =>
  withCommands(async ({ ok }) => {
    const page = await ok("man", "--markdown");
    if (process.env.HOLDFAST_WRITE_DOCUMENTS) writeFileSync(join(docs, "cli.md"), page);
    assert.equal(readFileSync(join(docs, "cli.md"), "utf8"), page, "write it with: HOLDFAST_WRITE_DOCUMENTS=1 node --test tests/api/shells.test.mjs");
  }));

test("every command of the page for agents works, in order", limit, () =>
  withCommands(async ({ ok, daemon }) => {
    const page = await ok("skill");
    assert.equal(page, readFileSync(join(docs, "skill.md"), "utf8"));
    const script = [...page.matchAll(/```sh\n([^]*?)```/g)].map(([, block]) => block).join("");
    assert.ok(script.split("\n").length > 15);
    const { status, stdout, stderr } = shell(daemon, "bash", ["--norc", "-euo", "pipefail"], script);
    assert.equal(status, 0, `${stdout}\n${stderr}`);
    assert.match(stdout, /built-42/);
  }));
