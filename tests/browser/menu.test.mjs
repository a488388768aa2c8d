// The menus of terminals and tabs: by the right button, by a finger that is held, and by the Menu key.

import assert from "node:assert/strict";
import { test } from "node:test";

import { bringAxe, choose, findings, themes } from "./axe.mjs";
import { images, limit, shared, withPage } from "./fixture.mjs";
import { Finger, phone } from "./touch.mjs";
import { until } from "../node/until.mjs";

const fixture = shared();
const viewport = { width: 1000, height: 560 };
const clipboard = { permissions: ["clipboard-read", "clipboard-write"] };

async function items(page) {
  await page.page.waitForSelector("[role=menu]");
  return await page.page.$$eval("[role=menu] [role=menuitem] > span", (all) => all.map(({ textContent }) => textContent));
}
const focused = (page) => page.page.evaluate(() => document.activeElement?.querySelector("span")?.textContent);
const isGone = (page) => until(async () => !(await page.page.$("[role=menu]")), "the menu to go");
const hasFocus = (page) => until(() => page.page.evaluate(() => document.activeElement?.classList.contains("xterm-helper-textarea")), "the terminal to have the focus");
const tab = (number) => `[role=tab] >> text=Terminal ${number}`;

// Counts the menus that the browser would show.
async function countOwn(page) {
  await page.page.evaluate(() => {
    globalThis.ownMenus = 0;
    addEventListener("contextmenu", (event) => {
      if (!event.defaultPrevented) ++globalThis.ownMenus;
    });
  });
  return () => page.page.evaluate(() => globalThis.ownMenus);
}

test("a terminal's menu: copy, paste, select all, find, settings", limit, () =>
  withPage(
    fixture,
    async (page) => {
      await page.run("clear; echo something to copy; cat");
      await page.sees(/^something to copy$/);
      await page.page.click(".xterm-screen:visible", { button: "right", position: { x: 300, y: 150 } });
      assert.deepEqual(await items(page), ["Copy", "Paste", "Select all", "Upload files", "Download a file", "Find in the terminal", "Command bar", "Settings"]);
      assert.equal(await focused(page), "Paste", "there is nothing to copy");
      await page.drawn();
      await page.page.screenshot({ path: `${images}menu.png` });
      await page.press("s");
      assert.equal(await focused(page), "Select all");
      await page.press("Enter");
      await isGone(page);
      await hasFocus(page);
      await page.page.click(".xterm-screen:visible", { button: "right", position: { x: 300, y: 150 } });
      assert.equal(await focused(page), "Copy");
      await page.press("Enter");
      await until(() => page.page.evaluate(async () => (await navigator.clipboard.readText()).includes("something to copy")), "the clipboard");
      await page.page.evaluate(() => navigator.clipboard.writeText("pasted"));
      await page.page.click(".xterm-screen:visible", { button: "right", position: { x: 300, y: 150 } });
      await page.page.click("[role=menuitem] >> text=Paste");
      await page.sees("pasted");
      await page.page.click(".xterm-screen:visible", { button: "right", position: { x: 300, y: 150 } });
      await page.page.click("[role=menuitem] >> text=Settings");
      await page.page.waitForSelector('dialog[aria-label="Settings"]');
      await page.press("Escape");
      await page.page.click(".xterm-screen:visible", { button: "right", position: { x: 300, y: 150 } });
      await page.page.click("[role=menuitem] >> text=Find");
      await until(() => page.page.evaluate(() => document.activeElement?.closest(".hf-search") !== null), "find to have the focus");
      await page.press("Escape");
      await page.press("Control+c");
    },
    { viewport, ...clipboard },
  ));

test("the Menu key opens it at the cursor, keys go through it, Escape leaves", limit, () =>
  withPage(
    fixture,
    async (page) => {
      await page.press("ContextMenu");
      await page.page.waitForSelector("[role=menu]");
      const { x, y } = await page.page.locator("[role=menu]").boundingBox();
      const size = await page.page.evaluate(() => {
        const { width, height } = document.querySelector(".xterm-screen").getBoundingClientRect();
        return [width, height];
      });
      assert.ok(x > 0 && x < size[0] / 4 && y < size[1] / 3, `${x}, ${y}`);
      await page.press("End");
      assert.equal(await focused(page), "Settings");
      await page.press("ArrowDown", "ArrowDown");
      assert.equal(await focused(page), "Paste");
      await page.press("Escape");
      await isGone(page);
      await hasFocus(page);
      await page.run("echo still here");
      await page.sees(/^still here$/);
    },
    { viewport },
  ));

test("with Shift the browser shows its own menu; a program that takes the mouse gets the button", limit, () =>
  withPage(
    fixture,
    async (page) => {
      const own = await countOwn(page);
      const click = (options) => page.page.click(".xterm-screen:visible", { button: "right", position: { x: 100, y: 100 }, ...options });
      await click({ modifiers: ["Shift"] });
      assert.equal(await page.page.$("[role=menu]"), null);
      assert.equal(await own(), 1);
      await page.run("printf '\\e[?1000h\\e[?1006h'; cat -v");
      await until(() => page.page.evaluate(() => globalThis.holdfast.screenOf(globalThis.holdfast.state.active).terminal.modes.mouseTrackingMode === "vt200"), "the mouse");
      await click();
      await page.press("Enter");
      await page.sees("^[[<2;");
      assert.equal(await page.page.$("[role=menu]"), null);
      assert.equal(await own(), 1);
      await page.press("ContextMenu");
      await page.page.waitForSelector("[role=menu]");
      await page.press("Escape");
      await isGone(page);
      await page.press("Control+c");
    },
    { viewport },
  ));

test("a tab's menu: rename, move, close, new with a profile", limit, () =>
  withPage(
    fixture,
    async (page) => {
      const first = await page.active();
      await page.newTerminal();
      const order = async () => (await page.tabs()).map(({ terminalId }) => terminalId);
      await page.page.click(tab(1), { button: "right" });
      assert.deepEqual(await items(page), ["Rename terminal", "Move tab left", "Move tab right", "New terminal", "New terminal: Greeter", "Tell me everything", "Tell me only when it waits", "Tell me nothing", "Close terminal"]);
      await page.drawn();
      await page.page.screenshot({ path: `${images}menu-tab.png` });
      await page.page.click("[role=menuitem] >> text=Move tab right");
      await until(async () => (await order())[1] === first, "the tab to be moved");
      await page.page.click(tab(2), { button: "right" });
      await page.page.click("[role=menuitem] >> text=Rename terminal");
      await page.type("renamed");
      await page.press("Enter");
      await until(async () => (await page.tabs())[1].name === "renamed", "the name");
      // By the keyboard alone.
      await page.press("Control+Shift+ArrowUp", "ContextMenu");
      await page.page.waitForSelector('[role=menu][aria-label="Tab menu"]');
      await page.type("new");
      await page.press("ArrowDown");
      assert.equal(await focused(page), "New terminal: Greeter");
      await page.press("Enter");
      await page.connected(3);
      await page.sees("hello from a profile");
      await page.page.click("text=renamed", { button: "right" });
      await page.page.click("[role=menuitem] >> text=Close terminal");
      await page.connected(2);
      assert.ok(!(await order()).includes(first));
    },
    {
      viewport,
      prepare: () => fixture.daemon.prefer({ profiles: [{ name: "Greeter", command: "echo hello from a profile; exec cat" }] }),
    },
  ));

test("holding a finger selects a word and shows the menu", limit, () =>
  withPage(
    fixture,
    async (page, context) => {
      const finger = await Finger.on(page, context);
      await page.run("clear; echo; echo first second third; cat");
      await page.sees(/^first second third$/);
      const box = await page.page.locator(".xterm-screen:visible").boundingBox();
      const row = (await page.lines()).indexOf("first second third");
      const [{ size }] = await page.tabs();
      await finger.down(box.x + (8.5 * box.width) / size.cols, box.y + ((row + 0.5) * box.height) / size.rows);
      await until(() => page.page.evaluate(() => globalThis.holdfast.screenOf(globalThis.holdfast.state.active).terminal.getSelection() === "second"), "the word");
      assert.equal(await page.page.$("[role=menu]"), null, "the finger may still move");
      await finger.up();
      await page.page.waitForSelector("[role=menu]");
      const { x, width } = await page.page.locator("[role=menu]").boundingBox();
      assert.ok(x >= 0 && x + width <= 390, `${x} + ${width}`);
      await page.drawn();
      await page.page.screenshot({ path: `${images}phone-menu.png` });
      await page.page.tap("[role=menuitem] >> text=Copy");
      await until(() => page.page.evaluate(async () => (await navigator.clipboard.readText()) === "second"), "the clipboard");
      await isGone(page);
      await page.press("Control+c");
    },
    phone,
  ));

for (const theme of themes)
  test(`axe finds nothing serious in the menus: ${theme}`, limit, () =>
    withPage(
      fixture,
      async (page) => {
        await bringAxe(page);
        await page.page.waitForSelector(`[data-theme=${theme}]`);
        await page.press("ContextMenu");
        await page.page.waitForSelector("[role=menu]");
        const found = await findings(page, "the terminal's");
        await page.press("Escape");
        await page.page.click(tab(1), { button: "right" });
        await page.page.waitForSelector("[role=menu]");
        found.push(...(await findings(page, "the tab's")));
        await page.press("Escape");
        assert.deepEqual(found, []);
      },
      { viewport, prepare: choose(theme) },
    ));
