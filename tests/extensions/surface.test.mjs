// What extensions show, ask and route, as clients see it.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { Daemon } from "../node/daemon.mjs";
import { limit, median, Native, runners, until, withDaemon } from "./fixture.mjs";

const shower = `
  export default (pi, session) => {
    pi.registerCommand("notify", { handler: (text, ctx) => {
      const [level, ...words] = text.split(" ");
      ctx.ui.notify(words.join(" "), level);
    } });
    pi.registerCommand("many", { handler: (count, ctx) => {
      for (let n = 1; n <= Number(count); n += 1) ctx.ui.notify("number " + n);
    } });
    pi.registerCommand("status", { handler: (text, ctx) => ctx.ui.setStatus("vm", text || undefined) });
    pi.registerCommand("confirm", { handler: async (time, ctx) => JSON.stringify(await ctx.ui.confirm("Sure?", "Really?", time ? { timeout: Number(time) } : {})) });
    pi.registerCommand("select", { handler: async (time, ctx) => JSON.stringify([await ctx.ui.select("Which?", ["a", "b"], time ? { timeout: Number(time) } : {})]) });
    pi.registerCommand("input", { handler: async (time, ctx) => JSON.stringify([await ctx.ui.input("Name?", "a name", time ? { timeout: Number(time) } : {})]) });
    pi.registerCommand("wait", { handler: (_, ctx) => new Promise((resolve) => ctx.signal.addEventListener("abort", () => resolve("cancelled"))) });
    pi.registerCommand("fail", { handler: () => { throw new Error("it does not work"); } });
    pi.registerCommand("hello", { description: "Greets", handler: (args) => "Hello " + (args || session.name) });
    pi.registerCommand("cwd", { handler: async () => process.cwd() + " " + (await pi.exec("pwd")).stdout.trim() });
    pi.on("user_bash", async ({ command, cwd, excludeFromContext }, ctx) => {
      if (command.startsWith("route ")) return { argv: ["sh", "-c", "echo routed: " + command.slice(6)] };
      if (command.startsWith("answer ")) return { result: { output: command + " in " + cwd, exitCode: 7 } };
      if (command === "hang") return new Promise(() => {});
      if (command === "private") return { result: { output: "kept from agents: " + excludeFromContext, exitCode: 0 } };
      if (command === "broken") throw new Error("the handler failed");
    });
    pi.registerTool({
      name: "add",
      description: "Adds",
      parameters: { type: "object", properties: { a: { type: "number" }, b: { type: "number" } }, required: ["a", "b"], additionalProperties: false },
      execute: async (id, { a, b }, signal, onUpdate) => {
        onUpdate?.("adding " + a + " and " + b);
        return { content: [{ type: "text", text: String(a + b) }], details: { sum: a + b } };
      },
    });
    pi.registerTool({ name: "endless", execute: (id, params, signal) => new Promise((_, reject) => signal.addEventListener("abort", () => reject(new Error("was cancelled")))) });
  };`;

let daemon;
const clients = [];
before(async () => {
  daemon = await Daemon.start({ extensions: { shower } });
});
after(async () => {
  for (const client of clients) client.close();
  await daemon?.stop();
});

let number = 0;
// A client that shows its own session.
async function fresh() {
  const name = `s${++number}`;
  const main = await look(null);
  await main.ask("session_create", { name });
  return look(name);
}

async function look(...args) {
  const client = await Native.connect(daemon, ...args);
  clients.push(client);
  return client;
}

test("notifications are shown to all who look; while nobody does the last 50 are kept for the next", limit, async () => {
  const a = await fresh();
  const b = await look(a.session);
  await a.ok("/notify warning careful");
  for (const client of [a, b]) assert.deepEqual(await client.note("careful"), { session: a.session, level: "warning", text: "careful" });
  const elsewhere = await look("main");
  // A client is gone with its connection, even while its command runs.
  a.begin("run", { session: a.session, line: "/wait" });
  await a.ok("/hello");
  a.close();
  b.close();
  await until(() => a.closed && b.closed, "both to be gone");
  await elsewhere.ok("/many 60", a.session);
  const next = await look(a.session);
  await next.note("number 60");
  assert.deepEqual(next.notes, Array.from({ length: 50 }, (_, n) => ["info", `number ${n + 11}`]));
  const later = await look(a.session);
  await later.ok("/notify info new");
  await later.note("new");
  assert.deepEqual(later.notes, [["info", "new"]]);
  assert.deepEqual(elsewhere.notes, []);
});

test("who looks at another session, or at none, or is another user, is shown nothing", limit, async () => {
  const { stdout } = await daemon.shell("token", "new", "--user", "eve");
  const token = stdout.trim().split(/\s+/).at(-1);
  const a = await fresh();
  const others = [await fresh(), await look(null), await look("main", token)];
  const asked = a.run("/confirm");
  const question = await a.event("ui_request");
  assert.equal(question.extension, "shower");
  await a.ok("/status running");
  await a.ok("/notify info secret");
  await assert.rejects(others[2].ask("run", { session: a.session, line: "/hello" }), { code: "not_found" });
  // An answer from anyone else does not count.
  others[2].tell("ui_answer", { id: question.id, value: true });
  await Promise.all(others.map((client) => client.ask("ping")));
  a.tell("ui_answer", { id: question.id, value: false });
  assert.equal((await asked).text, "false");
  for (const other of others) for (const type of ["notify", "ui_request", "status", "ui_closed"]) assert.deepEqual(other.all(type), [], type);
});

test("a question is asked everywhere, the first answer counts, and an answer that does not fit is none", limit, async () => {
  const a = await fresh();
  const b = await look(a.session);
  const asked = a.run("/confirm");
  const question = await b.answer("Sure?", true);
  assert.deepEqual({ ...question, id: "" }, { session: a.session, id: "", extension: "shower", kind: "confirm", title: "Sure?", message: "Really?", timeoutMs: 60_000 });
  a.tell("ui_answer", { id: question.id, value: false });
  assert.equal((await asked).text, "true");
  for (const client of [a, b]) await client.event("ui_closed", ({ id }) => id === question.id);
  for (const [line, title, answer, result] of [
    ["/select", "Which?", "b", '["b"]'],
    ["/select", "Which?", "c", "[null]"],
    ["/select", "Which?", null, "[null]"],
    ["/input", "Name?", "ada", '["ada"]'],
    ["/input", "Name?", null, "[null]"],
    ["/input", "Name?", 7, "[null]"],
    ["/confirm", "Sure?", "yes", "false"],
    ["/confirm", "Sure?", null, "false"],
  ]) {
    b.forget();
    const running = a.run(line);
    await b.answer(title, answer);
    assert.equal((await running).text, result, `${line} ${answer}`);
  }
});

test("a question that nobody answers gets its safe answer", limit, async () => {
  const a = await fresh();
  assert.equal(await a.ok("/confirm 100"), "false");
  assert.equal(await a.ok("/select 100"), "[null]");
  assert.equal(await a.ok("/input 100"), "[null]");
  assert.equal(a.all("ui_closed").length, 3);
  // A client that comes later gets the open questions.
  const asked = a.run("/confirm");
  await a.event("ui_request", ({ timeoutMs }) => timeoutMs === 60_000);
  const b = await look(a.session);
  await b.answer("Sure?", true);
  assert.equal((await asked).text, "true");
});

test("status items are shown, replaced, taken away, and told to who comes later", limit, async () => {
  const a = await fresh();
  await a.ok("/status starting");
  await a.ok("/status running");
  const b = await look(a.session);
  assert.equal((await b.event("status")).text, "running");
  await a.ok("/status");
  await b.event("status", ({ text }) => text === null);
  await a.event("status", ({ text }) => text === null);
  assert.deepEqual(a.all("status").map(({ text }) => text), ["starting", "running", null]);
  const c = await look(a.session);
  await c.ask("ping");
  assert.deepEqual(c.all("status"), []);
});

test("commands are listed, run, fail, and are told when they change", limit, async () => {
  const a = await fresh();
  await a.ok("/hello");
  const { commands } = await a.ask("commands", { session: a.session });
  assert.deepEqual(commands.filter(({ extension }) => extension === "holdfast").map(({ name }) => name), ["help", "reload", "disable", "resources", "cleanup", "new", "switch"]);
  assert.deepEqual(commands.find(({ name }) => name === "hello"), { name: "hello", extension: "shower", description: "Greets" });
  assert.equal(await a.ok("/hello"), `Hello ${a.session}`);
  assert.equal(await a.ok("  /shower   hello  you  "), "Hello you");
  assert.match((await a.run("/fail")).error, /it does not work/);
  assert.match((await a.run("/nothing")).error, /there is no command \/nothing/);
  assert.match((await a.run("hello")).error, /not a command/);
  assert.match(await a.ok("/help"), /\/shower hello\n {4}Greets/);
  a.forget();
  await a.ok("/reload");
  await a.event("commands", ({ commands }) => commands.some(({ name }) => name === "hello"));
});

test("! runs a command in the session's directory, which extensions route or answer", limit, async () => {
  const a = await fresh();
  assert.deepEqual(await a.run("! pwd"), { text: `${daemon.home}\n`, exitCode: 0 });
  assert.deepEqual(await a.run("!echo to stderr >&2; exit 3"), { text: "to stderr\n", exitCode: 3 });
  assert.deepEqual(await a.run("! route there"), { text: "routed: there\n", exitCode: 0 });
  assert.deepEqual(await a.run("! answer this"), { text: `answer this in ${daemon.home}`, exitCode: 7 });
  for (const [line, kept] of [["! private", false], ["!private", false], ["!!private", true], ["!! private", true]])
    assert.equal((await a.run(line)).text, `kept from agents: ${kept}`);
  assert.equal((await a.run("!! echo here")).text, "here\n");
  assert.equal((await a.run(String.raw`! printf 'a\377b\n'`)).text, "a\ufffdb\n");
  // A command never runs here because the extension that routes it has failed.
  const refused = /^shower must decide about this command and gave no answer: /;
  const broken = (await a.run("! broken")).error;
  assert.match(broken, refused);
  assert.match(broken, /the handler failed/);
  // It may take its time. Whoever typed the command can cancel it.
  const hanging = a.begin("run", { session: a.session, line: "! hang" });
  assert.equal(await a.ok("/hello"), `Hello ${a.session}`);
  a.tell("cancel", { request: hanging.request });
  assert.match((await hanging.answer).error, /was cancelled before it ran/);
  assert.equal(await a.ok("/cwd"), `${daemon.home} ${daemon.home}`);
});

test("the progress of a command is told to who asked, in whole lines, and it can be cancelled", limit, async () => {
  const a = await fresh();
  const b = await look(a.session);
  const { request, answer } = a.begin("run", { session: a.session, line: "! echo one; printf tw; sleep 0.1; echo o; exec sleep 600" });
  await a.event("progress", ({ text }) => text.endsWith("two\n"));
  assert.equal(a.all("progress").map(({ text }) => text).join(""), "one\ntwo\n");
  assert.ok(a.all("progress").every((data) => data.request === request && data.text.endsWith("\n")));
  a.tell("cancel", { request });
  assert.match((await answer).error, /was cancelled/);
  assert.deepEqual(b.all("progress"), []);
  const waiting = a.begin("run", { session: a.session, line: "/wait" });
  await a.ok("/hello");
  a.tell("cancel", { request: waiting.request });
  assert.equal((await waiting.answer).text, "cancelled");
});

test("tools are listed, called, checked, tell their progress, and are cancelled", limit, async () => {
  const a = await fresh();
  await a.ok("/hello");
  const { tools } = await a.ask("tools", { session: a.session });
  assert.deepEqual(tools.map(({ name, extension, description }) => [name, extension, description]), [["add", "shower", "Adds"], ["endless", "shower", undefined]]);
  assert.deepEqual(tools[0].parameters.required, ["a", "b"]);
  const call = a.begin("tool", { session: a.session, name: "add", arguments: { a: 2, b: 3 } });
  assert.deepEqual(await call.answer, { content: [{ type: "text", text: "5" }], details: { sum: 5 } });
  assert.deepEqual(await a.event("progress"), { request: call.request, text: "adding 2 and 3" });
  for (const input of [{ a: 2 }, { a: 2, b: "3" }, { a: 1, b: 2, c: 3 }, null, []])
    await assert.rejects(a.ask("tool", { session: a.session, name: "add", arguments: input }), { code: "invalid_argument" }, JSON.stringify(input));
  await assert.rejects(a.ask("tool", { session: a.session, name: "none", arguments: {} }), { code: "not_found" });
  const endless = a.begin("tool", { session: a.session, name: "endless", arguments: {} });
  await a.ok("/hello");
  a.tell("cancel", { request: endless.request });
  await assert.rejects(endless.answer, /was cancelled/);
});

test("a command's answer takes about a millisecond", limit, async (t) => {
  const a = await fresh();
  const measure = async (line, count) => {
    const taken = [];
    for (let n = 0; n < count; n += 1) {
      const began = performance.now();
      await a.ok(line);
      taken.push(performance.now() - began);
    }
    return median(taken);
  };
  await measure("/hello", 50);
  t.diagnostic(`command round trip p50 ${(await measure("/hello", 300)).toFixed(2)} ms, reload p50 ${(await measure("/reload", 50)).toFixed(2)} ms`);
});

test("holdfast run is the command bar for shells", limit, async () => {
  await withDaemon({ shower }, async (daemon) => {
    assert.deepEqual(await daemon.shell("run", "main", "/hello you"), { code: 0, stdout: "Hello you\n", stderr: "" });
    assert.deepEqual(await daemon.shell("run", "main", "! echo one; echo two; exit 5"), { code: 5, stdout: "one\ntwo\n", stderr: "" });
    assert.deepEqual(await daemon.shell("run", "main", "/notify success done"), { code: 0, stdout: "", stderr: "success: done\n" });
    assert.deepEqual(await daemon.shell("run", "main", "/confirm 200"), { code: 0, stdout: "false\n", stderr: "" });
    const failed = await daemon.shell("run", "main", "/fail");
    assert.equal(failed.code, 1);
    assert.match(failed.stderr, /it does not work/);
    const unknown = await daemon.shell("run", "nowhere", "/hello");
    assert.equal(unknown.code, 1);
    assert.match(unknown.stderr, /there is no session nowhere/);
    await daemon.kill("SIGTERM");
    // The keeper holds the socket, so the daemon's answer is missing. Without a keeper there is no
    // socket at all.
    await daemon.killKeeper();
    const alone = await daemon.shell("--no-start", "run", "main", "/hello");
    assert.equal(alone.code, 1);
    assert.match(alone.stderr, /no daemon is running at .*daemon\.sock/);
  });
});

test("with isolation = process a session has a runner of its own, which ends with it", limit, async () => {
  await withDaemon(
    { shower },
    async (daemon, connect) => {
      const main = await connect();
      await main.ok("/hello");
      assert.equal(runners(daemon).length, 1);
      await main.ask("session_create", { name: "b" });
      assert.equal(await main.ok("/hello", "b"), "Hello b");
      assert.equal(runners(daemon).length, 2);
      await daemon.kill();
      await daemon.run();
      const again = await connect();
      assert.equal(await again.ok("/hello", "b"), "Hello b");
      assert.equal(runners(daemon).length, 2);
      await again.ask("session_close", { name: "b" });
      await until(() => runners(daemon).length === 1, "its runner to end");
      assert.equal(await again.ok("/hello"), "Hello main");
    },
    { args: ["--extension-isolation", "process"] },
  );
});

test("without Node everything else works, and /help says what to install", limit, async () => {
  await withDaemon(
    { shower },
    async (_, connect) => {
      const client = await connect();
      assert.match(await client.ok("/help"), /shower \(not running\)\n {4}.*Install Node 22/s);
      assert.match((await client.run("/hello")).error, /there is no command|are not running/);
      assert.match((await client.run("/reload")).error, /Install Node 22/);
      assert.equal((await client.run("! echo works")).text, "works\n");
      await client.ask("create", { terminalId: "t1" });
      assert.deepEqual(await client.ask("session_create", { name: "b" }).then(({ session }) => session.name), "b");
    },
    { args: ["--node", "/nonexistent/node"] },
  );
});
