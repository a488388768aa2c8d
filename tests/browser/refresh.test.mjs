// A page that is refreshed or reopened shows what was there.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { images, limit, median, shared, withPage } from "./fixture.mjs";
import { Page } from "./page.mjs";
import { until } from "../node/until.mjs";

const fixture = shared();

test("a page opens with a terminal, what is typed runs in it, and the token leaves the address", limit, () =>
  withPage(fixture, async (page) => {
    await page.run("echo $((6 * 7))");
    await page.sees(/^42$/);
    assert.equal(page.page.url(), `${fixture.daemon.address}/`);
  }));

test("a refresh keeps `sleep 300` and `watch date` running, each in its tab", limit, () =>
  withPage(fixture, async (page) => {
    const first = await page.active();
    await page.run("sleep 300 & echo pid=$!; fg");
    const pid = (await page.sees(/^pid=\d+/)).slice(4);
    const second = await page.newTerminal();
    await page.run("watch -n 0.2 date +%s.%N");
    await page.sees(/^\d{10}\.\d+/);
    await page.refresh();
    assert.deepEqual((await page.tabs()).map(({ terminalId }) => terminalId), [first, second], "the tabs are there at once");
    await page.connected(2);
    assert.equal(await page.active(), second);
    const before = await page.sees(/^\d{10}\.\d+/);
    await until(async () => (await page.sees(/^\d{10}\.\d+/)) !== before, "watch to go on");
    assert.doesNotThrow(() => process.kill(Number(pid), 0), "sleep still runs");
    await page.press("Alt+1");
    await page.sees(`pid=${pid}`);
    await page.press("Control+c");
    await until(async () => (await page.lines()).filter((line) => line.startsWith("ready>")).length > 1, "the prompt after Ctrl-C");
  }));

test("three terminals are drawn within a second of a refresh", limit, () =>
  withPage(fixture, async (page) => {
    for (let tab = 1; tab <= 3; ++tab) {
      if (tab > 1) await page.newTerminal();
      await page.run(`seq 1 2000; echo drawn-$((${tab} * 111))`);
      await page.sees(`drawn-${tab * 111}`);
    }
    const times = [];
    for (let round = 0; round < 9; ++round) {
      await page.page.reload({ waitUntil: "commit" });
      const handle = await page.page.waitForFunction(
        () => {
          const { state } = globalThis.holdfast ?? {};
          if (state?.tabs.length !== 3 || state.tabs.some(({ status }) => status.kind !== "connected")) return false;
          const isDrawn = (terminalId) => {
            const { active } = globalThis.holdfast.screenOf(terminalId).terminal.buffer;
            for (let row = active.length - 1; row >= 0; --row) if (/^drawn-\d+/.test(active.getLine(row).translateToString(true))) return true;
            return false;
          };
          // Only the active one is drawn, so look at each.
          const missing = [state.active, ...state.tabs.map(({ terminalId }) => terminalId)].find((id) => !isDrawn(id));
          if (missing !== undefined && missing !== state.active) globalThis.holdfast.activate(missing);
          return missing === undefined && performance.now();
        },
        undefined,
        { polling: "raf", timeout: 15_000 },
      );
      times.push(Math.round(await handle.jsonValue()));
    }
    console.log(`refresh: navigation to three terminals drawn: median ${median(times)} ms of ${times.join(", ")}`);
    assert.ok(median(times) < 1000, `median ${median(times)} ms`);
  }));

test("vi with unsaved changes is the same before and after a refresh, to the cell", limit, () =>
  withPage(fixture, async (page) => {
    const file = join(fixture.daemon.home, "letter.txt");
    writeFileSync(file, Array.from({ length: 200 }, (_, line) => `line ${line} of the letter`).join("\n"));
    await page.run(`vi -u NONE -N ${file}`);
    await page.sees("line 0 of the letter");
    await page.type("20Gocafé, 日本, unsaved");
    await page.press("Escape");
    await page.sees("unsaved");
    await until(async () => !(await page.lines()).some((line) => line.includes("INSERT")), "vi to leave insert mode");
    const before = await page.picture();
    assert.equal(before.type, "alternate");
    await page.refresh();
    await page.connected(1);
    await page.sees("unsaved");
    assert.deepEqual(await page.picture(), before);
    await page.type(":q!\r");
    await page.sees(/^ready> vi/);
  }));

test("a full-screen program stays on the alternate screen, and leaves what was below it", limit, () =>
  withPage(fixture, async (page) => {
    await page.run("echo below the program; seq 1 5000 | less");
    await page.sees(/^1$/);
    await page.press("Space");
    await until(async () => !(await page.lines()).includes("1"), "less to turn the page");
    const before = await page.picture();
    assert.equal(before.type, "alternate");
    await page.refresh();
    await page.connected(1);
    await until(async () => (await page.picture()).type === "alternate", "the alternate screen");
    assert.deepEqual(await page.picture(), before);
    await page.press("q");
    await page.sees("below the program");
    assert.equal((await page.picture()).type, "normal");
  }));

test("a browser that is closed and opened later finds its terminals, and so does another one", limit, async () => {
  const { daemon, browser } = fixture;
  const first = await browser.newContext();
  const page = await Page.open(first, daemon.address, { token: daemon.token });
  await page.connected(1);
  await page.sees("ready>");
  await page.run("echo left $((1000 + 234))");
  await page.sees("left 1234");
  await page.press("Control+Shift+e");
  await page.page.keyboard.type("work");
  await page.press("Enter");
  await until(async () => (await page.tabs())[0].name === "work", "the name");
  const tabs = await page.tabs();
  await first.close();
  await until(async () => (await daemon.health()).terminals.orphaned === 1, "the terminal to be an orphan");
  await withPage(fixture, async (later) => {
    assert.deepEqual((await later.tabs()).map(({ terminalId, name }) => [terminalId, name]), [[tabs[0].terminalId, "work"]]);
    await later.sees("left 1234");
  });
});

test("the main view", limit, () =>
  withPage(
    fixture,
    async (page) => {
      await page.press("Control+Shift+e");
      await page.page.keyboard.type("server");
      await page.press("Enter");
      await page.run("clear; printf '\\e[1mserver\\e[0m listening on \\e[36mhttp://localhost:3000\\e[0m\\n'");
      await page.newTerminal();
      await page.run("clear; for i in $(seq 1 12); do printf '\\e[32m✓\\e[0m test %d passed \\e[90m(%d ms)\\e[0m\\n' $i $((i * 7)); done");
      await page.sees("test 12 passed");
      await page.press("Control+Shift+e");
      await page.page.keyboard.type("tests");
      await page.press("Enter");
      await until(async () => (await page.tabs())[1].name === "tests", "the name");
      await page.sees("ready>");
      await page.page.screenshot({ path: `${images}main-dark.png` });
      await page.page.emulateMedia({ colorScheme: "light" });
      await until(() => page.page.$('.hf-root[data-theme="light"]'), "the light theme");
      await page.page.screenshot({ path: `${images}main-light.png` });
    },
    { viewport: { width: 1100, height: 600 } },
  ));
