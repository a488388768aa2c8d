// Several windows on one terminal: all show the same, and the last used one sets the size.

import assert from "node:assert/strict";
import { test } from "node:test";

import { images, limit, shared, withPage } from "./fixture.mjs";
import { Page } from "./page.mjs";
import { until } from "../node/until.mjs";

const fixture = shared();

test("two browsers of different sizes on one terminal", limit, () =>
  withPage(
    fixture,
    async (large) => {
      const [{ size: ofLarge }] = await large.tabs();
      const context = await fixture.browser.newContext({ viewport: { width: 700, height: 400 }, colorScheme: "dark" });
      const small = await Page.open(context, fixture.daemon.address, { token: fixture.daemon.token });
      const [{ size: ofSmall }] = await small.connected(1);
      assert.ok(ofSmall.cols < ofLarge.cols && ofSmall.rows < ofLarge.rows);
      await until(async () => (await large.tabs())[0].size.cols === ofSmall.cols, "the large window to show the small one's size");
      await large.page.waitForSelector(`text=Sized by another window (${ofSmall.cols}×${ofSmall.rows})`);

      // Typing takes the size, and both see what is typed.
      await small.sees("ready>");
      await large.run("stty size; echo typed in the large window");
      await large.sees(/^typed in the large window$/);
      await small.sees(/^typed in the large window$/);
      await large.sees(new RegExp(`^${ofLarge.rows} ${ofLarge.cols}$`));
      await small.page.waitForSelector(`text=Sized by another window (${ofLarge.cols}×${ofLarge.rows})`);
      const box = await small.page.locator(".xterm-screen:visible").boundingBox();
      assert.ok(box.width <= 700, "what is larger than the window is scaled to fit");
      await small.drawn();
      await small.page.screenshot({ path: `${images}sized-elsewhere.png` });

      await small.page.click("text=Use this window's size");
      await until(async () => (await large.tabs())[0].size.cols === ofSmall.cols, "the small window's size");
      await until(async () => !(await small.page.isVisible("text=Sized by another window")), "the note to go");
      assert.deepEqual((await large.lines()).filter(Boolean), (await small.lines()).filter(Boolean));

      await context.close();
      await until(async () => (await large.tabs())[0].size.cols === ofLarge.cols, "the size of the only window left");
    },
    { viewport: { width: 1200, height: 700 } },
  ));

test("a terminal made, renamed, moved and closed in one window is so in the other", limit, () =>
  withPage(fixture, async (here) => {
    const context = await fixture.browser.newContext();
    const there = await Page.open(context, fixture.daemon.address, { token: fixture.daemon.token });
    await there.connected(1);
    const second = await here.newTerminal();
    await there.connected(2);
    await here.press("Control+Shift+e");
    await here.page.keyboard.type("shared");
    await here.press("Enter");
    await until(async () => (await there.tabs())[1]?.name === "shared", "the name in the other window");
    await here.press("Control+Shift+Alt+ArrowLeft");
    await until(async () => (await there.tabs())[0].terminalId === second, "the order in the other window");
    await here.press("Control+Shift+x");
    await there.connected(1);
    await context.close();
  }));
