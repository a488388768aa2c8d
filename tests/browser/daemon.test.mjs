// Terminals survive what happens to the daemon, and tabs survive what happens to the terminals.

import assert from "node:assert/strict";
import { test } from "node:test";

import { limit, withDaemon, withPage } from "./fixture.mjs";
import { Page } from "./page.mjs";
import { until } from "../node/until.mjs";

const count = 300;
const numbered = `for i in $(seq 1 ${count}); do echo "line $i"; sleep 0.02; done; echo all of them`;

async function expectEveryLineOnce(page) {
  await page.sees(/^all of them$/, { timeout: 30_000 });
  const lines = (await page.lines({ all: true })).filter((line) => line.startsWith("line "));
  assert.deepEqual(lines, Array.from({ length: count }, (_, i) => `line ${i + 1}`));
}

test("the daemon is killed and started again", limit, () =>
  withDaemon({}, (fixture) =>
    withPage(fixture, async (page) => {
      await page.run(numbered);
      await page.sees("line 30");
      await fixture.daemon.kill("SIGKILL");
      await page.disconnected();
      await fixture.daemon.run();
      await page.connected(1);
      await expectEveryLineOnce(page);
    }),
  ));

test("the daemon is replaced by a new one", limit, () =>
  withDaemon({}, (fixture) =>
    withPage(fixture, async (page) => {
      await page.run(numbered);
      await page.sees("line 30");
      const { pid } = fixture.daemon;
      await fixture.daemon.run("--takeover");
      assert.notEqual(fixture.daemon.pid, pid);
      await page.connected(1);
      await expectEveryLineOnce(page);
    }),
  ));

test("the keeper is gone too: terminals made again in the same tabs", limit, () =>
  withDaemon({}, (fixture) =>
    withPage(fixture, async (page) => {
      await page.run("echo from before");
      await page.newTerminal();
      await page.press("Control+Shift+e");
      await page.page.keyboard.type("second");
      await page.press("Enter");
      await until(async () => (await page.tabs())[1].name === "second", "the name");
      const before = await page.tabs();
      await fixture.daemon.kill("SIGKILL");
      await page.disconnected();
      await fixture.daemon.killKeeper();
      await fixture.daemon.run();
      const after = await page.connected(2);
      assert.deepEqual(after.map(({ name }) => name), before.map(({ name }) => name));
      await page.sees("ready>");
      await page.run("echo alive $((40 + 2))");
      await page.sees("alive 42");
      await page.press("Alt+1");
      await page.sees("── restored", { all: true });
    }),
  ));

test("a grace period that has passed: fresh terminals in the same tabs", limit, () =>
  withDaemon({ grace: 1 }, async (fixture) => {
    const { daemon, browser } = fixture;
    const context = await browser.newContext();
    const page = await Page.open(context, daemon.address, { token: daemon.token });
    const before = await page.connected(1);
    await page.sees("ready>");
    await page.run("echo from before");
    await page.sees("from before");
    await page.press("Control+Shift+e");
    await page.page.keyboard.type("kept");
    await page.press("Enter");
    await until(async () => (await page.tabs())[0].name === "kept", "the name");
    // The browser tab and its sessionStorage stay, but it shows something else.
    await page.page.goto("about:blank");
    await until(async () => Object.values((await daemon.health()).terminals).every((number) => number === 0), "the orphan to be closed", 15_000);
    await page.goto(daemon.address);
    const after = await page.connected(1);
    assert.deepEqual(after.map(({ name }) => name), ["kept"]);
    assert.equal(before.length, after.length);
    await page.sees("ready>");
    assert.ok(!(await page.lines({ all: true })).some((line) => line.includes("from before")));
    await context.close();
  }));
