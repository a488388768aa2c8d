// Panes: terminals side by side in one tab, by keyboard and mouse, the same in every window.

import assert from "node:assert/strict";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { images, limit, shared, withDaemon, withPage } from "./fixture.mjs";
import { Page } from "./page.mjs";
import { until } from "../node/until.mjs";

const fixture = shared();
const wide = { viewport: { width: 1200, height: 700 } };
const type = "application/x-holdfast-terminal";

// What is in sight, from left to right and top to bottom: the terminals' ids.
async function shown(page) {
  return await page.page.evaluate(() =>
    [...document.querySelectorAll(".hf-terminal:not([hidden])")]
      .map((pane) => ({ id: pane.dataset.terminal, box: pane.getBoundingClientRect() }))
      .sort((a, b) => a.box.left - b.box.left || a.box.top - b.box.top)
      .map(({ id }) => id),
  );
}

async function expectShown(page, ids, what = "the panes") {
  await until(async () => (await shown(page)).join() === ids.join(), what, 15_000);
}

const box = (page, id) => page.page.locator(`[data-terminal="${id}"]`).boundingBox();

// Opens a pane with the keys, and waits until a person could type there.
async function split(page, keys) {
  const before = await page.tabs();
  await page.press(keys);
  await page.connected(before.length + 1);
  const id = await page.active();
  await page.sees("ready>");
  return id;
}

const splitRight = (page) => split(page, "Control+Shift+d");
const splitDown = (page) => split(page, "Control+Shift+o");

let sizesAsked = 0;

// The program's own idea of its size is the page's, and the page draws all of it.
async function expectFit(page, id) {
  await page.page.locator(`[data-terminal="${id}"] .xterm-screen`).click({ position: { x: 5, y: 5 } });
  await until(async () => (await page.active()) === id, "the clicked pane to be the active one");
  const asked = ++sizesAsked;
  await page.run(`clear; echo "asked ${asked}: $(stty size)"`);
  const line = await page.sees(new RegExp(`^asked ${asked}: \\d+`), { id });
  const fit = await page.page.evaluate((id) => {
    const { terminal } = globalThis.holdfast.screenOf(id);
    const host = document.querySelector(`[data-terminal="${id}"] .hf-terminal__host`).getBoundingClientRect();
    const screen = document.querySelector(`[data-terminal="${id}"] .xterm-screen`).getBoundingClientRect();
    return { size: `${terminal.rows} ${terminal.cols}`, host, screen, row: screen.height / terminal.rows, column: screen.width / terminal.cols };
  }, id);
  assert.equal(line, `asked ${asked}: ${fit.size}`);
  const [right, below] = [fit.host.right - fit.screen.right, fit.host.bottom - fit.screen.bottom];
  assert.ok(right > -1 && right < 16 + fit.column, `${right} pixels are left beside the terminal`);
  assert.ok(below > -1 && below < 1 + fit.row, `${below} pixels are left below the terminal`);
}

test("panes by keyboard", limit, () =>
  withPage(
    fixture,
    async (page) => {
      const a = await page.active();
      const b = await splitRight(page);
      const c = await splitDown(page);
      await expectShown(page, [a, b, c]);
      for (const id of [a, b, c]) await expectFit(page, id);
      assert.equal(await page.page.locator("[role=tab]").count(), 1, "they are one tab");

      await page.press("Alt+Shift+ArrowLeft");
      assert.equal(await page.active(), a);
      await page.press("Alt+Shift+ArrowRight", "Alt+Shift+ArrowDown");
      assert.equal(await page.active(), c);
      await page.run("echo typed below");
      await page.sees(/^typed below$/, { id: c });

      const before = await box(page, c);
      await page.press("Control+Alt+Shift+ArrowUp");
      await until(async () => (await box(page, c)).width > before.width + 20 && (await box(page, c)).height > before.height + 10, "a larger pane");
      await page.press("Control+Alt+Shift+ArrowDown");
      await until(async () => Math.abs((await box(page, c)).width - before.width) < 3, "a smaller pane");

      await page.press("Control+Shift+z");
      await expectShown(page, [c], "the pane alone");
      await expectFit(page, c);
      await page.press("Control+Shift+z");
      await expectShown(page, [a, b, c]);

      await page.run("clear; for i in 1 2 3; do echo \"build $i of 3\"; done");
      await page.sees("build 3 of 3", { id: c });
      await page.drawn();
      await page.page.screenshot({ path: `${images}splits.png` });

      await page.press("Control+Shift+y");
      await expectShown(page, [c], "a tab of its own");
      assert.equal(await page.page.locator("[role=tab]").count(), 2);
      await page.press("Control+Shift+ArrowLeft");
      await expectShown(page, [a, b]);
      await page.press("Control+Shift+x");
      await expectShown(page, [a], "the pane to be closed");
      assert.equal(await page.active(), a);
      assert.equal(await page.page.locator(".hf-pane__header").count(), 0);
      await expectFit(page, a);
    },
    wide,
  ));

test("panes by mouse", limit, () =>
  withPage(
    fixture,
    async (page) => {
      const { mouse } = page.page;
      const a = await page.active();
      const b = await page.newTerminal();
      const c = await page.newTerminal();
      const pane = (id) => `[data-terminal="${id}"]`;
      await page.page.dragAndDrop(`#hf-tab-${b}`, pane(c), { targetPosition: { x: 1150, y: 300 } });
      await expectShown(page, [c, b], "the tab at the right edge");
      await page.page.dragAndDrop(`#hf-tab-${a}`, pane(b), { targetPosition: { x: 300, y: 20 } });
      await expectShown(page, [c, a, b], "the tab above a pane");
      assert.equal(await page.page.locator("[role=tab]").count(), 1);

      const before = await box(page, c);
      await mouse.move(before.x + before.width + 2, 300);
      await mouse.down();
      await mouse.move(before.x + before.width - 198, 300, { steps: 5 });
      await mouse.up();
      await until(async () => Math.abs((await box(page, c)).width - before.width + 200) < 4, "the divider to be moved");
      for (const id of [a, b, c]) await expectFit(page, id);

      await page.page.dragAndDrop(`${pane(b)} .hf-pane__label`, pane(c), { targetPosition: { x: 10, y: 300 } });
      await expectShown(page, [b, c, a], "the pane on the other side");
      await page.page.dragAndDrop(`${pane(c)} .hf-pane__label`, ".hf-tabs__strip", { targetPosition: { x: 700, y: 10 } });
      await until(async () => (await page.page.locator("[role=tab]").count()) === 2, "the pane to be a tab again");
      await page.page.click(`${pane(b)} [aria-label^="Show"]`);
      await expectShown(page, [b], "the pane alone");
      assert.deepEqual((await page.lines({ id: c })).filter((line) => line.includes("Terminal")), [], "nothing was pasted");
    },
    wide,
  ));

test("the layout is the same after a refresh, in another browser, and after the daemon was killed", limit, () =>
  withDaemon({}, ({ daemon, browser }) =>
    withPage(
      { daemon, browser },
      async (page) => {
        const a = await page.active();
        const b = await splitRight(page);
        // Each size that the programs are told, one a line.
        const sizes = join(daemon.home, "sizes");
        await page.run("trap 'stty size >> sizes' WINCH; echo watching");
        await page.sees(/^watching$/);
        await page.refresh();
        await page.connected(2);
        await expectShown(page, [a, b], "the panes after a refresh");
        await page.run("echo after the refresh");
        await page.sees(/^after the refresh$/, { id: await page.active() });
        assert.ok(!existsSync(sizes), `a refresh changes no size: ${existsSync(sizes) && readFileSync(sizes)}`);

        const context = await browser.newContext({ ...wide, colorScheme: "dark" });
        const other = await Page.open(context, daemon.address, { token: daemon.token });
        await other.connected(2);
        await expectShown(other, [a, b], "the panes in another browser");
        const c = await splitDown(other);
        await expectShown(page, [a, c, b], "the pane from elsewhere");

        await daemon.kill("SIGKILL");
        await page.disconnected();
        await daemon.run();
        await page.connected(3);
        await expectShown(page, [a, c, b], "the panes after the daemon was killed");
        await other.connected(3);

        // What is dragged there from another window is a terminal of the same session.
        const d = await page.newTerminal();
        await other.connected(4);
        const { x, y, width, height } = await box(other, a);
        const data = { items: [{ mimeType: type, data: JSON.stringify({ session: "main", terminalId: d, isWhole: true }) }], dragOperationsMask: 16 };
        const input = await context.newCDPSession(other.page);
        for (const kind of ["dragEnter", "dragOver", "drop"]) await input.send("Input.dispatchDragEvent", { type: kind, x: x + width / 2, y: y + height - 5, data });
        await expectShown(other, [a, d, c, b], "the terminal from the other window");
        await expectShown(page, [a, d, c, b], "the same in the window it came from");
        // One of a session that is not shown here is nothing.
        data.items[0].data = JSON.stringify({ session: "other", terminalId: b, isWhole: true });
        for (const kind of ["dragEnter", "dragOver", "drop"]) await input.send("Input.dispatchDragEvent", { type: kind, x: x + width / 2, y: y + 5, data });
        await expectShown(other, [a, d, c, b]);
        rmSync(sizes, { force: true });
        await context.close();
      },
      wide,
    ),
  ));

test("what is typed goes to all chosen panes, until the page is reloaded", limit, () =>
  withPage(
    fixture,
    async (page) => {
      const a = await page.active();
      const b = await splitRight(page);
      const c = await splitDown(page);
      await page.press("Control+Shift+b");
      await page.page.waitForSelector("text=Broadcast");
      assert.equal(await page.page.locator(".hf-terminal--broadcast").count(), 3);
      await page.run("echo to all");
      for (const id of [a, b, c]) await page.sees(/^to all$/, { id });
      await page.press("Control+Alt+Shift+b");
      assert.equal(await page.page.locator(".hf-terminal--broadcast").count(), 2);
      await page.drawn();
      await page.page.screenshot({ path: `${images}broadcast.png` });
      await page.run("echo to this one alone");
      await page.sees(/^to this one alone$/, { id: c });
      await page.press("Alt+Shift+ArrowUp");
      await page.run("echo to two");
      for (const id of [a, b]) await page.sees(/^to two$/, { id });
      assert.ok(!(await page.lines({ id: a })).includes("to this one alone"));
      assert.ok(!(await page.lines({ id: c })).includes("to two"));

      await page.refresh();
      await page.connected(3);
      assert.equal(await page.page.locator(".hf-terminal--broadcast").count(), 0);
    },
    wide,
  ));

test("a phone shows one pane at a time", limit, () =>
  withPage(
    fixture,
    async (page) => {
      const a = await page.active();
      const b = await splitRight(page);
      await page.page.setViewportSize({ width: 390, height: 700 });
      await expectShown(page, [b]);
      assert.equal(await page.page.locator("[role=tab]").count(), 2);
      await page.page.click(`#hf-tab-${a}`);
      await expectShown(page, [a]);
      await expectFit(page, a);
      await page.page.setViewportSize(wide.viewport);
      await expectShown(page, [a, b]);
    },
    wide,
  ));
