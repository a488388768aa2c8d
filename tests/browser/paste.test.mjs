// Pasting: nothing in a text is a key, and nothing runs that a person has not seen and agreed to.

import assert from "node:assert/strict";
import { test } from "node:test";

import { limit, shared, withPage } from "./fixture.mjs";
import { until } from "../node/until.mjs";

const fixture = shared();
const clipboard = { permissions: ["clipboard-read", "clipboard-write"] };

// What ran before by itself: the text ends the brackets, then runs a command.
const attack = "echo safe\x1b[201~\ntouch ran\x9b201~\x03\x15\x7f\n";

const isBracketed = (page) => page.page.evaluate(() => globalThis.holdfast.screenOf(globalThis.holdfast.state.active).terminal.modes.bracketedPasteMode);

// bash turns the mode off while a command runs, so it is looked at only after that.
let settings = 0;
async function setBracketed(page, on) {
  settings += 1;
  await page.run(`bind 'set enable-bracketed-paste ${on ? "on" : "off"}'; echo s''et ${settings}`);
  await page.sees(new RegExp(`^set ${settings}$`));
  await until(async () => (await isBracketed(page)) === on, "the mode");
}

// Starts a program that shows what it gets, line by line, and has no brackets.
async function runCat(page) {
  await setBracketed(page, false);
  await page.run("echo st''arted; cat");
  await page.sees(/^started$/);
}

async function focusIsBack(page) {
  await until(() => page.page.evaluate(() => !document.querySelector("dialog") && document.activeElement.className === "xterm-helper-textarea"), "the focus to come back");
}

const copied = (page, text) => page.page.evaluate((text) => navigator.clipboard.writeText(text), text);
const middle = async (page) => {
  const { x, y, width, height } = await page.page.locator(".xterm-screen:visible").boundingBox();
  return [x + width / 2, y + height / 2];
};

// Each puts the text into the terminal as a person would.
const ways = {
  keyboard: async (page, text) => {
    await copied(page, text);
    await page.press("Control+Shift+v");
  },
  // A menu and a middle click make the browser send this event.
  "menu or middle click": (page, text) =>
    page.page.evaluate((text) => {
      const data = new DataTransfer();
      data.setData("text/plain", text);
      document.querySelector(".xterm-screen").dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
    }, text),
  drop: async (page, text, context) => {
    const [x, y] = await middle(page);
    const input = await context.newCDPSession(page.page);
    const data = { items: [{ mimeType: "text/plain", data: text }], dragOperationsMask: 1 };
    for (const type of ["dragEnter", "dragOver", "drop"]) await input.send("Input.dispatchDragEvent", { type, x, y, data });
  },
  "on-screen keyboard": (page, text) => page.page.keyboard.insertText(text),
};

for (const [name, paste] of Object.entries(ways))
  test(`${name}: lines are pasted into a plain program only after a question, whose default is no`, limit, () =>
    withPage(
      fixture,
      async (page, context) => {
        await runCat(page);
        await paste(page, "one\ntwo\n", context);
        await page.page.waitForSelector("text=Paste 2 lines?");
        assert.equal(await page.page.textContent("dialog pre"), "one\ntwo\n", "it shows what would be pasted");
        await page.press("Enter");
        await focusIsBack(page);
        await paste(page, "three\nfour\n", context);
        await page.page.waitForSelector("text=Paste 2 lines?");
        await page.page.click("dialog >> text='Paste'");
        await page.sees(/^four$/);
        assert.ok(!(await page.lines()).includes("one"));
        await focusIsBack(page);
        await page.press("Control+c");
      },
      clipboard,
    ));

test("a single line with a line end at its end is asked about too", limit, () =>
  withPage(
    fixture,
    async (page) => {
      await runCat(page);
      await ways.keyboard(page, "reboot\n");
      await page.page.waitForSelector("text=Paste this line and run it?");
      await page.press("Escape");
      await focusIsBack(page);
      await ways.keyboard(page, "no line end");
      await page.sees(/^no line end$/);
      assert.ok(!(await page.lines()).includes("reboot"));
      await page.press("Control+c");
    },
    clipboard,
  ));

// Clipboard text from a page can contain the closing bracket; what follows would count as typed.
test("nothing in a paste ends it or is a key", limit, () =>
  withPage(
    fixture,
    async (page) => {
      await setBracketed(page, true);
      await ways.keyboard(page, `${attack}# end`);
      await page.sees("# end");
      assert.ok((await page.lines()).some((line) => line.includes("echo safe[201~")), "it stands there as text");
      await page.press("Control+c");
      // The shell may drop what is typed before it shows its prompt again.
      await page.sees(/^ready>\s*$/);
      await setBracketed(page, false);
      await ways.keyboard(page, attack);
      await page.page.waitForSelector("dialog >> text=Paste 2 lines?");
      assert.equal(await page.page.textContent("dialog pre"), "echo safe[201~\ntouch ran201~\n");
      await page.press("Escape");
      await focusIsBack(page);
      await page.run("ls ran*; echo look''ed");
      await page.sees(/^looked$/);
      await page.sees(/cannot access 'ran\*'/);
    },
    clipboard,
  ));
