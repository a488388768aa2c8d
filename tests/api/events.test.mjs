// Events tell all that happens, once, whatever is cut or killed.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { test } from "node:test";

import { Native } from "../node/native.mjs";
import { another, limit, numbers, times, until, withApi } from "./fixture.mjs";

// A client that goes on after the last event, as EventSource does.
class Events {
  all = [];
  last;
  connections = 0;
  ended = false;
  #daemon;
  #token;
  #query;
  #cut = new AbortController();
  #stopped = false;

  static follow(daemon, { token = daemon.token, last, query = "" } = {}) {
    const events = new Events();
    events.#daemon = daemon;
    events.#token = token;
    events.#query = query;
    events.last = last;
    events.done = events.#run();
    return events;
  }

  async #run() {
    while (!this.#stopped && !this.ended) {
      this.#cut = new AbortController();
      try {
        await this.#read();
      } catch {
        // Cut, or no daemon is there.
      }
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  async #read() {
    const headers = { Authorization: `Bearer ${this.#token}`, ...(this.last && { "Last-Event-ID": this.last }) };
    const response = await fetch(`${this.#daemon.address}/api/v1/events${this.#query}`, { headers, signal: this.#cut.signal });
    if (response.status !== 200) {
      this.ended = response.status === 401 || response.status === 403;
      return;
    }
    assert.equal(response.headers.get("content-type"), "text/event-stream");
    this.connections += 1;
    let text = "";
    for await (const piece of response.body) {
      text += Buffer.from(piece).toString();
      for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
        this.#received(text.slice(0, end));
        text = text.slice(end + 2);
      }
    }
    if (this.#query.includes("follow=false")) this.ended = true;
  }

  #received(block) {
    const fields = Object.fromEntries(block.split("\n").map((line) => line.split(/: (.*)/s)));
    if (fields.id) this.last = fields.id;
    if (fields.event) this.all.push({ id: fields.id, type: fields.event, ...JSON.parse(fields.data) });
  }

  cut() {
    this.#cut.abort();
  }

  async stop() {
    this.#stopped = true;
    this.cut();
    await this.done;
  }

  types(from = 0) {
    return this.all.slice(from).map(({ type }) => type);
  }

  event(type, fits = () => true) {
    return until(() => this.all.find((each) => each.type === type && fits(each)), () => `${type} among ${JSON.stringify(this.types())}`);
  }
}

async function restart(daemon) {
  await daemon.kill();
  await daemon.run();
}

const create = (api, terminalId, command = ["cat"]) => api.ok("POST", "/terminals", { terminalId, command });

test("everything that happens is told", limit, () =>
  withApi(async (api, daemon) => {
    const events = Events.follow(daemon);
    const reset = await events.event("reset");
    assert.deepEqual(reset.terminals, []);
    assert.deepEqual(reset.sessions, [{ name: "main" }]);
    await api.ok("POST", "/terminals", { terminalId: "t", name: "one", command: ["sh", "-c", "read x; printf '\\033]0;busy\\007'; read x; exit 3"] });
    await api.ok("PATCH", "/terminals/t", { name: "two" });
    await api.ok("POST", "/terminals/t/resize", { rows: 10, cols: 40 });
    await api.send("t", { enter: true });
    await events.event("terminal_titled");
    const viewer = await Native.connect(daemon, null);
    await viewer.ask("attach", { terminalId: "t" });
    viewer.close();
    await events.event("terminal_orphaned");
    await api.send("t", { enter: true });
    await events.event("terminal_exited");
    await api.ok("DELETE", "/terminals/t");
    await api.ok("POST", "/sessions", { name: "a" });
    await api.ok("PATCH", "/sessions/a", { name: "b" });
    await api.ok("DELETE", "/sessions/b");
    await events.event("session_closed");
    assert.deepEqual(events.types(), ["reset", "terminal_created", "terminal_renamed", "terminal_resized", "terminal_titled", "terminal_attached", "terminal_orphaned", "terminal_exited", "terminal_closed", "session_created", "session_renamed", "session_closed"]);
    const of = (type) => events.all.find((each) => each.type === type);
    assert.deepEqual(of("terminal_created").terminal, { terminalId: "t", session: "main", name: "one", status: "running", rows: 24, cols: 80, attached: false, state: "running" });
    assert.equal(of("terminal_renamed").terminal.name, "two");
    assert.deepEqual([of("terminal_resized").terminal.rows, of("terminal_resized").terminal.cols], [10, 40]);
    assert.equal(of("terminal_titled").terminal.title, "busy");
    assert.deepEqual([of("terminal_attached").terminal.attached, of("terminal_orphaned").terminal.attached], [true, false]);
    assert.deepEqual([of("terminal_exited").terminal.status, of("terminal_exited").terminal.exitCode], ["exited", 3]);
    assert.equal(of("terminal_closed").reason, "user_requested");
    assert.deepEqual([of("session_renamed").oldName, of("session_renamed").name], ["a", "b"]);
    await events.stop();
  }));

test("who resumes is told what he missed, or to start over", limit, () =>
  withApi(async (api, daemon) => {
    const first = Events.follow(daemon);
    await first.event("reset");
    await create(api, "a");
    await first.event("terminal_created");
    await first.stop();
    await create(api, "b");
    await api.ok("DELETE", "/terminals/a");
    await restart(daemon);

    const second = Events.follow(daemon, { last: first.last });
    await second.event("terminal_closed");
    assert.deepEqual(second.types(), ["terminal_created", "terminal_closed"]);
    await second.stop();
    for (const last of ["nonsense", "0000000000000000-1", `${first.last}0`, `${first.last.split("-")[0]}-x`, "x".repeat(5000)]) {
      const other = Events.follow(daemon, { last });
      const reset = await other.event("reset");
      assert.deepEqual(reset.terminals.map(({ terminalId }) => terminalId), ["b"], last);
      await other.stop();
    }
  }));

// What ends while no daemon is there, and what one that died did not tell.
test("what happened while no daemon was there is told by the next", limit, () =>
  withApi(async (api, daemon) => {
    await create(api, "t", ["sh", "-c", "read x; exit 4"]);
    const events = Events.follow(daemon);
    await events.event("reset");
    const body = { text: "x", enter: true, idempotencyKey: "k" };
    // The program reads it at once, or when the next daemon types it.
    const sending = api.raw("POST", "/terminals/t/send", body).catch(() => {});
    await restart(daemon);
    await sending;
    await api.send("t", body);
    const exited = await events.event("terminal_exited");
    assert.equal(exited.terminal.exitCode, 4);
    assert.deepEqual(events.types(), ["reset", "terminal_exited"]);
    await events.stop();
  }));

test("a user is told of his own only, as long as he may", limit, () =>
  withApi(async (api, daemon) => {
    const token = (await daemon.shell("token", "new", "--user", "somebody")).stdout.trim();
    const { api: other } = await another(daemon, "--user", "somebody");
    const events = Events.follow(daemon, { token });
    await events.event("reset");
    await create(api, "mine");
    await create(other, "theirs");
    await events.event("terminal_created");
    assert.deepEqual(events.all.filter(({ terminal }) => terminal).map(({ terminal }) => terminal.terminalId), ["theirs"]);
    for (const line of (await daemon.shell("token", "list")).stdout.split("\n")) if (/somebody/.test(line)) await daemon.shell("token", "revoke", line.split("\t")[0]);
    const end = await events.event("end");
    assert.equal(end.code, "permission_denied");
    await until(() => events.ended, "no more to be let in");
    await events.stop();
  }));

// A client that applies events to the list it has must always end up with the list there is. The
// events of each terminal must come in their order, each once.
test("over kills and cuts, none is missed and none comes twice", { timeout: 600_000 }, () =>
  withApi(async (api, daemon) => {
    const events = Events.follow(daemon);
    await events.event("reset");
    const next = numbers(3);
    const count = times(200, 2000);
    const again = async (method, target, body) => {
      for (;;) {
        const answer = await api.raw(method, target, body).catch(() => undefined);
        if (answer && answer.status !== 503) return answer;
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    };
    let done = false;
    const trouble = (async () => {
      while (!done) {
        await new Promise((resolve) => setTimeout(resolve, 20 + next(150)));
        if (next(3) === 0) await restart(daemon);
        else events.cut();
      }
    })();
    const living = new Map();
    for (let i = 0; i < count; i += 1) {
      const id = `t${next(5)}`;
      if (!living.has(id)) await again("POST", "/terminals", { terminalId: id, name: `n${i}`, command: ["cat"] });
      else if (next(3) === 0) await again("DELETE", `/terminals/${id}`);
      else await again("PATCH", `/terminals/${id}`, { name: `n${i}` });
      living.clear();
      for (const { terminalId, name } of (await again("GET", "/terminals")).body.terminals) living.set(terminalId, name);
    }
    done = true;
    await trouble;
    const marked = await api.ok("POST", "/sessions", { name: "the-end" });
    await events.event("session_created", ({ name }) => name === marked.name);
    await events.stop();

    assert.deepEqual(events.types().filter((type) => type === "reset"), ["reset"], "it never had to start over");
    const ids = events.all.filter(({ id }) => id).map(({ id }) => id);
    assert.equal(new Set(ids).size, ids.length, "none came twice");
    const told = ids.map((id) => Number(id.split("-")[1]));
    assert.deepEqual(told, told.toSorted((a, b) => a - b));
    assert.equal(told.at(-1) - told[0] + 1, told.length, "none is missing");
    const shown = new Map();
    for (const { type, terminal } of events.all) {
      if (!terminal) continue;
      if (type === "terminal_created") assert.ok(!shown.has(terminal.terminalId), `${terminal.terminalId} was created twice`);
      else assert.ok(shown.has(terminal.terminalId), `${type} of ${terminal.terminalId}, which was not created`);
      if (type === "terminal_closed") shown.delete(terminal.terminalId);
      else shown.set(terminal.terminalId, terminal.name);
    }
    const now = (await api.ok("GET", "/terminals")).terminals.map(({ terminalId, name }) => [terminalId, name]);
    assert.deepEqual([...shown].sort(), now.sort());
    assert.ok(events.connections > 3, `${events.connections} connections`);
  }));

test("who falls behind starts over, and holds up nobody", limit, () =>
  withApi(async (api, daemon) => {
    const events = Events.follow(daemon);
    const reset = await events.event("reset");
    await events.stop();
    await create(api, "t");
    for (let i = 0; i < 2100; i += 1) await api.ok("PATCH", "/terminals/t", { name: `n${i}` });
    const late = Events.follow(daemon, { last: reset.id });
    assert.equal((await late.event("reset")).terminals[0].name, "n2099");
    await late.stop();
    const past = Events.follow(daemon, { query: "?past=true&follow=false" });
    await past.done;
    assert.equal(past.all.length, 2000);
    assert.equal(past.all.at(-1).terminal.name, "n2099");
    // Also in the file that the next daemon reads.
    await restart(daemon);
    const again = Events.follow(daemon, { last: late.last });
    await create(api, "u");
    await again.event("terminal_created");
    assert.deepEqual(again.types(), ["terminal_created"]);
    await again.stop();
  }));

test("by commands", limit, () =>
  withApi(async (api, daemon) => {
    await create(api, "t");
    await api.ok("PATCH", "/terminals/t", { name: "a\x1b]0;x\x07b" });
    const { code, stdout } = await daemon.shell("events");
    assert.equal(code, 0);
    assert.match(stdout, /^\d{4}-.*Z\tsession_created\t\tmain\n.*\tterminal_created\tt\tmain\n.*\tterminal_renamed\tt\tmain:a/);
    assert.doesNotMatch(stdout, /\x1b|\x07/);
    const lines = (await daemon.shell("events", "--json")).stdout.trim().split("\n").map((line) => JSON.parse(line));
    assert.deepEqual(lines.map(({ type }) => type), ["session_created", "terminal_created", "terminal_renamed"]);

    // Both go on when the daemon was killed. They must not start one before the test does.
    const follow = spawn(daemon.program, ["--no-start", "events", "--follow", "--json"], { env: daemon.environment });
    const watch = spawn(daemon.program, ["--no-start", "ls", "--watch"], { env: daemon.environment });
    let followed = "";
    let watched = "";
    follow.stdout.on("data", (bytes) => (followed += bytes));
    watch.stdout.on("data", (bytes) => (watched += bytes));
    try {
      await until(() => /terminal_renamed/.test(followed) && /^t\t/m.test(watched), () => `the past: ${followed} ${watched}`);
      await restart(daemon);
      await create(api, "u");
      await until(() => /"terminalId":"u"/.test(followed) && /^u\t/m.test(watched), () => `what comes: ${followed} ${watched}`);
      const told = followed.trim().split("\n").map((line) => JSON.parse(line).type);
      assert.deepEqual(told, ["session_created", "terminal_created", "terminal_renamed", "terminal_created"]);
    } finally {
      follow.kill();
      watch.kill();
    }
  }));
