// Sessions: each has its own tabs. Switching, creating, renaming and closing them.

import assert from "node:assert/strict";
import { test } from "node:test";

import { withAnswers } from "./doubles.mjs";
import { images, limit, shared, withPage } from "./fixture.mjs";
import { until } from "../node/until.mjs";

const fixture = shared();
const viewport = { width: 1000, height: 560 };

async function shows(page, session) {
  await until(async () => (await page.state()).session === session, `the session ${session}`);
}

async function choose(page, ...keys) {
  await page.press("Control+Shift+s");
  await page.page.waitForSelector('dialog[aria-label="Sessions"]');
  for (const key of keys) await (key.length > 1 && /^[A-Z]/.test(key) ? page.press(key) : page.type(key));
}

test("sessions: switch, make, rename and close", limit, () =>
  withPage(
    fixture,
    async (page) => {
      const { daemon } = fixture;
      await daemon.asking((ask) => ask("session_create", { name: "ci", kind: "background" }));
      await page.run("echo in the first session");
      await page.sees(/^in the first session/);
      await choose(page);
      await page.page.waitForSelector("text=0 terminals · background");
      await page.drawn();
      await page.page.screenshot({ path: `${images}sessions.png` });
      await page.type("work");
      await page.press("Enter");
      await shows(page, "work");
      await page.connected(1);
      await page.sees("ready>");
      assert.ok(!(await page.lines()).some((line) => line.includes("first session")));
      await page.run("echo in the second session");
      await page.sees(/^in the second session/);

      await choose(page, "play", "ArrowDown", "Enter");
      await shows(page, "play");
      await page.refresh();
      await page.connected(1);
      await shows(page, "play");
      await page.sees(/^in the second session/);

      await choose(page, "main", "Enter");
      await shows(page, "main");
      await page.connected(1);
      await page.sees(/^in the first session/);

      await choose(page, "play", "Enter");
      await shows(page, "play");
      await page.connected(1);
      await choose(page);
      await page.page.click("text=Close session play…");
      await page.page.waitForSelector("text=Close session play?");
      await page.press("Tab", "Enter");
      await shows(page, "main");
      await page.connected(1);
      await page.sees(/^in the first session/);
      const { sessions } = await daemon.asking((ask) => ask("sessions"));
      assert.deepEqual(sessions.map(({ name }) => name).sort(), ["ci", "main"]);
    },
    { viewport },
  ));

test("a session that is closed elsewhere while the page is away gives way to the first one", limit, () =>
  withPage(fixture, async (page) => {
    await choose(page, "short-lived", "Enter");
    await shows(page, "short-lived");
    await page.connected(1);
    await page.page.goto("about:blank");
    await fixture.daemon.asking((ask) => ask("session_close", { name: "short-lived" }));
    await page.page.goBack({ waitUntil: "commit" });
    await shows(page, "main");
    await page.connected(1);
  }));

test("an extension may keep the session, and is quoted", limit, () =>
  withPage(
    fixture,
    async (page, _, asked) => {
      await fixture.daemon.asking((ask) => ask("session_create", { name: "ci" }));
      await choose(page, "ci", "Enter");
      await page.page.waitForSelector(".hf-toast >> text=A deployment is running.");
      await shows(page, "main");
      assert.deepEqual(asked, [{ from: "main", to: "ci" }]);
      await page.run("echo still $((10 + 1))");
      await page.sees("still 11");
    },
    {
      prepare: async (context) => {
        const asked = [];
        await withAnswers(context, fixture.daemon.address, {
          session_switch: (data) => {
            asked.push(data);
            return { type: "error", data: { code: "cancelled", error: "A deployment is running." } };
          },
        });
        return asked;
      },
    },
  ));

// Each of these once said "there is no channel 21", and kept saying it.
test("what was left while something was on its way is not reported", limit, () =>
  withPage(fixture, async (page) => {
    await fixture.daemon.asking((ask) => ask("session_create", { name: "other" }));
    for (let count = 0; count < 3; ++count) {
      await page.newTerminal();
      await page.run("while :; do echo busy; done");
    }
    for (let round = 0; round < 3; ++round) {
      await page.refresh();
      await until(() => page.page.evaluate(() => globalThis.holdfast.state.tabs.some(({ status }) => status.kind === "connected")), "a terminal");
      await page.page.evaluate(() => globalThis.holdfast.switchSession("other"));
      await page.page.evaluate(() => globalThis.holdfast.switchSession("main"));
    }
    await page.connected();
    // The last terminal too.
    for (const { terminalId } of await page.tabs()) await page.page.evaluate((id) => globalThis.holdfast.confirmClose(id), terminalId);
    await page.page.waitForSelector("text=New terminal");
    // The daemon answers in order: by then it has said all that there is to say.
    await page.page.evaluate(() => globalThis.holdfast.sessions.list());
    assert.deepEqual((await page.state()).toasts, []);
  }));
