// Finding: in a terminal by case, word and regular expression, and in all terminals at once.

import assert from "node:assert/strict";
import { test } from "node:test";

import { bringAxe, choose, findings, themes } from "./axe.mjs";
import { images, limit, shared, withDaemon, withPage } from "./fixture.mjs";
import { until } from "../node/until.mjs";

const fixture = shared();
const viewport = { width: 1000, height: 600 };
const count = (page) => page.page.locator(".hf-search__count").textContent();
const selection = (page) => page.page.evaluate(() => globalThis.holdfast.screenOf(globalThis.holdfast.state.active).terminal.getSelection());
async function untilCount(page, wanted) {
  let last;
  await until(async () => (last = await count(page)) === wanted, () => `“${wanted}” in place of “${last}”`, 15_000);
}

async function choice(page, name) {
  await page.page.click(`button[aria-label="${name}"]`);
}

test("case, whole words and regular expressions, and counts beyond a thousand", limit, () =>
  withPage(
    fixture,
    async (page) => {
      await page.run('clear; for i in $(seq 1500); do echo "Fail fail failed $i"; done');
      await page.sees(/^Fail fail failed 1500$/);
      await page.press("Control+Shift+f");
      await page.page.fill(".hf-search input", "fail failed");
      await untilCount(page, "1500 of 1500");
      await page.page.fill(".hf-search input", "fail");
      await untilCount(page, "4500 of 4500");
      await choice(page, "Match case");
      await untilCount(page, "3000 of 3000");
      await choice(page, "Whole words");
      await untilCount(page, "1500 of 1500");
      await page.page.click('button[aria-label="Previous match"]');
      await untilCount(page, "1499 of 1500");
      await choice(page, "Regular expression");
      await page.page.fill(".hf-search input", "failed 1[0-9]{3}");
      await untilCount(page, "501 of 501");
      await page.drawn();
      await page.page.screenshot({ path: `${images}find.png` });
      await page.page.fill(".hf-search input", "(");
      await untilCount(page, "Not a regular expression");
      await page.page.focus('button[aria-label="Next match"]');
      await page.press("Escape");
      await page.page.waitForSelector(".hf-search", { state: "detached" });
      await page.type("echo typed");
      await page.sees(/ready> echo typed$/);
    },
    { viewport },
  ));

async function openEverywhere(page, text) {
  await page.press("Control+Shift+g");
  await page.page.waitForSelector('dialog[aria-label="Find in all terminals"]');
  await page.page.fill("dialog input", text);
}

const found = (page) => page.page.locator(".hf-everywhere__found").allTextContents();
const footer = (page) => page.page.locator(".hf-everywhere .hf-picker__footer").textContent();

test("one panel finds lines in all terminals of all sessions, and goes to them", limit, () =>
  withPage(
    fixture,
    async (page) => {
      const first = await page.active();
      await page.run("clear; seq -f 'apple %g' 1 200; echo 'a pear here'; seq 1 200");
      await page.sees(/^200$/);
      await page.newTerminal();
      await page.run("clear; echo 'a Pear there'; echo pearl");
      await page.sees(/^pearl$/);
      await page.page.evaluate(() => globalThis.holdfast.sessions.create("other"));
      await until(async () => (await page.state()).session === "other", "the other session");
      await page.connected(1);
      await page.sees("ready>");
      await page.run("clear; echo 'other pear'");
      await page.sees(/^other pear$/);

      await openEverywhere(page, "pear");
      await until(async () => (await footer(page)) === "4 lines in 3 terminals", "all lines", 15_000);
      assert.deepEqual(await found(page), ["a pear here", "a Pear there", "pearl", "other pear"]);
      await choice(page, "Match case");
      await until(async () => (await footer(page)) === "3 lines in 3 terminals", "those in small letters", 15_000);
      await choice(page, "Whole words");
      await until(async () => (await found(page)).join() === "a pear here,other pear", "whole words", 15_000);
      await page.drawn();
      await page.page.screenshot({ path: `${images}find-everywhere.png` });
      await choice(page, "Regular expression");
      await page.page.fill("dialog input", "^a pear");
      await until(async () => (await found(page)).join() === "a pear here", "one line", 15_000);
      await page.page.fill("dialog input", "pear here$");
      await until(async () => (await found(page)).join() === "a pear here", "the same line", 15_000);
      await page.press("Enter");
      await until(async () => (await page.active()) === first && (await page.state()).session === "main", "the terminal", 15_000);
      await until(async () => (await selection(page)).trim() === "a pear here", "the line", 15_000);
    },
    { viewport },
  ));

test("the saved output of terminals that stopped is found too, and they are reopened there", limit, () =>
  withDaemon({}, (own) =>
    withPage(own, async (page) => {
      const stopped = await page.active();
      await page.run("clear; echo 'precious line'; seq 1 60");
      await page.sees(/^60$/);
      // Ending, the daemon saves what is left.
      await own.daemon.kill("SIGTERM");
      await page.disconnected();
      await own.daemon.run();
      await page.connected(1);
      await own.daemon.killAll();
      await until(async () => (await page.tabs())[0]?.status === "restorable", "a tab that can be restored");
      await openEverywhere(page, "precious line");
      await until(async () => (await found(page)).join() === "precious line", "the saved line", 15_000);
      await page.press("Enter");
      await until(async () => (await selection(page)).trim() === "precious line", "the line in the terminal", 15_000);
      assert.equal(await page.active(), stopped);
    }),
  ));

for (const theme of themes)
  test(`axe finds nothing serious where one finds: ${theme}`, limit, () =>
    withPage(
      fixture,
      async (page) => {
        await bringAxe(page);
        await page.run("echo apple");
        await page.sees(/^apple$/);
        await page.press("Control+Shift+f");
        await page.page.fill(".hf-search input", "apple");
        await choice(page, "Match case");
        await until(async () => (await count(page)) !== "", "the count");
        const seen = await findings(page, "find");
        await choice(page, "Find in all terminals");
        await until(async () => (await found(page)).includes("apple"), "the line", 15_000);
        seen.push(...(await findings(page, "find in all terminals")));
        await page.page.fill("dialog input", "nothing has this");
        await until(async () => (await footer(page)) === "No matches", "nothing");
        seen.push(...(await findings(page, "nothing found")));
        assert.deepEqual(seen, []);
      },
      { prepare: choose(theme) },
    ));
