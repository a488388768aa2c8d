// Input with an idempotency key is typed once, whatever is cut or killed while it is sent.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { limit, numbers, times, until, withApi } from "./fixture.mjs";

// A program that logs what it reads, more slowly than it can be sent.
const logging = (file) => [
  process.execPath,
  "-e",
  `const fs = require("node:fs");
   process.stdin.setRawMode(true);
   process.stdout.write("ready");
   const pause = new Int32Array(new SharedArrayBuffer(4));
   const bytes = Buffer.alloc(2000);
   for (;;) {
     let size = 0;
     try { size = fs.readSync(0, bytes); } catch (error) { if (error.code !== "EAGAIN") throw error; }
     fs.appendFileSync(${JSON.stringify(file)}, bytes.subarray(0, size));
     Atomics.wait(pause, 0, 0, 1);
   }`,
];

async function withLogging(use) {
  await withApi(async (api, daemon) => {
    const file = join(daemon.home, "typed");
    await api.ok("POST", "/terminals", { terminalId: "t", command: logging(file) });
    await api.wait("t", { text: "ready", since: 0 });
    await use(api, daemon, () => readFileSync(file, "utf8"));
  });
}

test("a repeated send answers as the first did, and types nothing", limit, () =>
  withLogging(async (api, daemon, typed) => {
    const body = { text: "once,", idempotencyKey: "one" };
    const offset = await api.send("t", body);
    assert.equal(await api.send("t", body), offset);
    await daemon.kill();
    await daemon.run();
    assert.equal(await api.send("t", body), offset);
    await api.send("t", { text: "end", idempotencyKey: "two" });
    await until(() => typed() === "once,end", () => `once, and not: ${typed()}`);

    for (const other of [{ text: "other" }, { paste: "once," }, { text: "once,", enter: true }]) {
      const refused = await api.call("POST", "/terminals/t/send", { ...other, idempotencyKey: "one" });
      assert.equal(refused.status, 422, refused.text);
      assert.equal(refused.body.code, "mismatch");
    }
    const large = await api.call("POST", "/terminals/t/send", { text: "x".repeat(40_000), idempotencyKey: "three" });
    assert.deepEqual([large.status, large.body.code], [400, "invalid_argument"]);
    assert.match(large.body.detail, /limited to 32768 bytes.*Send it in pieces/);
    assert.equal(typed(), "once,end");
  }));

test("also if its program has ended since", limit, () =>
  withApi(async (api, daemon) => {
    await api.ok("POST", "/terminals", { terminalId: "t", command: ["sh", "-c", "read line"] });
    const body = { text: "x", enter: true, idempotencyKey: "one" };
    const offset = await api.send("t", body);
    await api.wait("t", { exit: true, since: 0 });
    assert.equal(await api.send("t", body), offset);
    await daemon.kill();
    await daemon.run();
    assert.equal(await api.send("t", body), offset);
    assert.equal((await api.call("POST", "/terminals/t/send", { text: "x", idempotencyKey: "two" })).status, 409);
  }));

// Several programs send one input after the other, each until it was answered. Connections are cut
// and the daemon is killed at any moment meanwhile.
test("whatever is cut or killed, each input is typed once", { timeout: 600_000 }, () =>
  withLogging(async (api, daemon, typed) => {
    const count = times(100, 1000);
    const next = numbers(7);
    const expected = [];
    let sent = 0;
    let repeated = 0;
    async function sendNext() {
      const id = sent++;
      const text = `<${id}:${"x".repeat(next(8) === 0 ? next(20_000) : next(200))}>`;
      expected.push(text);
      let offset;
      for (;;) {
        const cut = new AbortController();
        if (next(4) === 0) setTimeout(() => cut.abort(), next(4));
        const answer = await api.raw("POST", "/terminals/t/send", { text, idempotencyKey: `key ${id}` }, {}, cut.signal).catch(() => undefined);
        // 429: too much of it waits for the program.
        assert.ok(!answer || [200, 429, 503].includes(answer.status), answer?.text);
        if (answer?.status === 200) {
          assert.ok(offset === undefined || offset === answer.body.offset);
          offset = answer.body.offset;
          if (next(3) > 0) return;
        }
        repeated += 1;
        await new Promise((resolve) => setTimeout(resolve, 1 + next(10)));
      }
    }
    const sender = async () => {
      while (sent < count) await sendNext();
    };
    let done = false;
    let kills = 0;
    const killer = async () => {
      while (!done) {
        await new Promise((resolve) => setTimeout(resolve, next(200)));
        await daemon.kill();
        await daemon.run();
        kills += 1;
      }
    };
    const killing = killer();
    await Promise.all([sender(), sender(), sender(), sender()]);
    done = true;
    await killing;
    const size = expected.reduce((sum, text) => sum + text.length, 0);
    await until(() => typed().length >= size, () => `${size} bytes, not ${typed().length}`, 60_000);
    await api.send("t", { text: "end" });
    await until(() => typed().endsWith("end"), "the end");
    const found = typed().slice(0, -3);
    for (const text of expected) assert.equal(found.split(text).length, 2, `${text.slice(0, 20)}… was typed ${found.split(text).length - 1} times`);
    assert.equal(found.length, size);
    assert.ok(kills > 0 && repeated > 0, `${kills} kills, ${repeated} repeated`);
  }));
