// Limits on extensions: log floods, sockets in the session's directory, and cancelled commands.

import assert from "node:assert/strict";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { test } from "node:test";

import { limit, logged, until, withDaemon } from "./fixture.mjs";

const talker = `
  export default (pi) => {
    const text = "x".repeat(200);
    pi.registerCommand("burst", { handler: () => { for (let n = 0; n < 300_000; n += 1) console.log(n, text); } });
    pi.registerCommand("stream", { handler: async () => {
      for (let n = 0; n < 2000; n += 1) {
        for (let m = 0; m < 50; m += 1) process.stdout.write(n + text + "\\n");
        if (n % 10 === 0) await new Promise((resolve) => setTimeout(resolve, 1));
      }
    } });
    pi.registerCommand("loop", { handler: () => { for (;;) console.error(text); } });
    pi.registerCommand("program", { handler: async () => {
      const { spawnSync } = await import("node:child_process");
      spawnSync("sh", ["-c", "head -c 50000000 /dev/zero | tr '\\\\0' y"], { stdio: "inherit" });
    } });
    pi.registerCommand("long", { handler: () => { console.log("begin" + "z".repeat(1e6)); } });
    pi.registerCommand("say", { handler: (text) => { console.log(text); } });
    pi.registerCommand("hello", { handler: () => "hello" });
  };`;

const memory = (pid) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))[1]) / 1024;

for (const line of ["/burst", "/stream", "/loop", "/program"])
  test(`${line} floods the log: it is bounded, its user is told, and others keep answering`, limit, async () => {
    await withDaemon({ talker }, async (daemon, connect) => {
      const client = await connect();
      await client.ask("session_create", { name: "b" });
      await client.ok("/hello", "b");
      const before = { memory: memory(daemon.pid), said: daemon.said.length };
      let going = true;
      const asking = (async () => {
        let slowest = 0;
        while (going) {
          const began = performance.now();
          await client.ok("/hello", "b");
          slowest = Math.max(slowest, performance.now() - began);
          await new Promise((resolve) => setTimeout(resolve, 5));
        }
        return slowest;
      })();
      await client.run(line);
      if (line !== "/program") await client.note(/^talker: more than 20 log lines a second; dropping the rest$/);
      going = false;
      const slowest = await asking;
      assert.ok(slowest < 500, `the slowest answer took ${slowest} ms`);
      assert.ok(daemon.said.length - before.said < 2_000_000, `the daemon wrote ${daemon.said.length - before.said} bytes`);
      assert.ok(memory(daemon.pid) - before.memory < 50, `the daemon grew from ${before.memory} to ${memory(daemon.pid)} MiB`);
      assert.ok(logged(daemon, "talker").length < 3000);
    }, { args: ["--extension-stuck-after", "2"] });
  });

test("how many lines were left out is told, and what is said later is written again", limit, async () => {
  await withDaemon({ talker }, async (daemon, connect) => {
    const client = await connect();
    await client.ok("/long");
    await client.ok("/burst");
    const { text } = await client.note(/^talker: \d+ log lines were dropped$/, 20_000);
    const leftOut = Number(/\d+/.exec(text)[0]);
    assert.ok(leftOut > 295_000 && leftOut < 300_000, text);
    await until(async () => {
      await client.ok("/say afterwards");
      return logged(daemon, "talker").some(([, , detail]) => detail === "afterwards");
    }, "what is said later to be written");
    assert.ok(logged(daemon, "talker").some(([, , detail]) => /^beginz{4000,4100}/.test(detail)), "a long line is cut");
  });
});

const sockets = `
  import http from "node:http";
  import net from "node:net";
  import { once } from "node:events";
  const ask = async (...target) => {
    const socket = net.connect(...target);
    let text = "";
    for await (const chunk of socket) text += chunk;
    return text;
  };
  export default (pi) => pi.registerCommand("sockets", { handler: async () => {
    const answers = [];
    for (const target of ["plain.sock", { path: "option.sock" }, "./under/../dotted.sock", process.cwd() + "/absolute.sock", "\\0abstract-" + process.pid, { port: 0, host: "127.0.0.1" }]) {
      const server = net.createServer((socket) => socket.end("here"));
      server.listen(target);
      await once(server, "listening");
      const address = typeof target === "object" && "port" in target ? server.address().port : target;
      answers.push(await ask(address), await new net.Socket().connect(address).setEncoding("utf8").toArray().then((all) => all.join("")));
      if (typeof server.address() === "string") answers.push(server.address().replace(process.cwd(), "."));
      server.close();
    }
    const web = http.createServer((_, response) => response.end("web"));
    web.listen("web.sock");
    await once(web, "listening");
    const [response] = await once(http.get({ socketPath: "web.sock", path: "/" }), "response");
    answers.push((await response.setEncoding("utf8").toArray()).join(""));
    web.closeAllConnections();
    web.close();
    return JSON.stringify(answers);
  } });`;

test("relative paths of sockets are those of the session's directory", limit, async () => {
  await withDaemon({ sockets }, async (daemon, connect) => {
    const client = await connect();
    const answers = JSON.parse(await client.ok("/sockets"));
    const path = (name) => ["here", "here", `./${name}.sock`];
    assert.deepEqual(answers.map((each) => each.replace(/^\0.*/, "abstract")), [...path("plain"), ...path("option"), ...path("dotted"), ...path("absolute"), "here", "here", "abstract", "here", "here", "web"]);
  });
});

const router = `
  export default (pi) => {
    pi.on("user_bash", async ({ command }, ctx) => {
      if (/ask/.test(command)) return (await ctx.ui.confirm("Run it?")) ? undefined : { result: { output: "refused", exitCode: 1 } };
      if (!/slow/.test(command)) return;
      ctx.ui.notify("deciding");
      ctx.signal.addEventListener("abort", () => ctx.ui.notify("heard of it"));
      await new Promise((resolve) => { globalThis.decide = resolve; });
      ctx.ui.notify("decided");
    });
    pi.registerCommand("decide", { handler: () => globalThis.decide() });
    pi.on("user_bash", ({ command }, ctx) => { if (/slow/.test(command)) ctx.ui.notify("the second was asked"); });
  };`;

test("a shell command that is cancelled while extensions decide is not run, and its asker is told at once", limit, async () => {
  await withDaemon({ router }, async (daemon, connect) => {
    const client = await connect();
    const file = `${daemon.home}/ran`;
    const { request, answer } = client.begin("run", { session: "main", line: `! touch ${file} # slow` });
    await client.note("deciding");
    const began = performance.now();
    client.tell("cancel", { request });
    assert.match((await answer).error, /the command was cancelled before it ran/);
    assert.ok(performance.now() - began < 1000);
    await client.note("heard of it");
    // Once the handler has ended, another command goes through the same handlers.
    await client.ok("/decide");
    await client.note("decided");
    assert.equal((await client.run("! echo another")).text, "another\n");
    assert.ok(!existsSync(file));
    assert.ok(!client.notes.some(([, text]) => text === "the second was asked" || /took too long/.test(text)));
    assert.equal((await client.run(`! touch ${file}; echo ran`)).text, "ran\n");
    rmSync(file);
  });
});

test("a question about a shell command that is cancelled is taken back", limit, async () => {
  await withDaemon({ router }, async (daemon, connect) => {
    const client = await connect();
    const file = `${daemon.home}/ran`;
    const { request, answer } = client.begin("run", { session: "main", line: `! touch ${file} # ask` });
    const { id } = await client.event("ui_request", ({ title }) => title === "Run it?");
    client.tell("cancel", { request });
    assert.match((await answer).error, /cancelled before it ran/);
    await client.event("ui_closed", (data) => data.id === id);
    assert.ok(!existsSync(file));
  });
});

test("cancelling what runs, after extensions have decided, ends it as before", limit, async () => {
  await withDaemon({ router }, async (daemon, connect) => {
    const client = await connect();
    const { request, answer } = client.begin("run", { session: "main", line: "! echo begun; exec sleep 600" });
    await client.event("progress");
    client.tell("cancel", { request });
    assert.match((await answer).error, /the command was cancelled$/);
  });
});
