// What terminals do: it is told to everybody, and outlives the daemon.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Native } from "../node/native.mjs";
import { limit, until, withApi, withCommands } from "./fixture.mjs";

const stateOf = async (api, id = "t") => (await api.ok("GET", `/terminals/${id}`)).state;
const becomes = (api, kind, id) => until(async () => (await stateOf(api, id)).kind === kind, `the state ${kind}`);
// A person at a page of their own.
async function person(daemon, id = "t") {
  const client = await Native.connect(daemon, null);
  const { channel } = await client.ask("attach", { terminalId: id });
  const told = (kind) => client.event("changed", ({ terminalId, state }) => terminalId === id && state.kind === kind);
  return { client, type: (text) => client.type(channel, text), told };
}
// Kills the daemon, and starts another one.
async function killed(daemon) {
  await daemon.kill();
  await daemon.run();
}
async function upgraded(daemon) {
  const { code, stderr } = await daemon.shell("upgrade");
  assert.equal(code, 0, stderr);
}

// Runs `use` with a terminal whose shell marks its commands.
const withBash = (use) =>
  withApi(async (api, daemon) => {
    await api.ok("POST", "/terminals", { terminalId: "t", command: ["bash"] });
    await becomes(api, "prompt");
    await use(api, daemon);
  });

test("a command runs, fails and succeeds, and everybody is told", limit, () =>
  withBash(async (api, daemon) => {
    const watcher = await Native.connect(daemon, null);
    const { client, type, told } = await person(daemon);
    type("read x; false\r");
    await told("running");
    const running = await stateOf(api);
    assert.equal(running.command, "read x; false");
    assert.ok(Math.abs(Date.now() - Date.parse(running.since)) < 60_000);
    await killed(daemon);
    assert.deepEqual(await stateOf(api), running);
    const again = await person(daemon);
    const after = await Native.connect(daemon, null);
    again.type("\r");
    await becomes(api, "failed");
    assert.equal((await stateOf(api)).exitCode, 1);
    // Several changes within a moment are sent as one, and the upgrade ends the connection.
    const hears = (each, kind) => each.events.some(({ type, data }) => type === "changed" && data.terminalId === "t" && data.state.kind === kind);
    assert.ok(hears(watcher, "running"));
    await until(() => hears(after, "failed"), "everybody to be told");
    await upgraded(daemon);
    assert.equal((await stateOf(api)).kind, "failed");
    (await person(daemon)).type("true\r");
    await becomes(api, "succeeded");
    assert.equal((await stateOf(api)).exitCode, 0);
    client.close();
  }));

test("who types answers what waits, also for the next daemon", limit, () =>
  withBash(async (api, daemon) => {
    const { type, told } = await person(daemon);
    type("printf '\\e]9;May I?\\a'; read x; read y\r");
    await told("waiting");
    const waiting = await stateOf(api);
    assert.equal(waiting.text, "May I?");
    await killed(daemon);
    assert.deepEqual(await stateOf(api), waiting);
    const next = await person(daemon);
    next.type("yes\r");
    await next.told("running");
    await killed(daemon);
    assert.equal((await stateOf(api)).kind, "running");
  }));

test("a program says what it does with `holdfast notify`", limit, () =>
  withCommands(async ({ ok, refused, api, daemon }) => {
    await ok("new", "--name", "t", "--", "bash");
    await becomes(api, "prompt");
    (await person(daemon, (await api.ok("GET", "/terminals/t")).terminalId)).type("read x\r");
    await becomes(api, "running");
    await ok("notify", "--terminal", "t", "--state", "blocked", "May I delete it?");
    await killed(daemon);
    const { kind, text, command } = await stateOf(api);
    assert.deepEqual({ kind, text, command }, { kind: "waiting", text: "May I delete it?", command: "read x" });
    await ok("notify", "--terminal", "t", "--state", "working", "--progress", "40");
    await upgraded(daemon);
    assert.equal((await stateOf(api)).progress, 40);
    await ok("notify", "--terminal", "t", "--state", "done", "All tests pass");
    assert.equal((await stateOf(api)).kind, "succeeded");
    await refused(/there is no state lazy/, "notify", "--terminal", "t", "--state", "lazy");
    await refused(/nothing to tell/, "notify", "--terminal", "t");
    await refused(/inside of one/, "notify", "hello");
  }));

test("without marks, the kernel says what runs", limit, () =>
  withApi(async (api, daemon) => {
    await api.ok("POST", "/terminals", { terminalId: "t", command: ["sh"] });
    await becomes(api, "prompt");
    const { type, told } = await person(daemon);
    type("sleep 300\r");
    await told("running");
    const running = await stateOf(api);
    assert.equal(running.command, "sleep");
    await killed(daemon);
    assert.deepEqual(await stateOf(api), running);
    (await person(daemon)).type("\x03");
    await becomes(api, "prompt");
  }));

test("an exit is the last state, and events tell of all of them", limit, () =>
  withBash(async (api, daemon) => {
    const { type, told } = await person(daemon);
    type("read x; exit 3\r");
    await told("running");
    type("\r");
    await told("exited");
    const exited = await stateOf(api);
    assert.equal(exited.exitCode, 3);
    await killed(daemon);
    assert.deepEqual(await stateOf(api), exited);
    const { stdout } = await daemon.shell("events", "--json");
    const events = stdout.trim().split("\n").map((line) => JSON.parse(line));
    const states = events.filter(({ type }) => type === "terminal_changed").map(({ terminal }) => terminal.state);
    assert.ok(states.includes("running"), stdout);
    assert.equal(events.at(-1).terminal.state, "exited");
  }));
