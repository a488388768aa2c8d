// A pool of connections to a real Redis.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { appendFileSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

import { killRunner, notified, said, until, withExamples } from "./fixture.mjs";

const limit = { timeout: 120_000 };

async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function withRedis(use) {
  const directory = mkdtempSync(join(tmpdir(), "holdfast-redis-"));
  const port = await freePort();
  const redis = spawn(
    "redis-server",
    ["--bind", "127.0.0.1", "--port", String(port), "--dir", directory, "--save", ""],
    { stdio: ["ignore", "pipe", "ignore"] },
  );
  const ended = new Promise((resolve) => redis.once("exit", resolve));
  let log = "";
  redis.stdout.on("data", (bytes) => (log += bytes));
  try {
    await until(
      () => log.includes("Ready to accept connections"),
      () => `Redis, which said ${log}`,
      20_000,
    );
    await use(port);
  } finally {
    redis.kill("SIGKILL");
    await ended;
    rmSync(directory, { recursive: true, force: true });
  }
}

test(
  "the pool's connections are the very same after reloads and a restart of the daemon, and new ones after one of the runner",
  limit,
  () =>
    withRedis((port) =>
      withExamples(["pool"], async ({ daemon, extensions, run }) => {
        assert.match((await run("/pool status")).stderr, /There is no pool/);
        assert.equal(
          await notified(run(`/pool open ${port} 3`)),
          `success: Opened 3 connections to 127.0.0.1:${port}\n`,
        );
        assert.match((await run(`/pool open ${port}`)).stderr, /A pool is already open/);
        const before = await said(run("/pool status"));
        assert.match(before, /^Connections: \d+ \d+ \d+\n$/);
        assert.equal(new Set(before.trim().split(" ").slice(1)).size, 3);
        assert.equal(await said(run("/pool redis SET answer 42")), "OK\n");

        for (let time = 1; time <= 3; ++time) {
          appendFileSync(join(extensions, "pool/index.ts"), `\n// Edited ${time}.\n`);
          await said(run("/reload"));
          assert.equal(await said(run("/pool status")), before);
        }
        await daemon.kill("SIGKILL");
        await daemon.run();
        assert.equal(await said(run("/pool status")), before);
        assert.equal(await said(run("/pool redis GET answer")), "42\n");
        assert.match(await said(run("/resources")), new RegExp(`pool/redis  live  3 connections to 127.0.0.1:${port}`));

        // Sockets die with their process, but the address is stored.
        await killRunner(daemon);
        const after = await until(() => said(run("/pool status")), "the pool to be open again");
        assert.match(after, /^Connections: \d+ \d+ \d+\n$/);
        assert.notEqual(after, before);
        assert.equal(await said(run("/pool redis GET answer")), "42\n");

        assert.equal(await notified(run("/pool close")), "success: Closed the pool\n");
        await until(
          async () => (await said(run("/resources"))) === "This session holds no resources.\n",
          "no resources",
        );
      }),
    ),
);

test("replies of every kind, more commands than connections, and a connection that Redis has closed", limit, () =>
  withRedis((port) =>
    withExamples(["pool"], async ({ connect, run }) => {
      await notified(run(`/pool open 127.0.0.1:${port} 2`));
      assert.equal(await said(run("/pool redis GET nothing")), "(nil)\n");
      assert.equal(await said(run("/pool redis RPUSH list a bc def")), "3\n");
      assert.equal(await said(run("/pool redis LRANGE list 0 -1")), "a\nbc\ndef\n");
      assert.match((await run("/pool redis INCR list")).stderr, /WRONGTYPE/);

      const client = await connect();
      const numbers = await Promise.all(Array.from({ length: 50 }, () => client.ok("/pool redis INCR counter")));
      assert.deepEqual(
        numbers.map(Number).sort((a, b) => a - b),
        Array.from({ length: 50 }, (_, index) => index + 1),
      );

      const [first] = (await said(run("/pool status"))).trim().split(" ").slice(1);
      // Even the one that asks.
      assert.equal(await said(run(`/pool redis CLIENT KILL ID ${first} SKIPME no`)), "1\n");
      const replaced = async () => !(await said(run("/pool status"))).trim().split(" ").includes(first);
      await until(replaced, "another connection in its place");
      assert.equal(await said(run("/pool redis GET counter")), "50\n");
    }),
  ),
);
