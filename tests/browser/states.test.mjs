// What terminals do: on tabs, in the page's title and icon. What happened: a list, and notifications.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { bringAxe, choose, findings, themes } from "./axe.mjs";
import { images, limit, shared, withPage } from "./fixture.mjs";
import { until } from "../node/until.mjs";

const fixture = shared({ args: ["--shell", "/bin/bash"] });
const mark = (page, id, kind) => page.page.waitForSelector(`.hf-tab:has(#hf-tab-${id}) .hf-tab__mark--${kind}`);
const icon = (page) => page.page.evaluate(() => document.querySelector('link[rel="icon"]').getAttribute("href"));
const goOn = (name) => writeFileSync(join(fixture.daemon.home, name), "");
const until_there = (name) => `until [ -e ${name} ]; do sleep 0.05; done`;

// bash with our integration and its own prompt.
const prompt = /[$#] ?$/;
async function withShell(use, options = {}) {
  await fixture.daemon.asking((ask) => ask("create", { terminalId: "first", command: ["bash"] }));
  try {
    await withPage(
      fixture,
      async (page, ...more) => {
        await page.sees(prompt);
        await use(page, ...more);
      },
      { keeps: true, ...options },
    );
  } finally {
    await fixture.daemon.clear();
  }
}
async function open(page) {
  const before = (await page.tabs()).length;
  await page.press("Control+Shift+Enter");
  await page.connected(before + 1);
  await page.sees(prompt);
  return await page.active();
}

test("tabs, title and icon show what runs, what failed and what waits", limit, () =>
  withShell(
    async (page) => {
      const builds = await page.active();
      await page.run(`printf '\\e]2;builds\\a'; ${until_there("built")}; (exit 2)`);
      await mark(page, builds, "running");
      await until(async () => (await icon(page)) === "/icon-running.svg", "the icon to show that something runs");
      const agent = await open(page);
      await page.run("printf '\\e]2;agent\\a\\e]9;May I delete the branch?\\a'; read x");
      await mark(page, agent, "waiting");
      await until(async () => (await page.page.title()) === "(1) agent · Holdfast", "the title to count it");
      assert.equal(await icon(page), "/icon-waiting.svg");
      goOn("built");
      await mark(page, builds, "failed");
      const done = await open(page);
      await page.run("printf '\\e]2;tests\\a'; true");
      await mark(page, done, "succeeded");
      const said = await page.page.locator(`#hf-tab-${agent}`).textContent();
      assert.match(said, /is waiting for you: May I delete the branch\?/);
      await page.page.screenshot({ path: `${images}states.png` });
      await page.press("Alt+2");
      await until(async () => (await page.page.evaluate(() => document.activeElement.closest("[data-terminal]")?.dataset.terminal)) === agent, "the agent's terminal to have the focus");
      await page.press("Enter");
      await until(async () => (await page.page.title()) === "agent · Holdfast", "nothing to wait any more");
      await until(async () => (await icon(page)) === "/icon-failed.svg", "the icon to show what failed");
      await fixture.daemon.kill();
      await fixture.daemon.run();
      await page.connected(3);
      await mark(page, builds, "failed");
    },
    { viewport: { width: 1000, height: 360 } },
  ));

test("a tab shows the most urgent of its panes", limit, () =>
  withShell(async (page) => {
    const first = await page.active();
    await page.run("printf '\\a'; read x");
    await mark(page, first, "waiting");
    await page.press("Control+Shift+d");
    await page.connected(2);
    await mark(page, await page.active(), "waiting");
  }));

test("what happened is listed, counted until it is seen, and goes to its terminal", limit, () =>
  withShell(
    async (page, context) => {
      const first = await page.active();
      await page.run(`printf '\\e]2;agent\\a'; ${until_there("asks")}; printf '\\e]777;notify;Agent;May I delete it?\\a'; read x`);
      await open(page);
      goOn("asks");
      await page.page.getByRole("log").getByText("Agent: May I delete it?").waitFor();
      await page.page.getByRole("button", { name: "1 notice not seen" }).waitFor();
      // It is kept by the daemon, and by the next one.
      await fixture.daemon.kill();
      await fixture.daemon.run();
      await page.connected(2);
      await page.page.getByRole("button", { name: "1 notice not seen" }).click();
      const option = page.page.getByRole("option", { name: /Agent: May I delete it/ });
      await option.waitFor();
      await page.page.screenshot({ path: `${images}notices.png` });
      await page.press("Enter");
      await until(async () => (await page.active()) === first, "the terminal that asks");
      await until(async () => !(await page.page.$(".hf-status__notices")), "all to be seen");
      await page.refresh();
      await page.connected(2);
      assert.equal(await page.page.$(".hf-status__notices"), null, "it stays seen");
      await context.clearCookies();
    },
    { viewport: { width: 1000, height: 420 } },
  ));

test("what somebody looks at is no notification, and a terminal can have a rule of its own", limit, () =>
  withShell(async (page) => {
    const first = await page.active();
    await page.run(`${until_there("again")}; printf '\\e]9;said once\\a'; ${until_there("more")}; printf '\\e]9;said twice\\a'; printf '\\a'`);
    const tab = page.page.locator(`#hf-tab-${first}`);
    await open(page);
    await tab.click({ button: "right" });
    await page.page.getByRole("menuitem", { name: "Tell me nothing" }).click();
    goOn("again");
    await page.page.getByRole("button", { name: "1 notice not seen" }).waitFor();
    assert.equal(await page.page.getByRole("log").getByText("said once").count(), 0, "it was not told");
    await tab.click({ button: "right" });
    await page.page.getByRole("menuitem", { name: "✓ Tell me nothing" }).click();
    goOn("more");
    await page.page.getByRole("log").getByText("said twice").waitFor();
  }));

for (const theme of themes)
  test(`axe finds nothing serious in states and notices: ${theme}`, limit, () =>
    withShell(
      async (page) => {
        await bringAxe(page);
        await page.page.waitForSelector(`[data-theme=${theme}]`);
        await page.run(`${until_there(`say-${theme}`)}; printf '\\e]9;May I?\\a'; read x`);
        await open(page);
        await page.run("false");
        goOn(`say-${theme}`);
        await page.page.waitForSelector(".hf-status__notices");
        const found = await findings(page, "states");
        await page.press("Control+Shift+h");
        await page.page.getByRole("option", { name: /May I/ }).first().waitFor();
        found.push(...(await findings(page, "notices")));
        assert.deepEqual(found, []);
      },
      { prepare: choose(theme) },
    ));

test("on a phone, the notices fit", limit, () =>
  withShell(
    async (page) => {
      await page.run("printf '\\e]9;A rather long message that a program sends to the person who waits for it\\a'; sleep 0.1");
      await open(page);
      await page.press("Control+Shift+h");
      await page.page.getByRole("option", { name: /A rather long message/ }).waitFor();
      await page.page.screenshot({ path: `${images}phone-notices.png` });
      const { width } = await page.page.locator(".hf-picker").boundingBox();
      assert.ok(width <= 360, `${width} pixels`);
    },
    { viewport: { width: 360, height: 640 } },
  ));
