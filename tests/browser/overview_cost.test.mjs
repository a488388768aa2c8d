// What the overview of many terminals costs.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { withDaemon, withPage } from "./fixture.mjs";
import { until } from "../node/until.mjs";

const count = 200;
const printing = 20;
const seconds = 5;

test(`${count} terminals: 60 frames a second while they are idle, and less than 300 KB/s while some print`, { timeout: 300_000 }, () =>
  withDaemon({}, async (fixture) => {
    // Some of them print all the time, once the gate is open.
    const gate = join(fixture.daemon.home, "gate");
    execFileSync("mkfifo", [gate]);
    await fixture.daemon.asking(async (ask) => {
      for (let i = 0; i < count; ++i)
        await ask("create", {
          terminalId: `t${i}`,
          command: ["/bin/sh", "-c", i >= printing ? "seq 100; exec sleep 1000" : `seq 100; cat ${gate}; while :; do echo "terminal ${i} $(date +%N) ................................"; sleep 0.5; done`],
          rows: 24,
          cols: 80,
        });
    });
    await withPage(
      fixture,
      async (page, context) => {
        const session = await context.newCDPSession(page.page);
        await session.send("Network.enable");
        let bytes = 0;
        session.on("Network.webSocketFrameReceived", ({ response }) => {
          bytes += response.opcode === 2 ? (response.payloadData.length * 3) / 4 : response.payloadData.length;
        });
        const measured = async () => {
          bytes = 0;
          const begun = performance.now();
          const frames = await page.page.evaluate(
            (milliseconds) =>
              new Promise((resolve) => {
                let frames = 0;
                const until = performance.now() + milliseconds;
                const next = (now) => (++frames, now < until ? requestAnimationFrame(next) : resolve(frames));
                requestAnimationFrame(next);
              }),
            seconds * 1000,
          );
          const time = (performance.now() - begun) / 1000;
          return { rate: bytes / 1000 / time, frames: frames / time };
        };
        const alone = await measured();
        await page.press("Control+Shift+a");
        await page.page.waitForSelector(".hf-overview[open]");
        await until(async () => (await page.page.getByRole("option").count()) >= count, "all the cards", 30_000);
        const idle = await measured();
        writeFileSync(gate, "");
        const first = await measured();
        // As many in sight as can be: the daemon is asked for all of them.
        await page.page.evaluate((count) => globalThis.holdfast.overview.show(Array.from({ length: count }, (_, i) => `t${i}`)), count);
        const all = await measured();
        const told = ({ frames, rate }) => `${frames.toFixed(0)} frames/s with ${rate.toFixed(0)} KB/s`;
        console.log(`overview of ${count} terminals: ${told(idle)} while they are idle (the page without it: ${told(alone)}); ${told(first)} while ${printing} of them print; ${told(all)} with all of them in sight`);
        assert.ok([idle, first, all].every(({ rate }) => rate < 300), `${told(idle)}, ${told(first)}, ${told(all)}`);
        // The frame that is under way when the time ends does not count.
        assert.ok(idle.frames >= 59, told(idle));
      },
      { keeps: true, viewport: { width: 1280, height: 800 } },
    );
  }));
