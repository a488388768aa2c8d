// Keyboard and mouse: shortcuts, input methods, paste, copy, links, and a phone.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";

import { images, limit, shared, withPage } from "./fixture.mjs";
import { until } from "../node/until.mjs";

const fixture = shared();

// Where a text is on the screen, in pixels: the middle of its first occurrence.
async function placeOf(page, text) {
  const box = await page.page.locator(".xterm-screen:visible").boundingBox();
  const row = (await page.lines()).findLastIndex((line) => line.startsWith(text));
  const [{ size }] = await page.tabs();
  return { x: box.x + ((text.length / 2) * box.width) / size.cols, y: box.y + ((row + 0.5) * box.height) / size.rows };
}

test("everything by keyboard alone", limit, () =>
  withPage(fixture, async (page) => {
    const first = await page.active();
    const second = await page.newTerminal();
    const third = await page.newTerminal();
    await page.press("Control+Shift+ArrowLeft");
    assert.equal(await page.active(), second);
    await page.press("Alt+3");
    assert.equal(await page.active(), third);
    await page.press("Control+Shift+Alt+ArrowLeft");
    await until(async () => (await page.tabs()).map(({ terminalId }) => terminalId).join() === [first, third, second].join(), "the tab to move");

    await page.press("Control+Shift+e");
    await page.type("by keys");
    await page.press("Enter");
    await until(async () => (await page.tabs())[1].name === "by keys", "the name");

    // Along the tabs and back into the terminal.
    await page.press("Control+Shift+ArrowUp", "ArrowRight");
    await until(async () => (await page.active()) === second, "the tab to the right");
    await page.press("Escape");
    await page.run("echo focus $((50 + 5))");
    await page.sees("focus 55");

    // Find.
    await page.press("Control+Shift+f");
    await page.type("focus 5");
    await page.page.waitForSelector("text=1 of 1");
    await page.press("Escape");

    // Help, which Escape closes.
    await page.press("Control+Shift+?");
    await page.page.waitForSelector('dialog[aria-label="Keyboard shortcuts"]');
    await page.page.screenshot({ path: `${images}help.png` });
    await page.press("Escape");
    await until(async () => !(await page.page.$("dialog[open]")), "the help to close");

    // Text size.
    const width = async () => (await page.state()).panes.cell.width;
    const before = await width();
    await page.press("Control+=", "Control+=");
    await until(async () => (await width()) > before, "larger text");
    await page.press("Control+0");
    await until(async () => (await width()) === before, "the normal size");

    // The tab shows the exit until Enter runs the program again.
    await page.run("exit 3");
    await page.page.waitForSelector("text=Exited with 3");
    await page.press("Enter");
    await page.connected(3);
    await page.sees("ready>");

    await page.press("Control+Shift+x");
    await page.connected(2);
  }));

test("what lies over the terminal gives the focus back in the moment it goes", limit, () =>
  withPage(fixture, async (page) => {
    for (const key of ["Control+Shift+k", "Control+Shift+s", "Control+Shift+?"]) {
      await page.press(key);
      await page.page.waitForSelector("dialog[open]");
      const focused = await page.page.evaluate(
        () =>
          new Promise((resolve) => {
            const look = () => document.querySelector("dialog") ?? resolve(document.activeElement.className);
            new MutationObserver(look).observe(document.body, { subtree: true, childList: true });
            document.querySelector("dialog").dispatchEvent(new Event("cancel", { cancelable: true }));
          }),
      );
      assert.equal(focused, "xterm-helper-textarea", key);
    }
  }));

test("what opens in the moment something else goes keeps the focus", limit, () =>
  withPage(fixture, async (page) => {
    // The page gave the focus back one frame later, to the terminal under what had opened meanwhile.
    for (const [key, field] of [["k", "dialog input"], ["f", ".hf-search input"]]) {
      await page.press("Control+Shift+k");
      await page.page.waitForSelector("dialog[open]");
      const isThere = await page.page.evaluate(
        async ([key, field]) => {
          const press = (target, init) => target.dispatchEvent(new KeyboardEvent("keydown", { bubbles: true, cancelable: true, ...init }));
          press(document.querySelector("dialog input"), { key: "Escape" });
          press(document.querySelector(".hf-main"), { key: key.toUpperCase(), ctrlKey: true, shiftKey: true });
          for (let frame = 0; frame < 3; ++frame) await new Promise(requestAnimationFrame);
          return document.activeElement === document.querySelector(field);
        },
        [key, field],
      );
      assert.ok(isThere, `Ctrl+Shift+${key}: ${await page.page.evaluate(() => document.activeElement.outerHTML)}`);
      await page.press("Escape");
      await until(async () => (await page.page.$(field)) === null, "it to be closed");
    }
  }));

test("an input method composes in place, and the terminal gets what it made, once", limit, () =>
  withPage(fixture, async (page, context) => {
    const input = await context.newCDPSession(page.page);
    const compose = (text) => input.send("Input.imeSetComposition", { text, selectionStart: text.length, selectionEnd: text.length });
    await page.run("cat");
    for (const text of ["n", "ni", "に", "にほ", "日本"]) await compose(text);
    await page.page.waitForSelector(".composition-view.active >> text=日本");
    assert.ok(!(await page.lines()).some((line) => /n|に|日/.test(line)), "nothing is sent while it is composed");
    await input.send("Input.insertText", { text: "日本" });
    await page.sees(/^日本$/);
    await page.press("Enter");
    await until(async () => (await page.lines()).filter((line) => line === "日本").length === 2, "the echo and the line itself");
    await compose("x");
    await compose("");
    // xterm.js reads a composition shortly after its end, with whatever is there by then.
    await page.drawn();
    await page.run("after");
    await until(async () => (await page.lines()).filter((line) => line === "after").length === 2, "what is typed after a composition that was given up");
    await page.press("Control+c");
  }));

test("what is selected is copied", limit, () =>
  withPage(
    fixture,
    async (page) => {
      await page.run("echo; echo copy-me and-not-me");
      await page.sees(/^copy-me/);
      const { x, y } = await placeOf(page, "copy-me");
      await page.page.mouse.dblclick(x, y);
      await page.press("Control+Shift+c");
      await until(() => page.page.evaluate(async () => (await navigator.clipboard.readText()) === "copy-me"), "the clipboard");
      await page.run("echo the keys are still $((70 + 7))");
      await page.sees("the keys are still 77");
    },
    { permissions: ["clipboard-read", "clipboard-write"] },
  ));

test("links open in another window, on Ctrl and a click", limit, () =>
  withPage(
    fixture,
    async (page, context) => {
      const opened = [];
      context.on("page", (each) => opened.push(each));
      const follow = async (text, modifiers) => {
        await page.sees(new RegExp(`^${text}`));
        const { x, y } = await placeOf(page, text);
        // From elsewhere: a mouse that stays does not tell where it is.
        await page.page.mouse.move(x, y + 200);
        await page.page.mouse.move(x, y);
        await page.page.waitForSelector(".xterm-screen.xterm-cursor-pointer");
        for (const each of modifiers) await page.page.keyboard.down(each);
        await page.page.mouse.click(x, y);
        for (const each of modifiers) await page.page.keyboard.up(each);
      };
      await page.run("clear; printf 'https://example.org/plain\\n\\e]8;;https://example.org/hidden\\e\\\\worded\\e]8;;\\e\\\\\\n\\e]8;;javascript:alert(1)\\e\\\\harmful\\e]8;;\\e\\\\\\n'");
      await follow("https://example.org/plain", []);
      await follow("https://example.org/plain", ["Control"]);
      await until(() => opened.length === 1, "the window of the plain link");
      // A program's link can say one thing and lead to another: its target is shown.
      await follow("worded", ["Control"]);
      await page.page.waitForSelector("dialog >> text=https://example.org/hidden");
      await page.press("Enter");
      await until(async () => !(await page.page.$("dialog")), "the question to go");
      assert.equal(opened.length, 1, "the default is not to go there");
      await follow("worded", []);
      await page.page.waitForSelector(".hf-main__target >> text=https://example.org/hidden");
      await follow("worded", ["Control"]);
      await page.page.click("dialog >> text='Open'");
      await until(() => opened.length === 2, "the window of the worded link");
      await until(() => opened.map((each) => each.url()).join() === "https://example.org/plain,https://example.org/hidden", "their addresses");
      const { x, y } = await placeOf(page, "harmful");
      await page.page.keyboard.down("Control");
      await page.page.mouse.click(x, y);
      await page.page.keyboard.up("Control");
      await page.page.evaluate(() => new Promise(requestAnimationFrame));
      assert.equal(opened.length, 2);
      assert.equal(await opened[0].evaluate(() => window.opener), null, "a window that is opened has no hold of this one");
    },
    { prepare: (context) => context.route("https://example.org/**", (route) => route.fulfill({ body: "there" })) },
  ));

// The page types with `send`, as programs do, and a program's lease refuses those.
test("a person who types takes the keyboard back from a program", limit, () =>
  withPage(fixture, async (page) => {
    const terminalId = await page.active();
    const { lease } = await fixture.daemon.asking((ask) => ask("lease", { terminalId, seconds: 60, holder: "bot" }));
    await page.run("echo a person $((4 + 5))");
    await page.sees("a person 9");
    const refused = await fixture.daemon.asking((ask) => ask("send", { terminalId, text: "x", lease }));
    assert.match(refused.error, /a person took the keyboard back/);
    assert.deepEqual((await page.state()).toasts, []);
  }));

test("a paste larger than a message arrives whole", limit, () =>
  withPage(fixture, async (page) => {
    // A terminal in line mode drops input that is too long for one line.
    await page.run("stty -echo -icanon; echo read''y; head -c 3000000 | md5sum; stty sane");
    await page.sees(/^ready$/);
    await page.page.evaluate(() => globalThis.holdfast.input(globalThis.holdfast.state.active, "x".repeat(3_000_000)));
    await page.sees(createHash("md5").update("x".repeat(3_000_000)).digest("hex"), { timeout: 30_000 });
  }));

test("on a phone: the extra keys work and the focus stays", limit, () =>
  withPage(
    fixture,
    async (page) => {
      await page.page.tap(".xterm-screen");
      await page.run("sleep 100");
      await page.page.tap('[role="toolbar"] >> text=Ctrl');
      await page.page.keyboard.insertText("c");
      await until(async () => (await page.lines()).filter((line) => line.startsWith("ready>")).length === 2, "Ctrl-C");
      await page.page.keyboard.insertText("echo one");
      await page.press("Enter");
      await page.sees(/^one$/);
      await page.page.tap('[aria-label="Up"]');
      await page.press("Enter");
      await until(async () => (await page.lines()).filter((line) => line === "one").length === 2, "the line from the history");
      assert.equal(await page.page.evaluate(() => document.activeElement.className), "xterm-helper-textarea");
      const [{ size }] = await page.tabs();
      assert.ok(size.cols >= 30 && size.cols < 60, `${size.cols} columns`);
      await page.drawn();
      await page.page.screenshot({ path: `${images}phone.png` });
    },
    { viewport: { width: 390, height: 700 }, hasTouch: true, isMobile: true },
  ));
