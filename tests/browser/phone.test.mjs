// A phone: its size, two fingers, its own keys, what is read out and in which order, and installing.

import assert from "node:assert/strict";
import { test } from "node:test";

import { bringAxe, choose, findings, themes } from "./axe.mjs";
import { images, limit, shared, withPage } from "./fixture.mjs";
import { Page } from "./page.mjs";
import { Finger, phone } from "./touch.mjs";
import { until } from "../node/until.mjs";

const fixture = shared();
const small = { ...phone, viewport: { width: 360, height: 640 } };

const fontSize = (page) => page.page.evaluate(() => globalThis.holdfast.screenOf(globalThis.holdfast.state.active).terminal.options.fontSize);

test("two fingers change the size of the text, within its limits, on this device", limit, () =>
  withPage(
    fixture,
    async (page, context) => {
      const finger = await Finger.on(page, context);
      const [before] = await page.tabs();
      await finger.pinch(180, 300, 100, 150);
      await until(async () => (await fontSize(page)) === 21, "larger text");
      await until(async () => (await page.tabs())[0].size.cols < before.size.cols, "fewer columns");
      await finger.pinch(180, 300, 300, 20);
      await until(async () => (await fontSize(page)) === 8, "the smallest text");
      assert.equal(await page.page.evaluate(() => visualViewport.scale), 1, "the page itself is not zoomed");
      await page.refresh();
      await page.connected(1);
      assert.equal(await fontSize(page), 8);
      await page.run("echo and it works");
      await page.sees(/^and it works$/);
    },
    small,
  ));

test("the row of keys has those that were chosen, in their order", limit, () =>
  withPage(
    fixture,
    async (page) => {
      const row = () => page.page.$$eval('[role="toolbar"] button', (all) => all.map(({ textContent }) => textContent));
      assert.deepEqual((await row()).slice(0, 4), ["Ctrl", "Alt", "Esc", "Tab"]);
      await page.page.tap("text=Commands");
      await page.type("extra keys");
      await page.page.tap("[role=option] >> text=Extra keys");
      await page.page.tap('dialog [aria-label="Esc"]');
      await page.page.tap('[aria-label="Move Esc left"]');
      await page.page.tap('[aria-label="Move Esc left"]');
      await page.page.tap('dialog [aria-label="Alt"]');
      await page.page.tap("dialog >> text=Remove Alt");
      await page.page.tap('[aria-label="Add Ctrl C"]');
      await page.page.locator("dialog h3 >> nth=0").scrollIntoViewIfNeeded();
      await page.drawn();
      await page.page.screenshot({ path: `${images}phone-keys.png` });
      await page.page.tap("dialog >> text=Close");
      const chosen = await row();
      assert.deepEqual(chosen.slice(0, 3), ["Esc", "Ctrl", "Tab"]);
      assert.equal(chosen.at(-1), "^C");
      await page.run("cat");
      await page.page.tap('[role="toolbar"] >> [aria-label="Ctrl C"]');
      await page.sees("^C");
      await page.refresh();
      await page.connected(1);
      assert.deepEqual(await row(), chosen);
    },
    small,
  ));

test("nothing scrolls sideways at 360 pixels, in any view", limit, () =>
  withPage(
    fixture,
    async (page) => {
      const wide = async (view) => {
        await page.drawn();
        const found = await page.page.evaluate(() =>
          [document.documentElement, ...document.querySelectorAll("dialog, dialog *, .hf-menu, .hf-status, .hf-main")]
            .filter((each) => each.scrollWidth > each.clientWidth + 1 && ["auto", "scroll"].includes(getComputedStyle(each).overflowX) && !each.matches(".hf-settings__sections"))
            .concat([...document.querySelectorAll("dialog, .hf-menu, .hf-status, .hf-tabs, .hf-keys")].filter((each) => each.getBoundingClientRect().right > innerWidth))
            .map((each) => each.className || each.tagName),
        );
        assert.deepEqual(found, [], view);
      };
      await wide("terminal");
      for (const [key, view] of [["Control+Shift+k", "command bar"], ["Control+Shift+s", "sessions"], ["Control+Shift+?", "help"], ["Control+,", "settings"]]) {
        await page.press(key);
        await page.page.waitForSelector("dialog[open]");
        await wide(view);
        if (view === "settings") {
          await page.page.screenshot({ path: `${images}phone-settings.png` });
          for (const section of ["Terminal", "Keys", "Profiles", "Touch screen"]) {
            await page.page.tap(`nav >> text=${section}`);
            await wide(`settings, ${section}`);
          }
        }
        await page.press("Escape");
        await until(async () => !(await page.page.$("dialog")), "the dialog to go");
      }
    },
    small,
  ));

// What a screen reader goes through: the accessibility tree in its order.
async function readingOrder(page, context) {
  const session = await context.newCDPSession(page.page);
  const { nodes } = await session.send("Accessibility.getFullAXTree");
  const byId = new Map(nodes.map((node) => [node.nodeId, node]));
  const read = [];
  const walk = (node) => {
    const role = node.role?.value;
    if (!node.ignored && ["banner", "main", "contentinfo", "tablist", "tab", "tabpanel", "textbox", "toolbar", "button", "combobox", "region"].includes(role)) read.push([role, node.name?.value].filter(Boolean).join(" "));
    for (const id of node.childIds ?? []) if (byId.has(id)) walk(byId.get(id));
  };
  walk(nodes[0]);
  return read;
}

test("a screen reader goes from the tabs to the terminal, its keys and the status", limit, () =>
  withPage(
    fixture,
    async (page, context) => {
      const read = await readingOrder(page, context);
      const places = ["banner", "tablist Terminals", "tab Terminal 1", "button Close Terminal 1", "button New terminal", "main", "tabpanel Terminal 1", "textbox Terminal input", "toolbar Extra keys", "button Left", "contentinfo", "button Commands", "button Help"].map((name) => read.findIndex((each) => each === name));
      assert.ok(!places.includes(-1), `${places}: ${read.join(", ")}`);
      assert.deepEqual(places, [...places].sort((a, b) => a - b), read.join(", "));
      const nameless = read.filter((each) => /^(button|tab|textbox|combobox)$/.test(each));
      assert.deepEqual(nameless, []);
    },
    small,
  ));

for (const theme of themes)
  test(`axe finds nothing serious on a phone: ${theme}`, limit, () =>
    withPage(
      fixture,
      async (page) => {
        await bringAxe(page);
        await page.page.waitForSelector(`[data-theme=${theme}]`);
        const found = await findings(page, "terminal");
        await page.press("Control+,");
        await page.page.waitForSelector("dialog[open]");
        await page.page.tap("nav >> text=Touch screen");
        found.push(...(await findings(page, "extra keys")));
        await page.press("Escape");
        assert.deepEqual(found, []);
      },
      { ...small, prepare: choose(theme) },
    ));

test("the page can be installed, also before signing in, and stores nothing that could be stale", limit, async () => {
  const context = await fixture.browser.newContext();
  try {
    const page = await Page.open(context, fixture.daemon.address);
    await page.page.waitForSelector("text=Sign in");
    const session = await context.newCDPSession(page.page);
    await session.send("Page.enable");
    const { errors, data } = await session.send("Page.getAppManifest");
    assert.deepEqual(errors, []);
    const { icons, start_url, display } = JSON.parse(data);
    assert.deepEqual([start_url, display], ["/", "standalone"]);
    // A context of the tests counts as a private window, where nothing can be installed.
    const { installabilityErrors } = await session.send("Page.getInstallabilityErrors");
    assert.deepEqual(
      installabilityErrors.filter(({ errorId }) => errorId !== "in-incognito"),
      [],
    );
    for (const { src, sizes, type } of icons) {
      const answer = await fetch(fixture.daemon.address + src);
      assert.deepEqual([answer.status, answer.headers.get("content-type")], [200, type], src);
      const bytes = Buffer.from(await answer.arrayBuffer());
      if (type === "image/png") assert.equal(`${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`, sizes, src);
    }
    const manifest = await fetch(`${fixture.daemon.address}/manifest.webmanifest`);
    assert.equal(manifest.headers.get("content-type"), "application/manifest+json");
    assert.equal(await page.page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length), 0);
    assert.deepEqual(page.errors, []);
  } finally {
    await context.close();
  }
});
