// A reboot, as the page sees it: the keeper is killed with every terminal, and a daemon starts with
// the same state directory.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { until } from "../node/until.mjs";
import { limit, withDaemon, withPage } from "./fixture.mjs";
import { Page } from "./page.mjs";

// When the terminal's history was last saved, according to its file (docs/store.md).
function savedAt(daemon, id) {
  try {
    return Number(readFileSync(join(daemon.home, "state/history", `${id}.rows`)).readBigInt64LE(16));
  } catch {
    return 0;
  }
}

// Waits until what the active terminal shows is on disk. Pressing the key adds output that is not
// saved yet, so another round follows.
async function saved(daemon, page) {
  const id = await page.active();
  const now = Date.now();
  await page.press("Enter");
  await until(() => savedAt(daemon, id) >= now, `the history of ${id} to be saved`);
}

async function rename(page, name) {
  await page.press("Control+Shift+e");
  await page.page.keyboard.type(name);
  await page.press("Enter");
  await until(async () => (await page.tabs()).some((tab) => tab.name === name), `the name ${name}`);
}

async function twoTabs(daemon, page) {
  const first = await page.active();
  await rename(page, "first");
  await page.run("cd /usr && echo from the $((1)) before");
  await page.sees(/^from the 1 before$/);
  await saved(daemon, page);
  const second = await page.newTerminal();
  await rename(page, "second");
  await page.run("echo from the $((2)) before");
  await page.sees(/^from the 2 before$/);
  await saved(daemon, page);
  return [first, second];
}

// A page that opens two tabs and is closed.
async function visit({ daemon, browser }) {
  const context = await browser.newContext();
  const page = await Page.open(context, daemon.address, { token: daemon.token });
  await page.connected(1);
  await page.sees("ready>");
  const ids = await twoTabs(daemon, page);
  await context.close();
  return ids;
}

async function expectRestored(page, id, number) {
  await page.page.click(`#hf-tab-${id}`);
  await page.sees(`from the ${number} before`, { id, all: true });
  const lines = await page.lines({ id, all: true });
  const mark = lines.findIndex((line) => /^── restored, saved \d{4}-\d\d-\d\d \d\d:\d\d ─+$/.test(line));
  assert.ok(mark > 0, `no marked line in:\n${lines.join("\n")}`);
  assert.ok(lines.findIndex((line) => line === `from the ${number} before`) < mark, "the history stands above the marked line");
  await page.sees(/^ready> *$/, { id });
}

test("a page that is opened after a reboot shows the tabs, and makes them again with their history", limit, () =>
  withDaemon({}, async (fixture) => {
    const { daemon, browser } = fixture;
    const ids = await visit(fixture);
    await daemon.kill("SIGKILL");
    await daemon.killAll();
    await daemon.run();
    const context = await browser.newContext();
    const page = await Page.open(context, daemon.address, { token: daemon.token });
    const tabs = await until(async () => {
      const tabs = await page.tabs();
      return tabs.length === 2 && tabs.every(({ status }) => status === "restorable") && tabs;
    }, "two tabs that can be restored");
    assert.deepEqual(tabs.map(({ terminalId, name }) => [terminalId, name]), [[ids[0], "first"], [ids[1], "second"]]);
    assert.equal((await daemon.health()).terminals.orphaned, 0, "nothing runs by itself");
    await page.page.getByText("Reopen 2 terminals").first().click();
    await page.connected(2);
    await expectRestored(page, ids[0], 1);
    await expectRestored(page, ids[1], 2);
    await page.press("Alt+1");
    await page.run("pwd");
    await page.sees(/^\/usr$/);
    // It is a normal terminal: a refresh shows all of it.
    await page.refresh();
    await page.connected(2);
    await expectRestored(page, ids[0], 1);
    assert.deepEqual(page.errors, []);
    await context.close();
  }));

test("a click on a tab makes that one again", limit, () =>
  withDaemon({}, async (fixture) => {
    const { daemon, browser } = fixture;
    const ids = await visit(fixture);
    await daemon.kill("SIGTERM");
    await daemon.killAll();
    await daemon.run();
    const other = await browser.newContext();
    const page = await Page.open(other, daemon.address, { token: daemon.token });
    await until(async () => (await page.tabs()).filter(({ status }) => status === "restorable").length === 2, "two tabs");
    await page.page.getByRole("tab", { name: "second" }).click();
    await until(async () => (await page.tabs()).map(({ status }) => status).join() === "restorable,connected", "the second one");
    await expectRestored(page, ids[1], 2);
    // The other can be discarded.
    await page.page.getByRole("tab", { name: "first" }).hover();
    await page.page.getByLabel("Close first").click();
    await page.connected(1);
    assert.deepEqual(page.errors, []);
    await other.close();
  }));

test("a page that stayed open over a reboot has its shells again by itself", limit, () =>
  withDaemon({}, (fixture) =>
    withPage(fixture, async (page) => {
      const { daemon } = fixture;
      const ids = await twoTabs(daemon, page);
      await daemon.kill("SIGKILL");
      await page.disconnected();
      await daemon.killAll();
      await daemon.run();
      const tabs = await page.connected(2);
      assert.deepEqual(tabs.map(({ name }) => name), ["first", "second"]);
      await expectRestored(page, ids[0], 1);
      await expectRestored(page, ids[1], 2);
    }),
  ));

test("the keeper is killed under a page: its tabs stay, and say what can be done", limit, () =>
  withDaemon({}, (fixture) =>
    withPage(fixture, async (page) => {
      const { daemon } = fixture;
      const ids = await twoTabs(daemon, page);
      await daemon.killAll();
      await until(async () => (await page.tabs()).map(({ status }) => status).join() === "restorable,restorable", "tabs that can be restored");
      await page.page.getByText("Reopen 2 terminals").last().click();
      await page.connected(2);
      await expectRestored(page, ids[0], 1);
      await expectRestored(page, ids[1], 2);
    }),
  ));
