// For everybody: axe looks at every view in every theme; and what it cannot see.

import assert from "node:assert/strict";
import { test } from "node:test";

import { bringAxe, choose, findings, themes } from "./axe.mjs";
import { withAnswers } from "./doubles.mjs";
import { limit, shared, withPage } from "./fixture.mjs";
import { Page } from "./page.mjs";
import { until } from "../node/until.mjs";

const fixture = shared();

for (const theme of themes)
  test(`axe finds nothing serious: ${theme}`, limit, () =>
    withPage(
      fixture,
      async (page, _, { say }) => {
        await bringAxe(page);
        const found = [];
        const look = async (view) => found.push(...(await findings(page, view)));
        await page.page.waitForSelector(`[data-theme=${theme}]`);
        await look("terminal");
        await page.newTerminal();
        await page.run("exit 3");
        await page.page.waitForSelector("text=Exited with 3");
        await look("exited");
        await page.press("Control+Shift+d");
        await page.sees("ready>");
        await page.press("Control+Shift+b");
        await page.page.waitForSelector("text=Broadcast");
        await look("panes");
        await page.press("Control+Shift+x");
        await until(async () => !(await page.page.$(".hf-pane__header")), "the pane to go");
        for (const level of ["info", "success", "warning", "error"]) say("notify", { session: "main", level, text: `A notice: ${level}` });
        say("status", { session: "main", key: "vm", text: "vm: running" });
        await page.page.waitForSelector("text=A notice: error");
        await look("notices");
        for (const kind of ["confirm", "select", "input"]) {
          say("ui_request", { session: "main", id: kind, extension: "ship", kind, title: `A question: ${kind}`, message: "Why not?", options: ["one", "two"], timeoutMs: 60_000 });
          await page.page.waitForSelector(`text=A question: ${kind}`);
          await look(kind);
          say("ui_closed", { id: kind });
          await until(async () => !(await page.page.$(".hf-question")), "the question to go");
        }
        for (const [key, view] of [["Control+Shift+k", "command bar"], ["Control+Shift+s", "sessions"], ["Control+Shift+?", "help"], ["Control+,", "settings"]]) {
          await page.press(key);
          await page.page.waitForSelector("dialog[open]");
          await look(view);
          await page.press("Escape");
          await until(async () => !(await page.page.$("dialog")), "the dialog to go");
        }
        await page.press("Alt+1", "Control+Shift+f");
        await page.type("ready");
        await page.page.waitForSelector("text=/ of /");
        await look("find");
        await page.press("Escape", "Control+Shift+e");
        await page.page.waitForSelector(".hf-tab__rename");
        await look("rename");
        await page.press("Escape");
        await page.run("sleep 100");
        await until(async () => (await fixture.daemon.asking((ask) => ask("list"))).terminals.some(({ process }) => process === "sleep"), "the program");
        await page.press("Control+Shift+x");
        await page.page.waitForSelector("text=Close this terminal?");
        await look("closing");
        await page.press("Escape");
        assert.deepEqual(found, []);
      },
      {
        prepare: async (context) => {
          await choose(theme)(context);
          return await withAnswers(context, fixture.daemon.address, { commands: ({ session }) => ({ type: "commands", data: { session, commands: [{ name: "deploy", extension: "ship", description: "Deploy" }] } }) });
        },
      },
    ));

for (const theme of themes)
  test(`axe finds nothing serious where one signs in: ${theme}`, limit, async () => {
    const context = await fixture.browser.newContext();
    try {
      await choose(theme)(context);
      const page = await Page.open(context, fixture.daemon.address);
      await page.page.waitForSelector("text=Sign in");
      await bringAxe(page);
      assert.deepEqual(await findings(page, "sign-in"), []);
      await page.page.fill('[aria-label="Token"]', "a wrong one");
      await page.press("Enter");
      await page.page.waitForSelector("text=Unknown token.");
      assert.deepEqual(await findings(page, "wrong token"), []);
    } finally {
      await context.close();
    }
  });

test("a program that failed has another sign than one that has finished", limit, () =>
  withPage(fixture, async (page) => {
    await page.newTerminal();
    await page.run("exit 3");
    await page.page.waitForSelector("text=Exited with 3");
    await page.press("Control+Shift+Enter");
    await until(async () => (await page.tabs()).length === 3 && (await page.tabs())[2].status === "connected", "another terminal");
    await page.sees("ready>");
    await page.run("exit");
    await page.page.waitForSelector("text=Finished");
    const marks = await page.page.$$eval(".hf-tab__mark", (all) => all.map((each) => each.className.split("--")[1]));
    assert.deepEqual(marks, ["none", "exited", "finished"]);
    assert.deepEqual(await page.page.$$eval("[role=tab] .hf-hidden", (all) => all.map((each) => each.textContent)), [", exited with 3", ", finished"]);
  }));

test("find begins at the newest match, and counts them all", limit, () =>
  withPage(fixture, async (page) => {
    await page.run("for i in $(seq 1 2500); do echo \"needle $i\"; done");
    await page.sees(/^needle 2500$/);
    await page.press("Control+Shift+f");
    await page.type("needle ");
    // One is in the command.
    await page.page.waitForSelector("text=2501 of 2501");
    assert.ok((await page.lines()).includes("needle 2500"), "it is in sight");
    await page.press("Enter");
    await page.page.waitForSelector("text=2500 of 2501");
    await page.press("Shift+Enter");
    await page.page.waitForSelector("text=2501 of 2501");
    await page.press("Escape");
  }));

test("every window calls a terminal the same", limit, () =>
  withPage(fixture, async (page) => {
    const first = await page.active();
    await page.newTerminal();
    const labels = (each) => each.page.$$eval(".hf-tab__label", (all) => all.map(({ textContent }) => textContent));
    await page.newTerminal();
    await page.page.evaluate((id) => globalThis.holdfast.confirmClose(id), first);
    await page.connected(2);
    await withPage(
      fixture,
      async (other) => {
        await other.connected(2);
        assert.deepEqual(await labels(other), await labels(page));
        assert.deepEqual(await labels(page), ["Terminal 1", "Terminal 2"]);
      },
      { keeps: true },
    );
  }));

test("with many tabs, the active one is in sight, and so is its close button", limit, () =>
  withPage(
    fixture,
    async (page) => {
      for (let count = 1; count < 25; ++count) await page.newTerminal();
      for (const keys of [["Control+Shift+ArrowRight"], ["Control+Shift+ArrowLeft"], ["Alt+9"]]) {
        await page.press(...keys);
        await page.drawn();
        const isReached = await page.page.evaluate(() => {
          const button = document.querySelector(".hf-tab--active .hf-tab__close");
          const { left, top, width, height } = button.getBoundingClientRect();
          return document.elementFromPoint(left + width - 2, top + height / 2) === button;
        });
        assert.ok(isReached, keys.join());
      }
      await page.page.click(".hf-tab--active .hf-tab__close");
      await page.connected(24);
    },
    { viewport: { width: 800, height: 500 } },
  ));
