// Fingers: scrolling, selecting, pasting, and keys that a phone does not have.

import assert from "node:assert/strict";
import { test } from "node:test";

import { limit, shared, withPage } from "./fixture.mjs";
import { Finger, phone } from "./touch.mjs";
import { until } from "../node/until.mjs";

const fixture = shared();
const viewport = (page) => page.page.evaluate(() => globalThis.holdfast.screenOf(globalThis.holdfast.state.active).terminal.buffer.active.viewportY);
const selection = (page) => page.page.evaluate(() => globalThis.holdfast.screenOf(globalThis.holdfast.state.active).terminal.getSelection());

// The middle of a text at the beginning of a line, in pixels.
async function placeOf(page, text) {
  const box = await page.page.locator(".xterm-screen:visible").boundingBox();
  const row = (await page.lines()).findIndex((line) => line.startsWith(text));
  const [{ size }] = await page.tabs();
  return [box.x + ((text.length / 2) * box.width) / size.cols, box.y + ((row + 0.5) * box.height) / size.rows, box.width / size.cols, box.height / size.rows];
}

test("a finger scrolls through what was printed, and through less", limit, () =>
  withPage(
    fixture,
    async (page, context) => {
      const finger = await Finger.on(page, context);
      await page.run("seq 1 300");
      await page.sees(/^300$/);
      const bottom = await viewport(page);
      await finger.drag(150, 150, 450);
      const up = await viewport(page);
      assert.ok(up < bottom - 5, `${bottom} to ${up}`);
      await finger.drag(150, 450, 150);
      await until(async () => (await viewport(page)) === bottom, "the end");

      await page.run("seq 1 300 | less");
      await page.sees(/^:/);
      await page.sees(/^1$/);
      await finger.drag(150, 450, 150);
      await until(async () => Number((await page.lines())[0]) > 5, "less to scroll down");
      await finger.drag(150, 150, 450);
      await until(async () => (await page.lines())[0] === "1", "less to scroll up");
      await page.type("q");
    },
    phone,
  ));

test("holding selects a word, dragging on selects more, and it can be copied and pasted", limit, () =>
  withPage(
    fixture,
    async (page, context) => {
      const finger = await Finger.on(page, context);
      await page.run("clear; echo; echo first second third; cat");
      await page.sees(/^first second third$/);
      const [x, y, width] = await placeOf(page, "first");
      await finger.down(x, y);
      await until(async () => (await selection(page)) === "first", "the word");
      await finger.move(x + width * 8, y);
      await until(async () => (await selection(page)) === "first second".slice(0, 11), "more");
      await finger.up();
      assert.equal(await selection(page), "first secon");
      await page.page.tap('[role="toolbar"] >> text=Copy');
      await until(() => page.page.evaluate(async () => (await navigator.clipboard.readText()) === "first secon"), "the clipboard");
      await page.page.tap('[role="toolbar"] >> text=Paste');
      await page.sees(/^first secon$/);
      // Pasting with a button asks as well.
      await page.page.evaluate(() => navigator.clipboard.writeText("one\ntwo\n"));
      await page.page.tap('[role="toolbar"] >> text=Paste');
      await page.page.waitForSelector("text=Paste 2 lines?");
      await page.page.tap("dialog >> text=Cancel");
      await page.press("Control+c");
    },
    phone,
  ));

test("Alt is there, and every target is large enough for a finger", limit, () =>
  withPage(
    fixture,
    async (page) => {
      await page.page.tap(".xterm-screen");
      await page.run("cat -v");
      await page.page.tap('[role="toolbar"] >> text=Alt');
      await page.page.keyboard.insertText("b");
      await page.page.tap('[role="toolbar"] >> text=Alt');
      await page.page.tap('[aria-label="Left"]');
      await page.press("Enter");
      await page.sees("^[b^[[1;3D");
      await page.press("Control+c");
      const sizes = () =>
        page.page.evaluate(() =>
          [...document.querySelectorAll("button, select, input, [role=option]")]
            .map((each) => ({ name: each.getAttribute("aria-label") ?? each.textContent, box: each.getBoundingClientRect() }))
            .filter(({ box }) => box.width > 0 && (box.width < 44 || box.height < 44))
            .map(({ name, box }) => `${name}: ${Math.round(box.width)}×${Math.round(box.height)}`),
        );
      assert.deepEqual(await sizes(), []);
      await page.page.tap("text=Commands");
      await page.page.waitForSelector("[role=option]");
      assert.deepEqual(await sizes(), []);
      await page.press("Escape");
    },
    phone,
  ));
