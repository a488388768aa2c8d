// The settings: what they change, that they are kept, and that whatever is stored does no harm.

import assert from "node:assert/strict";
import { test } from "node:test";

import { bringAxe, choose, findings, themes } from "./axe.mjs";
import { images, limit, shared, withPage } from "./fixture.mjs";
import { Page } from "./page.mjs";
import { until } from "../node/until.mjs";

const fixture = shared();
const viewport = { width: 1000, height: 640 };
const sections = ["Appearance", "Terminal", "Keys", "Profiles", "Touch screen"];

const options = (page, id) =>
  page.page.evaluate((id) => {
    const { terminal } = globalThis.holdfast.screenOf(id ?? globalThis.holdfast.state.active);
    const { fontFamily, fontSize, lineHeight, cursorStyle, cursorBlink, scrollback, theme } = terminal.options;
    return { fontFamily, fontSize, lineHeight, cursorStyle, cursorBlink, scrollback, background: theme.background };
  }, id);

async function open(page, section) {
  await page.press("Control+,");
  await page.page.waitForSelector('dialog[aria-label="Settings"]');
  if (section) await page.page.click(`nav >> text=${section}`);
}

async function close(page) {
  await page.press("Escape");
  await until(async () => !(await page.page.$("dialog")), "the dialog to go");
}

const component = (share) => ["Red", "Green", "Blue"].map((part) => `<key>${part} Component</key><real>${share}</real>`).join("");
const plist = (names, share) => `<plist version="1.0"><dict>${names.map((name, at) => `<key>${name}</key><dict>${component(share(at))}</dict>`).join("")}</dict></plist>`;
const colourNames = ["Background Color", "Foreground Color", "Selection Color", ...Array.from({ length: 16 }, (_, at) => `Ansi ${at} Color`)];
const paper = { name: "Paper.itermcolors", mimeType: "text/xml", buffer: Buffer.from(plist(colourNames, (at) => (at === 0 ? 0.9 : at === 1 ? 0.5 : 0.2))) };

test("what is chosen counts at once, in every window and on every device, and is kept", limit, () =>
  withPage(
    fixture,
    async (page, context) => {
      const other = await Page.open(context, fixture.daemon.address);
      await other.connected(1);
      await open(page);
      await page.drawn();
      await page.page.screenshot({ path: `${images}settings.png` });
      await page.page.selectOption('[data-setting="theme"]', "light");
      await page.page.fill('[data-setting="fontSize"]', "18");
      await page.page.fill('[data-setting="lineHeight"]', "1.2");
      await page.page.fill('[data-setting="fontFamily"]', "DejaVu Sans Mono, Fira Code");
      await page.page.click("nav >> text=Terminal");
      await page.page.selectOption('[data-setting="cursorStyle"]', "bar");
      await page.page.check('[data-setting="cursorBlink"]');
      await page.page.fill('[data-setting="scrollback"]', "500");
      const chosen = { fontSize: 18, lineHeight: 1.2, cursorStyle: "bar", cursorBlink: true, scrollback: 500, background: "#ffffff" };
      for (const each of [page, other])
        await until(async () => {
          const { fontFamily, ...rest } = await options(each);
          return fontFamily.startsWith('"DejaVu Sans Mono", "Fira Code", ui-monospace') && JSON.stringify(rest) === JSON.stringify(chosen);
        }, "the terminal to have it");
      await other.page.waitForSelector('.hf-root[data-theme="light"]');
      // The size of the text is the device's own.
      await withPage(
        fixture,
        async (device) => {
          await until(async () => {
            const { fontFamily, ...rest } = await options(device);
            return fontFamily.startsWith('"DejaVu Sans Mono"') && JSON.stringify(rest) === JSON.stringify({ ...chosen, fontSize: 14 });
          }, "another device to have it");
        },
        { keeps: true, viewport },
      );
      await close(page);
      await page.refresh();
      await page.connected(1);
      const { fontFamily: _, ...rest } = await options(page);
      assert.deepEqual(rest, chosen);
      assert.deepEqual(other.errors, []);
    },
    { viewport },
  ));

test("colours of iTerm2 and VS Code are imported; pale ones and broken files are told", limit, () =>
  withPage(
    fixture,
    async (page) => {
      const pick = (file) => page.page.setInputFiles('dialog input[type="file"]', file);
      await open(page);
      await pick({ ...paper, buffer: Buffer.from(plist(colourNames.slice(1), () => 0.5)) });
      await page.page.waitForSelector('[role="alert"] >> text=The colour “Background Color” is missing in this file.');
      await pick({ name: "huge.json", mimeType: "text/json", buffer: Buffer.alloc(300_000, " ") });
      await page.page.waitForSelector('[role="alert"] >> text=too large');
      await pick(paper);
      await page.page.waitForSelector("text=Imported Paper. Its text has a contrast of only 3.");
      await page.drawn();
      await page.page.screenshot({ path: `${images}settings-colours.png` });
      await until(async () => (await options(page)).background === "#e6e6e6", "the terminal to have them");
      const ansi = ["Black", "Red", "Green", "Yellow", "Blue", "Magenta", "Cyan", "White"].flatMap((name) => [`terminal.ansi${name}`, `terminal.ansiBright${name}`]);
      const colors = { "editor.background": "#101010", "editor.foreground": "#f0f0f0", "terminal.selectionBackground": "#444444" };
      for (const name of ansi) colors[name] = "#80c0ff";
      await pick({ name: "night.json", mimeType: "text/json", buffer: Buffer.from(`{ // mine\n "name": "Night", "colors": ${JSON.stringify(colors)} }`) });
      await page.page.waitForSelector("text=Imported Night. Its colours are easy to read on its background.");
      await until(async () => (await options(page)).background === "#101010", "the terminal to have them");
      await page.page.click('[aria-label="Remove Night"]');
      await until(async () => (await options(page)).background === "#16181c", "the theme's own");
      await page.page.selectOption('[data-setting="scheme"]', "Paper");
      await until(async () => (await options(page)).background === "#e6e6e6", "the other one");
      await close(page);
    },
    { viewport },
  ));

// Firefox keeps Ctrl+Shift+P for itself.
test("every key can be changed; what has it already, and the browser's own, are named", limit, () =>
  withPage(
    fixture,
    async (page) => {
      await page.press("Control+Shift+?");
      await page.page.click("text=Change keys");
      const button = (action) => page.page.locator(`dialog button[aria-label^="Change the key for ${action}:"]`);
      await button("Command bar").click();
      await page.press("Control+Shift+s");
      await page.page.waitForSelector("text=Ctrl+Shift+S is already the key for “Sessions”.");
      await page.press("Control+Shift+p");
      await page.page.waitForSelector("text=Ctrl+Shift+P belongs to the browser.");
      await page.drawn();
      await page.page.screenshot({ path: `${images}settings-keys.png` });
      await page.press("Control+Shift+j");
      await page.page.waitForSelector('[aria-label="Change the key for Command bar: Ctrl+Shift+J"]');
      await button("Sessions").click();
      await page.press("Delete");
      await page.page.waitForSelector('[aria-label="Change the key for Sessions: no key"]');
      await close(page);
      await page.refresh();
      await page.connected(1);
      await page.press("Control+Shift+s", "Control+Shift+k");
      await page.press("Control+Shift+j");
      await page.page.waitForSelector('dialog[aria-label="Command bar"]');
      assert.equal((await page.page.$$("dialog")).length, 1);
      await close(page);
      await open(page, "Keys");
      await page.page.click('[aria-label="Use the usual key for Sessions"]');
      await close(page);
      await page.press("Control+Shift+s");
      await page.page.waitForSelector('dialog[aria-label="Sessions"]');
      await close(page);
    },
    { viewport },
  ));

test("profiles: what a new terminal runs, where, with which variables and colours", limit, () =>
  withPage(
    fixture,
    async (page, context) => {
      await open(page, "Profiles");
      await page.page.click("text=New profile");
      await page.page.click("dialog >> text=Save");
      await page.page.waitForSelector("text=Give the profile a name.");
      await page.page.getByLabel("Name", { exact: true }).fill("Greeter");
      await page.page.getByLabel("Command").fill('echo "$WHO in $PWD"; exec cat');
      await page.page.getByLabel("Directory").fill("/usr");
      await page.page.getByLabel("Environment").fill("WHO=somebody\nbroken");
      await page.page.getByLabel("Colours").selectOption("light");
      await page.page.click("dialog >> text=Save");
      await page.page.waitForSelector("text=“broken” is not NAME=value.");
      await page.drawn();
      await page.page.screenshot({ path: `${images}settings-profile.png` });
      await page.page.getByLabel("Environment").fill("WHO=somebody");
      await page.page.click("dialog >> text=Save");
      await page.page.waitForSelector(".hf-settings__name >> text=Greeter");
      await close(page);

      await page.press("Control+Shift+k");
      await page.type("greeter");
      await page.page.waitForSelector("[role=option] >> text=New terminal: Greeter");
      await page.press("Enter");
      await page.connected(2);
      await page.sees("somebody in /usr");
      assert.equal((await options(page)).background, "#ffffff");
      const [first, second] = await page.tabs();
      assert.equal((await options(page, first.terminalId)).background, "#16181c", "others look as before");
      const other = await Page.open(context, fixture.daemon.address);
      await other.connected(2);
      assert.equal((await options(other, second.terminalId)).background, "#ffffff", "in every window");

      await open(page, "Profiles");
      await page.page.selectOption('[data-setting="profiles"]', "Greeter");
      await close(page);
      await page.press("Control+Shift+Enter");
      await page.connected(3);
      await page.sees("somebody in /usr");
    },
    { viewport },
  ));

test("a paste asks when the person wants that", limit, () =>
  withPage(
    fixture,
    async (page) => {
      const paste = async (text) => {
        await page.page.evaluate((text) => navigator.clipboard.writeText(text), text);
        await page.press("Control+Shift+v");
      };
      await page.run("cat");
      await paste("harmless");
      await page.sees("harmless");
      await open(page, "Terminal");
      await page.page.selectOption('[data-setting="paste"]', "always");
      await close(page);
      await paste(" and more");
      await page.page.waitForSelector("text=Paste this?");
      await page.page.click("dialog >> text=Paste >> nth=-1");
      await page.sees("harmless and more");
      await page.run("");
      await page.press("Control+c");
      // The shell takes pastes in brackets.
      await open(page, "Terminal");
      await page.page.selectOption('[data-setting="paste"]', "unbracketed");
      await close(page);
      await until(() => page.page.evaluate(() => globalThis.holdfast.screenOf(globalThis.holdfast.state.active).terminal.modes.bracketedPasteMode), "brackets");
      await paste("# first\n# second");
      await page.sees("# second");
      assert.equal(await page.page.$("dialog"), null);
    },
    { viewport, permissions: ["clipboard-read", "clipboard-write"] },
  ));

test("a bell flashes, sounds, or is not noticed", limit, () =>
  withPage(
    fixture,
    async (page) => {
      await page.page.evaluate(() => {
        globalThis.sounds = 0;
        const start = OscillatorNode.prototype.start;
        OscillatorNode.prototype.start = function (...args) {
          ++globalThis.sounds;
          return start.apply(this, args);
        };
        globalThis.flashes = 0;
        new MutationObserver((all) => {
          for (const { target } of all) if (target.classList.contains("hf-terminal--rings")) ++globalThis.flashes;
        }).observe(document.querySelector("main"), { subtree: true, attributes: true, attributeFilter: ["class"] });
      });
      const counts = () => page.page.evaluate(() => [globalThis.flashes > 0, globalThis.sounds > 0]);
      for (const [bell, flashes, sounds] of [["none", false, false], ["sound", false, true], ["visual", true, true]]) {
        await open(page, "Terminal");
        await page.page.selectOption('[data-setting="bell"]', bell);
        await close(page);
        await page.run(`printf '\\a'; echo rang-${bell}`);
        await page.sees(new RegExp(`^rang-${bell}$`));
        await page.drawn();
        assert.deepEqual(await counts(), [flashes, sounds], bell);
      }
    },
    { viewport },
  ));

test("what another version stored, or what is broken, falls back field by field", limit, () =>
  withPage(
    fixture,
    async (page) => {
      await until(async () => (await options(page)).cursorStyle === "underline", "what was stored");
      const found = await options(page);
      assert.deepEqual([found.fontSize, found.cursorStyle, found.scrollback], [32, "underline", 10_000]);
      await page.page.waitForSelector('.hf-root[data-theme="dark"]');
      await open(page);
      for (const section of sections) await page.page.click(`nav >> text=${section}`);
      await close(page);
    },
    {
      viewport,
      prepare: async (context) => {
        await context.addInitScript(() => localStorage.setItem("holdfast:preferences", JSON.stringify({ fontSize: 900 })));
        await fixture.daemon.prefer({ theme: "sepia", cursorStyle: "underline", scrollback: "many", schemes: [{ name: 1 }], keys: [], profiles: { a: 1 }, extraKeys: false, fontFamily: "x;}*{display:none", later: {} });
      },
    },
  ));

test("the command bar finds each setting and goes there", limit, () =>
  withPage(
    fixture,
    async (page) => {
      await page.press("Control+Shift+k");
      await page.type("scrollb");
      await page.page.waitForSelector("[role=option] >> text=Scrollback lines");
      await page.press("Enter");
      await until(() => page.page.evaluate(() => document.activeElement?.getAttribute("data-setting") === "scrollback"), "the focus");
      await close(page);
      assert.ok(await page.page.evaluate(() => document.activeElement?.classList.contains("xterm-helper-textarea")), "the terminal has the focus again");
    },
    { viewport },
  ));

test("one list finds terminals of all sessions, sessions, commands, settings and actions", limit, () =>
  withPage(
    fixture,
    async (page) => {
      const first = await page.active();
      await page.page.evaluate((id) => globalThis.holdfast.rename(id, "compiler"), first);
      await page.newTerminal();
      await page.page.evaluate(() => globalThis.holdfast.sessions.create("elsewhere"));
      await until(async () => (await page.state()).session === "elsewhere", "the session");
      await page.connected(1);
      await page.sees("ready>");
      await page.press("Control+Shift+k");
      await page.page.waitForSelector("[role=option] >> text=compiler");
      await page.type("e");
      await page.drawn();
      await page.page.screenshot({ path: `${images}palette.png` });
      await page.press("Backspace");
      await page.type("comp");
      await until(async () => (await page.page.textContent('[role=option][aria-selected="true"]')).startsWith("compilerin main"), "the terminal to be first");
      await page.press("Enter");
      await until(async () => (await page.state()).session === "main" && (await page.active()) === first, "the terminal");
      await page.connected(2);
      await page.press("Control+Shift+k");
      await page.type("elsew");
      await page.page.waitForSelector("[role=option] >> text=session");
      await page.press("Enter");
      await until(async () => (await page.state()).session === "elsewhere", "the other session");
      await page.connected(1);
      await page.page.evaluate(() => globalThis.holdfast.sessions.close("elsewhere"));
      await until(async () => (await page.state()).session === "main", "the first session");
      await page.connected(2);
    },
    { viewport },
  ));

for (const theme of themes)
  test(`axe finds nothing serious in the settings: ${theme}`, limit, () =>
    withPage(
      fixture,
      async (page) => {
        await bringAxe(page);
        await page.page.waitForSelector(`[data-theme=${theme}]`);
        await open(page);
        const found = [];
        await page.page.setInputFiles('dialog input[type="file"]', { ...paper, buffer: Buffer.from("nothing") });
        await page.page.waitForSelector('[role="alert"]');
        for (const section of sections) {
          await page.page.click(`nav >> text=${section}`);
          if (section === "Keys") await page.page.click('[aria-label^="Change the key for Paste"]');
          found.push(...(await findings(page, section)));
        }
        await page.page.click("nav >> text=Profiles");
        await page.page.click("text=New profile");
        found.push(...(await findings(page, "a profile")));
        await close(page);
        assert.deepEqual(found, []);
      },
      { viewport, prepare: choose(theme) },
    ));
