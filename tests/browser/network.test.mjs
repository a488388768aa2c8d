// The network goes away and comes back: no output is missing, and none comes twice.

import assert from "node:assert/strict";
import { test } from "node:test";

import { images, limit, shared, withPage } from "./fixture.mjs";
import { Link } from "./link.mjs";
import { until } from "../node/until.mjs";

const fixture = shared();
const count = 320;
const numbered = `for i in $(seq 1 ${count}); do echo "line $i"; sleep 0.04; done; echo all of them`;

async function throughAnOutage(break_, { screenshot } = {}) {
  const link = await Link.to(fixture.daemon.port);
  try {
    await withPage(
      fixture,
      async (page) => {
        const screen = await page.page.evaluateHandle(() => globalThis.holdfast.screenOf(globalThis.holdfast.state.active));
        await page.run(numbered);
        await page.sees("line 40");
        break_(link);
        const cutAt = performance.now();
        await until(async () => (await page.tabs())[0].status === "reconnecting", "the overlay", 30_000);
        assert.ok(await page.page.isVisible("text=Reconnecting…"), "each terminal says that it reconnects");
        await until(() => performance.now() - cutAt > 10_000, "ten seconds without a network", 30_000);
        if (screenshot) {
          await until(async () => (await page.state()).connection.kind === "waiting", "a pause between tries");
          assert.ok(await page.page.isVisible("text=/econnecting in \\d+ s/"));
          await page.page.screenshot({ path: `${images}${screenshot}` });
        }
        link.mend();
        await page.page.click("text=Now", { timeout: 1000 }).catch(() => {});
        await page.connected(1);
        await page.sees(/^all of them$/, { timeout: 40_000 });
        const lines = (await page.lines({ all: true })).filter((line) => line.startsWith("line "));
        assert.deepEqual(lines, Array.from({ length: count }, (_, i) => `line ${i + 1}`), "every line once");
        assert.ok(await screen.evaluate((old) => old === globalThis.holdfast.screenOf(globalThis.holdfast.state.active)), "the same xterm.js");
      },
      { address: link.address },
    );
  } finally {
    await link.close();
  }
}

test("ten seconds with the cable pulled while lines are written", limit, () => throughAnOutage((link) => link.cut(), { screenshot: "reconnecting.png" }));

test("ten seconds on a network that swallows everything", limit, () => throughAnOutage((link) => link.swallow()));
