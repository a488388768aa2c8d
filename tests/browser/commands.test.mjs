// The command bar, and what extensions show and ask. The extensions are fake; the daemon is real.

import assert from "node:assert/strict";
import { test } from "node:test";

import { withAnswers } from "./doubles.mjs";
import { images, limit, shared, withPage } from "./fixture.mjs";
import { until } from "../node/until.mjs";

const fixture = shared();
const viewport = { width: 1000, height: 560 };
const commands = [
  { name: "deploy", extension: "ship", description: "Deploy to an environment" },
  { name: "describe", extension: "ship", description: "Show what would be deployed" },
  { name: "reload", extension: "holdfast", description: "Load the extensions anew" },
];

// A page whose session has fake extensions. `run` answers lines; `lines` and `shown` record calls.
function withExtensions(run, use) {
  const lines = [];
  const shown = [];
  const answers = {
    commands: ({ session }) => {
      shown.push(session);
      return { type: "commands", data: { session, commands } };
    },
    run: async ({ line }, request) => {
      lines.push(line);
      return { type: "result", data: await run(line, request) };
    },
  };
  return withPage(fixture, (page, context, extensions) => use(page, { ...extensions, lines, shown }, context), {
    viewport,
    prepare: (context) => withAnswers(context, fixture.daemon.address, answers),
  });
}

async function enter(page, line) {
  await page.press("Control+Shift+k");
  await page.type(line);
  await page.press("Enter");
}

async function hasNoDialog(page) {
  await until(async () => !(await page.page.$("dialog[open]")), "no dialog");
}

test("the command bar: commands with completion and history, shell lines, and what the page does", limit, () =>
  withExtensions(
    (line) => ({ text: line.startsWith("!") ? "Linux\n" : "Deployed to staging." }),
    async (page, { lines }) => {
      await page.press("Control+Shift+k");
      await page.type("/d");
      await page.page.waitForSelector("text=Deploy to an environment");
      await page.drawn();
      await page.page.screenshot({ path: `${images}command-bar.png` });
      await page.press("Tab");
      await page.type("staging");
      await page.press("Enter");
      await page.page.waitForSelector(".hf-toast >> text=Deployed to staging.");
      await hasNoDialog(page);
      await enter(page, "! uname");
      await page.page.waitForSelector(".hf-toast >> text=Linux");
      await hasNoDialog(page);
      await page.press("Control+Shift+k", "ArrowUp", "Enter");
      await until(() => lines.length === 3, "the line from the history");
      assert.deepEqual(lines, ["/deploy staging", "! uname", "! uname"]);
      await hasNoDialog(page);

      await enter(page, "theme light");
      await page.page.waitForSelector('.hf-root[data-theme="light"]');
      await enter(page, "theme system");
      await page.page.waitForSelector('.hf-root[data-theme="dark"]');
    },
  ));

test("what is more than a line stays to be read, and comes while the command runs", limit, () => {
  const running = Promise.withResolvers();
  const ended = Promise.withResolvers();
  return withExtensions(
    async (line, request) => {
      running.resolve(request);
      await ended.promise;
      const compiled = Array.from({ length: 200 }, (_, index) => `  CC  src/part_${index + 1}.o`);
      return { text: [...compiled, `${line.slice(2)}: *** [src/part_201.o] Error 1`].join("\n"), exitCode: 2 };
    },
    async (page, { say }) => {
      await enter(page, "! make");
      say("progress", { request: await running.promise, text: "compiling\nlinking" });
      const panel = page.page.getByRole("log", { name: "Results" });
      await panel.getByText("linking").waitFor();
      await panel.getByText("running…").waitFor();

      // It keeps running while the bar is closed, and a notice tells when it has ended.
      await page.press("Escape");
      await hasNoDialog(page);
      await page.run("echo typed $((4 + 4)) meanwhile");
      await page.sees("typed 8 meanwhile");
      await page.press("Control+Shift+k");
      await panel.getByText("linking").waitFor();
      await page.press("Escape");
      await hasNoDialog(page);
      ended.resolve();
      await page.page.waitForSelector(".hf-toast >> text=! make has ended.");

      await page.press("Control+Shift+k");
      await panel.getByText("exited with 2").waitFor();
      await until(() => panel.getByText("compiling").count().then((count) => count === 0), "the result in place of what came before it");
      const place = () => page.page.$eval(".hf-picker__panel", ({ scrollTop, scrollHeight, clientHeight }) => scrollHeight - clientHeight - scrollTop);
      await until(async () => (await place()) < 20, "the end to be in sight");
      await page.drawn();
      await page.page.screenshot({ path: `${images}results.png` });
      await page.press("PageUp");
      await until(async () => (await place()) > 50, "what is above");

      // Once shown, it is gone.
      await page.press("Escape", "Control+Shift+k");
      await page.page.getByRole("option").first().waitFor();
      assert.equal(await panel.count(), 0);
    },
  );
});

test("a command may lead to another session, whose extensions are then shown", limit, () =>
  withExtensions(
    () => ({ session: "ops" }),
    async (page, { say, shown }) => {
      await fixture.daemon.asking((ask) => ask("session_create", { name: "ops" }));
      say("status", { session: "main", key: "vm", text: "vm: running" });
      await page.page.waitForSelector(".hf-status >> text=vm: running");
      await enter(page, "/switch ops");
      await until(async () => (await page.state()).session === "ops", "the other session");
      await page.connected(1);
      await hasNoDialog(page);
      assert.ok(!(await page.page.isVisible("text=vm: running")));
      assert.deepEqual(shown, ["main", "ops"]);
      say("notify", { session: "main", level: "error", text: "not for this session" });
      say("notify", { session: "ops", level: "info", text: "for this one" });
      await page.page.waitForSelector("text=for this one");
      assert.ok(!(await page.page.isVisible("text=not for this session")));
      await page.refresh();
      await page.connected(1);
      await until(() => shown.length === 3, "the session to be asked for again");
      assert.equal(shown[2], "ops");
    },
  ));
