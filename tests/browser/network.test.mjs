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

// Runs `use` with a page whose network can be broken, in a program that shows each line it gets.
async function withCat(use) {
  const link = await Link.to(fixture.daemon.port);
  try {
    await withPage(
      fixture,
      async (page) => {
        await page.run("stty -echo; echo st''arted; cat");
        await page.sees(/^started$/);
        await use(page, link, async () => (await page.lines({ all: true })).filter((line) => line.startsWith("typed")));
        await page.press("Control+c");
      },
      { address: link.address },
    );
  } finally {
    await link.close();
  }
}

const pending = (page) => page.page.locator(".hf-terminal__pending code").textContent();

// A key was typed into a dead network for 23 seconds before the page noticed, and was lost.
test("on a dead network a key is noticed within three seconds, kept, shown, and typed once", limit, () =>
  withCat(async (page, link, typed) => {
    await page.run("typed before");
    await page.sees(/^typed before$/);
    link.swallow();
    // Measured where it happens: this test may be slow.
    const noticing = await page.page.evaluateHandle(() => {
      const after = new Promise((resolve) => {
        let typed;
        addEventListener("keydown", () => (typed ??= performance.now()), { capture: true });
        const look = () => document.querySelector(".hf-status").textContent.includes("Not responding") && resolve(performance.now() - typed);
        new MutationObserver(look).observe(document.querySelector(".hf-status"), { subtree: true, childList: true, characterData: true });
      });
      return { after };
    });
    await page.run("typed into nothing");
    const after = await noticing.evaluate(({ after }) => after);
    assert.ok(after < 3000, `it took ${after} ms`);
    assert.equal(await pending(page), "typed into nothing⏎");
    await until(async () => (await page.tabs())[0].status === "reconnecting", "the connection to be given up", 20_000);
    await page.run("typed meanwhile");
    assert.equal(await pending(page), "typed into nothing⏎typed meanwhile⏎");
    link.mend();
    await page.page.evaluate(() => dispatchEvent(new Event("online")));
    await page.sees(/^typed meanwhile$/, { timeout: 30_000 });
    await page.run("typed after");
    await page.sees(/^typed after$/);
    assert.deepEqual(await typed(), ["typed before", "typed into nothing", "typed meanwhile", "typed after"]);
    await until(async () => !(await page.page.$(".hf-terminal__pending")), "nothing to be pending");
  }));

test("what arrived before its answer was lost is not typed again", limit, () =>
  withCat(async (page, link, typed) => {
    for (let round = 0; round < 10; ++round) {
      // Some of it arrives, some does not, and the answers are lost.
      await page.type(`typed ${round}`);
      link.cut();
      await page.press("Enter");
      link.mend();
      await page.page.evaluate(() => dispatchEvent(new Event("online")));
      await page.sees(new RegExp(`^typed ${round}$`), { timeout: 20_000 });
    }
    assert.deepEqual(await typed(), Array.from({ length: 10 }, (_, round) => `typed ${round}`));
  }));

test("if somebody else typed meanwhile, the page asks before it sends", limit, () =>
  withCat(async (page, link, typed) => {
    link.swallow();
    await page.run("typed into nothing");
    await page.disconnected();
    const [{ terminalId }] = await page.tabs();
    // A person at another window.
    await withPage(fixture, async (other) => {
      await other.run("typed by another");
      await until(async () => (await other.lines({ id: terminalId })).includes("typed by another"), "what the other typed");
      link.mend();
      await page.page.evaluate(() => dispatchEvent(new Event("online")));
      await page.page.waitForSelector("text=You typed this before the connection was lost. Send it now?");
      assert.deepEqual(await typed(), ["typed by another"]);
      await page.page.click("button >> text=Send it");
      await page.sees(/^typed into nothing$/);
      assert.deepEqual(await typed(), ["typed by another", "typed into nothing"]);
    }, { keeps: true });
  }));
