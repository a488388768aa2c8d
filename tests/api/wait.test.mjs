// `wait` sees what comes after an offset, all of it, and nothing else.

import assert from "node:assert/strict";
import { test } from "node:test";

import { another, limit, numbers, times, until, withApi } from "./fixture.mjs";

// Answers every line that is typed.
const answering = ["sh", "-c", "while read line; do echo got $line; done"];

async function withTerminal(command, use, options) {
  await withApi(async (api, daemon) => {
    await api.ok("POST", "/terminals", { terminalId: "t", command });
    await use(api, daemon);
  }, options);
}

// Answers in the ways in which programs answer.
const ways = {
  plain: "echo got $line",
  redraw: "printf '10%%\\r50%%\\rgot %s\\n' $line",
  placed: "printf '\\033[5;5Hgot %s\\033[7;1H' $line",
  coloured: "printf '\\033[31mgo\\033[0mt %s\\n' $line",
  wrapped: "printf '%0150d\\ngot %s\\n' 0 $line",
  flood: "seq -f 'flood %g' 3000; echo got $line",
};
const answeringInEveryWay = ["sh", "-c", `while read -r way line; do case $way in ${Object.entries(ways).map(([way, code]) => `${way}) ${code};;`).join(" ")} esac; done`];

// One sends and waits, as fast as it can, while the terminal is resized and the daemon is killed.
async function race(api, terminal, rounds, next) {
  let before = -1;
  for (let round = 0; round < rounds; round += 1) {
    const way = next(40) === 0 ? "flood" : ["plain", "redraw", "placed", "coloured", "wrapped"][next(5)];
    const since = await api.send(terminal, { text: `${way} ${round}`, enter: true, idempotencyKey: `${round}` });
    const resize = next(5) === 0 ? api.patiently("POST", `/terminals/${terminal}/resize`, { rows: 10 + next(30), cols: 40 + next(100) }) : undefined;
    // It may match what came before only if it looks there.
    const [found, older] = await Promise.all([api.wait(terminal, { text: `^got ${round}$`, since, timeout: 60_000 }), api.wait(terminal, { text: `^got ${round - 1}$`, since, timeout: 0 }), resize]);
    assert.deepEqual([found.outcome, found.line, older.outcome], ["matched", `got ${round}`, "timed_out"], `${terminal}, ${way} ${round}`);
    assert.ok(found.offset > since && since > before, `${before} ${since} ${found.offset}`);
    before = found.offset;
    // From behind the match on there is no other.
    if (round % 5 === 0) assert.equal((await api.wait(terminal, { text: `got ${round}`, since: found.offset, timeout: 0 })).outcome, "timed_out");
  }
}

test("send and wait in turn: the answer is found, and no older one", { timeout: times(600_000, 7_200_000) }, () =>
  withApi(async (api, daemon) => {
    const patient = api.patient();
    const terminals = ["a", "b", "c", "d"];
    for (const terminalId of terminals) await api.ok("POST", "/terminals", { terminalId, command: answeringInEveryWay });
    const rounds = times(10_000, 100_000) / terminals.length;
    const betweenKills = times(1000, 2500); // Answers.
    let isOver = false;
    const races = Promise.all(terminals.map((terminal, i) => race(patient, terminal, rounds, numbers(i)))).finally(() => (isOver = true));
    const kills = (async () => {
      for (let kill = 0; kill < times(10, 100) && !isOver; kill += 1) {
        const answered = patient.answered;
        await until(() => isOver || patient.answered > answered + betweenKills, "more rounds", 120_000);
        await daemon.kill();
        await daemon.run();
      }
    })();
    await Promise.all([races, kills]);
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
