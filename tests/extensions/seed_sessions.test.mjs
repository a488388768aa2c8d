// Several sessions in one process: what used to break when extensions kept state on globalThis, and
// how they worked around it.

import assert from "node:assert/strict";
import { test } from "node:test";

import { limit, times, withDaemon } from "./fixture.mjs";

// Clears everyone's callbacks, overwrites the active session, and guesses why it was loaded.
const careless = `
  globalThis.__myCallbacks ??= [];
  export function registerTools(pi, session) {
    const callbacks = globalThis.__myCallbacks;
    callbacks.splice(0);
    callbacks.push((text, ctx) => ctx.ui.notify("callback of " + session.name + ": " + text));
    globalThis.activeSession = session.name;
    globalThis.calls = (globalThis.calls ?? 0) + 1;
    const guess = globalThis.calls > 1 ? "reload" : "creation";
    pi.registerCommand("finish", { handler: (text, ctx) => callbacks.forEach((each) => each(text, ctx)) });
    pi.registerCommand("who", { handler: () => [globalThis.activeSession, session.reason, guess, globalThis.calls].join() });
  }`;

for (const count of [2, 10])
  test(`${count} sessions do not clear, override or mistake each other`, limit, async () => {
    await withDaemon({ careless }, async (_, connect) => {
      const first = await connect();
      const names = Array.from({ length: count }, (_, n) => (n === 0 ? "main" : `s${n}`));
      for (const name of names.slice(1)) await first.ask("session_create", { name, kind: name === "s1" ? "background" : "interactive" });
      const clients = await Promise.all(names.map((name) => connect(name)));
      await Promise.all(clients.map((client) => client.ok("/finish job")));
      await Promise.all(clients.map((client) => client.note(`callback of ${client.session}: job`)));
      for (const client of clients) assert.deepEqual(client.notes, [["info", `callback of ${client.session}: job`]]);
      assert.deepEqual(await Promise.all(clients.map((client) => client.ok("/who"))), names.map((name) => `${name},${name === "main" ? "startup" : "new"},creation,1`));
      await clients[0].ok("/reload");
      assert.equal(await clients[0].ok("/who"), "main,reload,reload,2");
      assert.equal(await clients[1].ok("/who"), "s1,new,creation,1");
      await clients[1].ok("/finish again");
      await clients[1].note("callback of s1: again");
    });
  });

// Tagged callbacks, bridges per session, an entry point flag, and a mark for what is reloading.
const careful = `
  globalThis.tagged ??= [];
  globalThis.bridges ??= new Map();
  globalThis.__singleSession ??= true;
  export function registerTools(pi, session) {
    globalThis.tagged = globalThis.tagged.filter(({ sessionId }) => sessionId !== session.id);
    globalThis.tagged.push({ sessionId: session.id, fn: () => "mine" });
    const again = globalThis.__singleSession && globalThis.bridges.has(session.id);
    globalThis.bridges.set(session.id, { again });
    const marked = globalThis.__reloadBridgeId === session.id;
    globalThis.__reloadBridgeId = undefined;
    pi.on("session_before_reload", () => { globalThis.__reloadBridgeId = session.id; });
    pi.registerCommand("state", { handler: () => JSON.stringify([
      globalThis.tagged.length, globalThis.tagged[0].fn(), globalThis.bridges.size, globalThis.bridges.get(session.id).again, marked]) });
  }`;

test("what extensions did about it before still works", limit, async () => {
  await withDaemon({ careful }, async (_, connect) => {
    const a = await connect();
    await a.ask("session_create", { name: "b" });
    const b = await connect("b");
    for (const client of [a, b]) assert.equal(await client.ok("/state"), '[1,"mine",1,false,false]');
    await a.ok("/reload");
    assert.equal(await a.ok("/state"), '[1,"mine",1,true,true]');
    assert.equal(await b.ok("/state"), '[1,"mine",1,false,false]');
  });
});

test("a reload of one session and the creation of another are told apart", limit, async () => {
  const teller = `
    export default (pi, { name, reason, generation }) => {
      const told = [];
      pi.on("session_start", (event) => told.push(event.reason));
      pi.registerCommand("told", { handler: () => [name, reason, generation, ...told].join() });
    };`;
  await withDaemon({ teller }, async (_, connect) => {
    const client = await connect();
    assert.equal(await client.ok("/told"), "main,startup,1,startup");
    for (let n = 0; n < times(100, 1000); n += 1) {
      const name = `b${n}`;
      // They take turns in going first.
      const reload = () => client.ok("/reload");
      const create = () => client.ask("session_create", { name });
      await Promise.all(n % 2 ? [reload(), create()] : [create(), reload()]);
      assert.equal(await client.ok("/told"), `main,reload,${n + 2},reload`);
      assert.equal(await client.ok("/told", name), `${name},new,1,new`);
      await client.ask("session_close", { name });
    }
  });
});
