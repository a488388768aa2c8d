// Tabs: names, marks, order and closing.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { limit, shared, withPage } from "./fixture.mjs";
import { until } from "../node/until.mjs";

const fixture = shared();

async function order(page) {
  return (await page.tabs()).map(({ terminalId }) => terminalId).join();
}

test("titles, bells, activity, and tabs that are dragged", limit, () =>
  withPage(fixture, async (page) => {
    const first = await page.active();
    await page.run("printf '\\e]0;the title\\a'; for file in talk ring; do until [ -e $file ]; do sleep 0.05; done; [ $file = talk ] && echo hello; done; printf '\\a'");
    await until(async () => (await page.page.title()) === "the title · Holdfast", "the title");
    const second = await page.newTerminal();
    writeFileSync(join(fixture.daemon.home, "talk"), "");
    // Something runs in it all the time, which has a sign of its own.
    const tab = page.page.locator(`#hf-tab-${first}`);
    await page.page.waitForSelector(".hf-tab--news >> .hf-tab__mark--running");
    assert.match(await tab.textContent(), /is running.*, new output$/);
    const weight = await tab.locator(".hf-tab__label").evaluate((label) => Number(getComputedStyle(label).fontWeight));
    assert.ok(weight >= 600, `new output is in bold: ${weight}`);
    writeFileSync(join(fixture.daemon.home, "ring"), "");
    await page.page.waitForSelector(".hf-tab__mark--bell");
    await until(async () => (await tab.textContent()).endsWith(", bell"), "the bell to be said");
    // It is there until somebody looks.
    await page.page.click(`#hf-tab-${first}`);
    await until(async () => !(await page.page.$(".hf-tab__mark--bell, .hf-tab--news")), "the bell's mark to go");
    await page.page.click(`#hf-tab-${second}`);
    await page.page.dragAndDrop(`#hf-tab-${first}`, `#hf-tab-${second}`, { targetPosition: { x: 60, y: 10 } });
    await until(async () => (await order(page)) === [second, first].join(), "the tab to be dragged");
    await page.refresh();
    const tabs = await page.connected(2);
    assert.deepEqual(tabs.map(({ terminalId }) => terminalId), [second, first]);
  }));

test("more tabs than fit are found in a menu", limit, () =>
  withPage(
    fixture,
    async (page) => {
      const menu = page.page.getByLabel("All terminals");
      assert.ok(!(await menu.isVisible()));
      const first = await page.active();
      await page.run("echo the first $((2 + 3))");
      for (let count = 2; count <= 6; ++count) await page.newTerminal();
      await menu.waitFor();
      assert.equal(await menu.locator("option").count(), 6);
      const tab = page.page.locator(`#hf-tab-${first}`);
      await until(async () => (await tab.boundingBox()).x < 0, "the first tab to be out of sight");
      await menu.selectOption(first);
      await page.sees("the first 5");
      await until(async () => (await tab.boundingBox()).x >= 0, "the first tab to be in sight");
      await page.run("echo typed into $((3 + 4))");
      await page.sees("typed into 7");
    },
    { viewport: { width: 520, height: 360 } },
  ));

test("an exit is shown, and can be clicked away or run again", limit, () =>
  withPage(fixture, async (page) => {
    await page.newTerminal();
    await page.run("exit 1");
    const exit = page.page.getByRole("status").filter({ hasText: "Exited with 1" });
    await exit.getByText("Press Enter to run it again").click();
    await page.connected(2);
    await page.sees("ready>");
    await page.run("exit 1");
    await exit.getByText("Close").click();
    await page.connected(1);
  }));

test("closing asks while a program runs, and not while the shell waits", limit, () =>
  withPage(fixture, async (page) => {
    const busy = await page.newTerminal();
    await page.run("sleep 300");
    // "Busy" is not enough: it may still be the shell, about to exec the program.
    const terminal = (ask) => ask("list").then(({ terminals }) => terminals.find(({ terminalId }) => terminalId === busy));
    await until(() => fixture.daemon.asking(async (ask) => (await terminal(ask)).process === "sleep"), "the daemon to see the program");
    await page.press("Control+Shift+x");
    await page.page.waitForSelector("text=sleep is still running. Closing the terminal ends it.");
    await page.press("Escape");
    await until(async () => !(await page.page.$("dialog[open]")), "the question to go");
    assert.equal((await page.tabs()).length, 2);
    await page.page.click(`#hf-tab-${busy} + .hf-tab__close`);
    await page.page.waitForSelector("text=Close this terminal?");
    await page.press("Tab", "Enter");
    await page.connected(1);

    await page.newTerminal();
    await page.press("Control+Shift+x");
    await page.connected(1);
    await until(async () => (await fixture.daemon.health()).terminals.active === 1, "the daemon to have one terminal");
    assert.ok(!(await page.page.$("dialog[open]")));
  }));

test("a bell in a hidden window is a notification, whose click leads to the terminal", limit, () =>
  withPage(
    fixture,
    async (page) => {
      const first = await page.active();
      await page.press("Control+Shift+k");
      await page.type("allow notifications");
      await page.press("Enter");
      await page.page.waitForSelector("text=A hidden window now tells you what happens by a notification.");
      const ring = () => page.run("printf '\\e]0;ringer\\a\\a'");
      await ring();
      await until(async () => (await page.page.title()).startsWith("ringer"), "the title");
      assert.deepEqual(await page.page.evaluate(() => globalThis.shown.length), 0, "a window that is looked at needs none");
      const look = (isHidden) =>
        page.page.evaluate((isHidden) => {
          globalThis.isHidden = isHidden;
          document.dispatchEvent(new Event("visibilitychange"));
        }, isHidden);
      await look(true);
      await ring();
      const told = await until(() => page.page.evaluate(() => globalThis.shown.map(({ title, body }) => `${title}: ${body}`)[0]), "the notification");
      assert.equal(told, "ringer: The bell rang.");
      await page.run("echo not drawn before it is $((40 + 2))");
      await look(false);
      await page.sees("not drawn before it is 42");
      await page.newTerminal();
      await page.page.evaluate(() => globalThis.shown[0].onclick());
      await until(async () => (await page.active()) === first, "the terminal that rang");
    },
    {
      // A headless browser shows no notifications, and hides no window.
      prepare: (context) =>
        context.addInitScript(() => {
          globalThis.shown = [];
          globalThis.Notification = class {
            static permission = "default";
            static async requestPermission() {
              return (Notification.permission = "granted");
            }
            constructor(title, { body }) {
              Object.assign(this, { title, body });
              globalThis.shown.push(this);
            }
            close() {}
          };
          Object.defineProperty(document, "hidden", { get: () => globalThis.isHidden === true });
        }),
    },
  ));

test("a program that runs again leaves its old output above, and has this window's size", limit, () =>
  withPage(fixture, async (page) => {
    const [{ size: room }] = await page.tabs();
    await withPage(
      fixture,
      async (other) => {
        await page.page.bringToFront();
        await page.run("for i in $(seq 1 100); do echo old $i; done; exit 3");
        await page.page.waitForSelector("text=Exited with 3");
        await page.press("Enter");
        await page.sees("ready>");
        await page.connected(1);
        const lines = (await page.lines({ all: true })).map((line) => line.trimEnd()).filter((line) => /^(old|──|ready)/.test(line));
        assert.deepEqual(lines.slice(-3), ["old 100", "── run again ──", "ready>"]);
        assert.equal(lines.filter((line) => line === "old 1").length, 1, "it is there once");
        await page.run("echo new $((3 + 3))");
        await page.sees(/^new 6$/);

        // The other window shows it too, without taking its size.
        await other.connected(1);
        await other.sees(/^new 6$/);
        assert.deepEqual((await page.tabs())[0].size, room);
        await page.run("stty size");
        await page.sees(`${room.rows} ${room.cols}`);
      },
      { keeps: true, viewport: { width: 500, height: 300 } },
    );
  }));
