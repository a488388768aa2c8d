// Every terminal of every session at once, as live pictures.

import assert from "node:assert/strict";
import { test } from "node:test";

import { bringAxe, choose, findings, themes } from "./axe.mjs";
import { images, limit, withDaemon, withPage } from "./fixture.mjs";
import { until } from "../node/until.mjs";

const sh = (text) => ["/bin/sh", "-c", text];
const pixelsOf = (page, id) =>
  page.page.evaluate((id) => {
    const canvas = document.querySelector(`#hf-card-${id} canvas`);
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    return new Set(new Uint32Array(data.buffer)).size;
  }, id);
const drawn = (page, id) => until(async () => (await pixelsOf(page, id)) > 2, `the picture of ${id}`);
const opens = async (page) => {
  await page.press("Control+Shift+a");
  await page.page.waitForSelector(".hf-overview[open]");
};

// A machine as people have it: builds, servers, an agent that waits.
async function fill(daemon) {
  const colours = "for i in 1 2 3 4 5 6; do printf \"\\033[3${i}m$i passed  \\033[1mtest_number_$i\\033[0m\\n\"; done";
  await daemon.asking(async (ask) => {
    await ask("session_create", { name: "api" });
    const make = (terminalId, session, name, text) => ask("create", { terminalId, session, name, command: sh(text), workDir: "/usr/src", rows: 24, cols: 80 });
    await make("tests", "main", "tests", `${colours}; exec sleep 1000`);
    await make("agent", "main", "agent", "printf 'I have found three branches that nobody uses.\\n\\n\\033[33mMay I delete them?\\033[0m '; exec sleep 1000");
    await make("server", "api", "server", "for i in $(seq 40); do echo \"GET /items/$i 200\"; done; exec sleep 1000");
    await make("clock", "api", "clock", "while :; do printf '\\r%s ' $(date +%T); sleep 0.2; done");
    await make("failed", "api", "migration", "printf '\\033[31mERROR\\033[0m: relation \"users\" exists\\n'; exit 3");
  });
  await daemon.shell("notify", "--terminal", "agent", "--state", "blocked", "May I delete them?");
}

test("all terminals of all sessions are drawn, and Enter goes to the one that was found", limit, () =>
  withDaemon({}, async (fixture) => {
    await fill(fixture.daemon);
    await withPage(
      fixture,
      async (page) => {
        await opens(page);
        for (const id of ["tests", "agent", "server", "clock", "failed"]) await drawn(page, id);
        assert.deepEqual(await page.page.locator(".hf-overview__session").allTextContents(), ["main · 2 terminals", "api · 3 terminals"]);
        await page.page.getByRole("option", { name: /agent.*waiting for you: May I delete them\?/ }).waitFor();
        await page.drawn();
        await page.page.screenshot({ path: `${images}overview.png` });
        // What changes is drawn again, and the terminals have no more viewers than before.
        const picture = () => page.page.evaluate(() => document.querySelector("#hf-card-clock canvas").toDataURL());
        const before = await picture();
        await until(async () => (await picture()) !== before, "the clock to go on");
        const viewers = await fixture.daemon.asking(async (ask) => (await ask("list")).terminals.find(({ terminalId }) => terminalId === "clock").viewers);
        assert.equal(viewers, 0);
        await page.type("serv");
        await until(async () => (await page.page.getByRole("option").count()) === 1, "the others to go");
        await page.press("Enter");
        await until(async () => (await page.state()).session === "api" && (await page.active()) === "server", "the terminal that was found");
        await page.sees("GET /items/40 200");
        await opens(page);
        await page.press("ArrowRight", "ArrowLeft", "ArrowDown");
        await page.press("Escape");
        await until(async () => !(await page.page.$(".hf-overview")), "the overview to go");
        await page.page.waitForFunction(() => document.activeElement.classList.contains("xterm-helper-textarea"));
      },
      { keeps: true, viewport: { width: 1000, height: 640 } },
    );
  }));

test("after kill -9 the pictures go on", limit, () =>
  withDaemon({}, async (fixture) => {
    await fill(fixture.daemon);
    await withPage(
      fixture,
      async (page) => {
        await opens(page);
        await drawn(page, "clock");
        await fixture.daemon.kill();
        await fixture.daemon.run();
        await until(async () => (await page.state()).connection.kind === "connected", "the page to be back", 20_000);
        const picture = () => page.page.evaluate(() => document.querySelector("#hf-card-clock canvas").toDataURL());
        const before = await picture();
        await until(async () => (await picture()) !== before, "the clock to go on");
        await page.page.getByRole("option", { name: /agent.*waiting for you/ }).waitFor();
      },
      { keeps: true, viewport: { width: 1000, height: 640 } },
    );
  }));

test("on a phone there is a column of cards", limit, () =>
  withDaemon({}, async (fixture) => {
    await fill(fixture.daemon);
    await withPage(
      fixture,
      async (page) => {
        await opens(page);
        await drawn(page, "tests");
        await page.drawn();
        await page.page.screenshot({ path: `${images}phone-overview.png` });
        const { width } = await page.page.locator("#hf-card-tests").boundingBox();
        assert.ok(width > 300 && width < 360, `${width} pixels`);
        await page.page.locator("#hf-card-server").tap();
        await until(async () => (await page.active()) === "server", "the terminal that was tapped");
      },
      { keeps: true, viewport: { width: 360, height: 640 }, hasTouch: true, isMobile: true },
    );
  }));

for (const theme of themes)
  test(`axe finds nothing serious in the overview: ${theme}`, limit, () =>
    withDaemon({}, async (fixture) => {
      await fill(fixture.daemon);
      await withPage(
        fixture,
        async (page) => {
          await bringAxe(page);
          await page.page.waitForSelector(`[data-theme=${theme}]`);
          await opens(page);
          await drawn(page, "tests");
          const found = await findings(page, "overview");
          await page.type("nothing like this");
          await page.page.waitForSelector(".hf-overview__none");
          found.push(...(await findings(page, "nothing found")));
          assert.deepEqual(found, []);
        },
        { keeps: true, prepare: choose(theme) },
      );
    }));
