// `wait` sees what comes after an offset, all of it, and nothing else.

import assert from "node:assert/strict";
import { test } from "node:test";

import { another, limit, times, until, withApi } from "./fixture.mjs";

// Answers every line that is typed.
const answering = ["sh", "-c", "while read line; do echo got $line; done"];

async function withTerminal(command, use, options) {
  await withApi(async (api, daemon) => {
    await api.ok("POST", "/terminals", { terminalId: "t", command });
    await use(api, daemon);
  }, options);
}

test("send and wait in turn: the answer is found, and no older one", { timeout: 600_000 }, () =>
  withTerminal(answering, async (api) => {
    const rounds = times(10_000, 100_000);
    let before = -1;
    for (let round = 0; round < rounds; round += 1) {
      const since = await api.send("t", { text: `${round}`, enter: true });
      // It may match what came before only if it looks there.
      const [found, older] = await Promise.all([api.wait("t", { text: `^got ${round}$`, since, timeout: 20_000 }), api.wait("t", { text: `^got ${round - 1}$`, since, timeout: 0 })]);
      assert.equal(found.outcome, "matched");
      assert.equal(found.line, `got ${round}`);
      assert.equal(older.outcome, "timed_out");
      assert.ok(found.offset > since && since > before, `${before} ${since} ${found.offset}`);
      before = found.offset;
      // From behind the match on there is no other.
      assert.equal((await api.wait("t", { text: `got ${round}`, since: found.offset, timeout: 0 })).outcome, "timed_out");
    }
  }));

test("many wait at the same time, and each gets its own", limit, () =>
  withTerminal(answering, async (api) => {
    const since = (await api.ok("GET", "/terminals/t/capture")).offset;
    const waits = Array.from({ length: 100 }, (_, i) => api.wait("t", { text: `^got ${i}$`, since }));
    for (let i = 0; i < 100; i += 1) await api.send("t", { text: `${i}`, enter: true });
    (await Promise.all(waits)).forEach(({ line }, i) => assert.equal(line, `got ${i}`));
  }));

test("a daemon that is killed makes no difference to what is found", limit, () =>
  withTerminal(answering, async (api, daemon) => {
    for (let round = 0; round < times(5, 50); round += 1) {
      const since = await api.send("t", { text: `${round}`, enter: true });
      const cut = api.wait("t", { text: "never", since }).then(
        () => assert.fail("it cannot match"),
        () => {},
      );
      await daemon.kill();
      await cut;
      await daemon.run();
      assert.equal((await api.wait("t", { text: `^got ${round}$`, since })).line, `got ${round}`);
    }
  }));

test("a daemon that stops says so to those who wait", limit, () =>
  withTerminal(answering, async (api, daemon) => {
    const waiting = api.call("GET", "/terminals/t/wait?exit=true");
    await api.waiting(1);
    await daemon.kill("SIGTERM");
    const { status, body } = await waiting;
    assert.equal(status, 503, JSON.stringify(body));
    assert.match(body.detail, /stopping.*same offset/);
  }));

test("colours, wrapped lines and redraws", limit, () =>
  withTerminal(["sh", "-c", "read x; printf 'plain \\033[31mred\\033[0m end\\r\\n'; printf '%0200d\\n' 7; printf '10%%\\r20%%\\r\\033[5;5Hplaced'; read x"], async (api) => {
    const since = await api.send("t", { enter: true });
    assert.equal((await api.wait("t", { text: "plain red end", since })).line, "plain red end");
    assert.equal((await api.wait("t", { text: "^0{199}7$", since })).outcome, "matched");
    assert.equal((await api.wait("t", { text: "^20%$", since })).outcome, "matched");
    assert.equal((await api.wait("t", { text: "^placed$", since })).outcome, "matched");
  }));

test("the end, quiet, and what can never come", limit, () =>
  withTerminal(["sh", "-c", "read x; exit 7"], async (api) => {
    assert.equal((await api.wait("t", { quiet: 50, timeout: 20_000 })).outcome, "quiet");
    assert.equal((await api.wait("t", { exit: true, timeout: 50 })).outcome, "timed_out");
    await api.send("t", { enter: true });
    assert.deepEqual(await api.wait("t", { exit: true }).then(({ outcome, exitCode }) => [outcome, exitCode]), ["exited", 7]);
    assert.equal((await api.wait("t", { text: "never" })).outcome, "exited");
    assert.equal((await api.call("POST", "/terminals/t/send", { enter: true })).status, 409);
  }));

test("output that was overwritten, and that has not come yet", limit, () =>
  withTerminal(["sh", "-c", "head -c 3000000 /dev/zero | tr '\\0' x; echo done; read x"], async (api) => {
    await until(async () => (await api.screen("t")).includes("done"), "all output", 60_000);
    const gone = await api.call("GET", "/terminals/t/wait?text=x&since=0");
    assert.equal(gone.status, 404);
    assert.match(gone.body.detail, /no longer kept.*begins at \d+/);
    const future = await api.call("GET", "/terminals/t/wait?text=x&since=9000000");
    assert.equal(future.status, 400);
    assert.match(future.body.detail, /ends at \d+/);
  }));

test("whoever leaves costs nothing more", limit, () =>
  withTerminal(answering, async (api, daemon) => {
    const stop = new AbortController();
    const waits = Array.from({ length: 20 }, () => fetch(`${daemon.address}/api/v1/terminals/t/wait?text=never`, { headers: { Authorization: `Bearer ${daemon.token}` }, signal: stop.signal }).catch(() => {}));
    await api.waiting(20);
    stop.abort();
    await Promise.all(waits);
    await api.waiting(0);
  }));

test("closing the terminal ends those who wait", limit, () =>
  withTerminal(answering, async (api) => {
    const waiting = api.call("GET", "/terminals/t/wait?text=never");
    await api.waiting(1);
    await api.ok("DELETE", "/terminals/t");
    const { status, body } = await waiting;
    assert.ok(status === 404 || body.outcome === "exited", JSON.stringify(body));
  }));

test("a credential that is revoked ends those who wait with it", limit, () =>
  withTerminal(answering, async (_, daemon) => {
    const { api, hash } = await another(daemon, "--user", "default");
    const waiting = api.call("GET", "/terminals/t/wait?text=never&timeout=60000");
    await api.waiting(1);
    await daemon.shell("token", "revoke", hash);
    assert.equal((await waiting).status, 403);
  }));
