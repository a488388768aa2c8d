// The commands for people: what runs, help, the terminal that a command runs in.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { appendFileSync, chmodSync, existsSync, mkdirSync, readFileSync, renameSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { another, limit, until, withCommands } from "./fixture.mjs";

test("`.` is the terminal that a command runs in, before and after it was restored", limit, () =>
  withCommands(async ({ run, ok, refused, daemon }) => {
    await refused(/this is not a terminal of Holdfast\. `\.` works inside of one/, "capture", ".");
    const id = (await ok("new", "-n", "here")).trim();
    const renames = async (name) => {
      await ok("send", id, `${daemon.program} rename . ${name}; echo sta''tus $?`, "--enter");
      await ok("wait", id, "--text", "^status 0", "--since", "0");
      assert.match(await ok("ls"), new RegExp(`^${id}\tmain\t${name}\t`));
    };
    await renames("there");
    await daemon.killKeeper();
    await until(async () => /\trestorable/.test((await run("ls")).stdout), "the terminal to be lost");
    await ok("restore", id);
    await renames("again");
  }));

test("`holdfast` alone says what runs, in at most ten lines", limit, () =>
  withCommands(async ({ ok, daemon }) => {
    await ok("new", "--", "cat");
    const said = await ok();
    assert.match(said, /^Holdfast .*: 1 terminal, 0 viewers\.\n/);
    assert.ok(said.trimEnd().split("\n").length <= 10, said);
    await daemon.kill();
    assert.match(await ok(), /No daemon is running; 1 terminal held for the next one/);
    await daemon.killKeeper();
    assert.match(await ok(), /Nothing is running yet/);
    await daemon.run();
  }));

test("each command is explained, with an example that uses it", limit, () =>
  withCommands(async ({ ok }) => {
    const all = await ok("help");
    const names = [...all.slice(all.indexOf("Subcommands:")).matchAll(/^ {2}([a-z][a-z-]*)/gm)].map(([, name]) => name);
    assert.ok(names.length > 20, all);
    for (const name of names) {
      const said = await ok("help", name);
      assert.match(said, new RegExp(`\nExamples:\n {2}.*holdfast ${name}`), name);
      assert.equal(said, await ok(name, "--help"));
    }
    assert.match(await ok("help", "token", "new"), /--user/);
    assert.match(await ok("--version"), /^holdfast \d/);
  }));

test("`status` tells of the daemon, the keeper and what they have", limit, () =>
  withCommands(async ({ run, ok, daemon }) => {
    await ok("new", "--", "cat");
    const status = JSON.parse(await ok("status", "--json"));
    assert.equal(status.daemon.pid, daemon.pid);
    assert.equal(status.keeper.pid, daemon.keeper().pid);
    assert.equal(status.daemon.version, status.version);
    assert.equal(status.terminals, 1);
    assert.equal(status.viewers, 0);
    for (const process of [status.daemon, status.keeper]) assert.ok(process.memory > 1e6 && process.uptime >= 0 && process.uptime < 600, JSON.stringify(process));
    assert.match(await ok("status"), new RegExp(`^daemon +${status.version}, pid ${daemon.pid}, up \\d+ s, .* of memory\nkeeper .*\nterminals +1 running\n`));
    await daemon.kill();
    const { code, stdout } = await run("status");
    assert.equal(code, 1);
    assert.match(stdout, /^daemon +not running\nkeeper .*\nterminals +1 running\n$/);
    await daemon.run();
  }));

test("`doctor` finds nothing wrong here, and what was broken", limit, () =>
  withCommands(async ({ run, ok, daemon }) => {
    const about = async (name) => JSON.parse((await run("doctor", "--json")).stdout).findings.find((each) => each.about === name);
    const { findings } = JSON.parse(await ok("doctor", "--json"));
    assert.deepEqual(findings.filter((each) => !each.ok), []);
    assert.match(await ok("doctor"), /^ok {5}runtime directory/);
    assert.match((await about("extensions")).what, /^Node 2\d/);
    const state = join(daemon.home, "state");
    chmodSync(state, 0o777);
    assert.deepEqual(await about("state directory"), { about: "state directory", ok: false, what: `others may write to ${state}`, advice: `Run: chmod 700 ${state}` });
    assert.match((await run("doctor")).stdout, new RegExp(`wrong {2}state directory .*\n {26}Run: chmod 700`));
    assert.equal((await run("doctor")).code, 1);
    chmodSync(state, 0o700);
    const later = Date.now() / 1000 + 7200;
    utimesSync(join(state, "holdfast.db"), later, later);
    assert.match((await about("clock")).what, /behind what was saved last/);
  }));

test("`doctor` sees sockets that nobody serves", limit, () =>
  withCommands(async ({ run, ok, daemon }) => {
    await daemon.kill();
    const { pid } = daemon.keeper();
    process.kill(pid, "SIGKILL");
    await until(() => !existsSync(`/proc/${pid}`) || /State:\tZ/.test(readFileSync(`/proc/${pid}/status`, "utf8")), "the keeper to end");
    const { code, stdout } = await run("doctor");
    assert.equal(code, 1);
    assert.match(stdout, /wrong {2}sockets +nobody listens at .*keeper\.sock/);
    await daemon.run();
    await ok("doctor");
  }));

test("`logs` prints and follows a log that stays small", limit, () =>
  withCommands(async ({ ok, refused, daemon }) => {
    await refused(/cannot read .*daemon\.log\. Only daemons that commands start/, "logs");
    await daemon.kill();
    mkdirSync(join(daemon.home, ".config/holdfast"), { recursive: true });
    writeFileSync(join(daemon.home, ".config/holdfast/config.toml"), 'listen = "127.0.0.1:0"\n');
    const log = join(daemon.home, "state/daemon.log");
    for (const round of [1, 2, 3]) {
      writeFileSync(log, `round ${round}\n`.repeat(600_000));
      await ok("ls");
      assert.ok(statSync(log).size < 1_000_000);
      assert.ok(readFileSync(`${log}.1`, "utf8").startsWith(`round ${round}\n`));
      assert.ok(!existsSync(`${log}.2`));
      if (round < 3) await ok("stop");
    }
    assert.match(await ok("logs"), /^round 3\n(.*\n)* *.*serves address=/);
    assert.equal((await ok("logs", "-n", "2")).trimEnd().split("\n").length, 2);
    const following = spawn(daemon.program, ["logs", "-f", "-n", "0"], { env: daemon.environment });
    let said = "";
    following.stdout.on("data", (bytes) => (said += bytes));
    try {
      // What is written may be there before the follower looks, so write until it was seen.
      await until(() => {
        appendFileSync(log, "first file\n");
        return said.includes("first file");
      }, "the line");
      renameSync(log, `${log}.1`);
      writeFileSync(log, "second file\n");
      await until(() => said.includes("second file\n"), "the line in the new file");
    } finally {
      following.kill();
    }
    await ok("stop");
  }));

test("`search` finds lines in screens and histories, and where they were printed", limit, () =>
  withCommands(async ({ run, ok, refused, api, daemon }) => {
    await api.ok("POST", "/sessions", { name: "work" });
    await ok("new", "-n", "one", "--", "sh", "-c", "seq 1 300 | sed 's/^/apple /'; echo ready; exec cat");
    await ok("new", "-n", "two", "-s", "work", "--cols", "20", "--", "sh", "-c", "echo 'a pear in a line that is wrapped'; echo ready; exec cat");
    for (const name of ["one", "two"]) await ok("wait", name, "--text", "^ready$", "--since", "0");
    const found = await api.ok("GET", "/search?pattern=apple%20(7|200)$");
    assert.deepEqual(found.matches.map(({ name, line, text }) => [name, line, text]), [
      ["one", 7, "apple 7"],
      ["one", 200, "apple 200"],
    ]);
    // The offset is where the line ends: waiting from there finds the next one.
    for (const { offset, text } of found.matches) {
      const next = await api.wait("one", { text: "^apple \\d+$", since: offset + 1 });
      assert.equal(next.line, `apple ${Number(text.slice(6)) + 1}`);
    }
    assert.match(await ok("search", "pear.*wrapped"), /^work:two\t1\t\d+\ta pear in a line that is wrapped\n$/);
    assert.equal((await run("search", "pear", "-s", "main")).code, 1);
    const few = await run("search", "apple", "--limit", "3");
    assert.deepEqual(few.stdout.split("\n").map((line) => line.split("\t")[3]), ["apple 298", "apple 299", "apple 300", undefined]);
    assert.match(few.stderr, /297 more lines match; use --limit/);
    await refused(/cannot use the pattern/, "search", "(");
    await refused(/nothing/, "search", "x", "-s", "nothing");
    await ok("send", "one", "evil \x1b]0;x\x07", "--enter");
    await ok("wait", "one", "--text", "evil", "--since", "0");
    assert.doesNotMatch(await ok("search", "evil"), /\x1b|\x07/);
    const stranger = await another(daemon, "--user", "bob");
    assert.deepEqual((await stranger.api.ok("GET", "/search?pattern=apple")).matches, []);
  }));

test("`capture` makes documents, and shows the screen as it was", limit, () =>
  withCommands(async ({ run, ok, refused, api }) => {
    await ok("new", "-n", "t", "--cols", "30", "--rows", "5", "--", "sh", "-c", "stty -echo; printf '\\033[31mred\\033[m <b>\\n'; exec cat");
    await ok("wait", "t", "--text", "<b>", "--since", "0");
    assert.match(await ok("capture", "t", "--html"), /<span style="color:#cc0000">red<\/span> &lt;b&gt;\n/);
    assert.match(await ok("capture", "t", "--svg"), /^<svg [^>]* width="240" height="85"[^]*>red<\/text>/);
    assert.equal((await run("capture", "t", "--svg", "--html")).code, 2);
    const offsets = [];
    for (const word of ["one", "two", "three"]) {
      const since = await api.send("t", { text: word, enter: true });
      offsets.push((await api.wait("t", { text: `^${word}$`, since })).offset);
      if (word === "two") await ok("resize", "t", "40", "4");
    }
    assert.equal(await ok("capture", "t", "--at", "0"), "");
    assert.equal(await ok("capture", "t", "--at", "8"), "red\n");
    assert.equal(await ok("capture", "t", "--at", String(offsets[0])), "red <b>\none\n");
    assert.equal(await ok("capture", "t", "--at", String(offsets[1])), "red <b>\none\ntwo\n");
    assert.equal((await api.ok("GET", `/terminals/t/capture?at=${offsets[0]}`)).offset, offsets[0]);
    await refused(/the output has not reached offset 999999\. It ends at \d+/, "capture", "t", "--at", "999999");
    const since = await api.send("t", { text: "x", enter: true });
    await api.wait("t", { text: "^x$", since });
    await ok("new", "-n", "flood", "--", "sh", "-c", "seq 200000");
    await ok("wait", "flood", "--exit");
    // The last checkpoints are written once it is quiet; until then that offset moves on.
    const past = await until(async () => {
      const { stderr } = await run("capture", "flood", "--at", "100");
      const [, first] = /the screen at offset 100 is no longer known\. The oldest available offset is (\d+)\./.exec(stderr);
      const { code, stdout } = await run("capture", "flood", "--at", first);
      return code === 0 && stdout;
    }, "a past screen");
    assert.match(past, /\d/);
  }));

test("`resources` lists what extensions hold, and `reload` loads them again", limit, () =>
  withCommands(
    async ({ ok, daemon }) => {
      await ok("run", "main", "/hold");
      assert.match(await ok("resources"), /^main\tholder\tthing\tlive\t\t.*\ta thing\n$/);
      assert.equal(await ok("resources", "--leaked"), "");
      daemon.extension("holder", "export default function () {}\n");
      await ok("reload");
      assert.match(await ok("resources", "--leaked"), /^main\tholder\tthing\torphan\t/);
      assert.equal(JSON.parse(await ok("resources", "--leaked", "--json", "-s", "main")).resources[0].key, "thing");
    },
    {
      extensions: {
        holder: `export default function (pi, session) {
          pi.registerCommand("hold", { handler: () => session.resources.getOrCreate("thing", () => ({}), { close() {}, describe: () => "a thing" }).then(() => "held") });
        }\n`,
      },
    },
  ));

test("`record` writes every byte once, over resizes and a daemon that is killed", limit, () =>
  withCommands(async ({ ok, refused, daemon }) => {
    await ok("new", "-n", "t", "--", "sh", "-c", "stty -echo; echo ready; while read line; do echo got $line; [ $line = end ] && exit; done");
    await ok("wait", "t", "--text", "^ready$", "--since", "0");
    const file = join(daemon.home, "t.cast");
    // It must not start a daemon before the test does.
    const recording = spawn(daemon.program, ["--no-start", "record", "t", file], { env: daemon.environment, stdio: ["ignore", "ignore", "inherit"] });
    const code = new Promise((resolve) => recording.on("exit", resolve));
    const events = () => (existsSync(file) ? readFileSync(file, "utf8").split("\n").slice(1, -1).map((line) => JSON.parse(line)) : []);
    const output = () => events().filter(([, kind]) => kind === "o").map(([, , text]) => text).join("");
    await until(() => output().includes("ready"), "the first picture");
    for (let i = 0; i < 20; ++i) {
      await ok("send", "t", `line-${i}`, "--enter");
      if (i === 5) {
        // A resize before the recorder is back would make it go on with a new picture.
        await until(() => output().includes("got line-5"), "the recorder to be back");
        await ok("resize", "t", "100", "30");
      }
      if (i % 7 === 3) {
        await daemon.kill();
        await daemon.run();
      }
    }
    await until(() => output().includes("got line-19"), "the last line");
    await refused(/t\.cast exists already\. Choose another name/, "record", "t", file);
    const { offset } = JSON.parse(await ok("send", "t", "end", "--enter", "--json"));
    assert.equal(await code, 0);
    const header = JSON.parse(readFileSync(file, "utf8").split("\n")[0]);
    assert.deepEqual([header.version, header.width, header.height, header.title], [2, 80, 24, "main:t"]);
    const got = [...output().matchAll(/got (\S+)/g)].map(([, word]) => word);
    assert.deepEqual(got, [...Array(20).keys()].map((i) => `line-${i}`).concat("end"));
    assert.deepEqual(events().filter(([, kind]) => kind === "r").map(([, , size]) => size), ["100x30"]);
    const times = events().map(([time]) => time);
    assert.deepEqual(times, times.toSorted((a, b) => a - b));
    await refused(/standard input is not a terminal/, "play", file);
    await refused(/there is no terminal "none"/, "record", "none", `${file}2`);
    await ok("record", "t", `${file}3`, "--since", String(offset));
    assert.match(readFileSync(`${file}3`, "utf8"), /^.*\n\[0\.\d+,"o","got end\\r\\n"\]\n$/);
    await refused(/cannot begin at offset 0: that output is no longer there, or the terminal was resized since/, "record", "t", `${file}4`, "--since", "0");
  }));
