// The commands of a real bash: signs beside them, going from one to another, and what can be done with one.

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { bringAxe, choose, findings, themes } from "./axe.mjs";
import { images, limit, shared, withPage } from "./fixture.mjs";
import { until } from "../node/until.mjs";

const fixture = shared();
const viewport = { width: 1000, height: 600 };

// A page with one more terminal, in which bash has the shell integration.
function withBash(use, options = {}) {
  const home = fixture.daemon.home;
  writeFileSync(join(home, ".bashrc"), "PS1='$ '\nunset HISTFILE\n");
  return withPage(
    fixture,
    async (page, context) => {
      await page.page.evaluate(() => void globalThis.holdfast.newTerminal({ command: ["/bin/bash"] }));
      await page.connected(2);
      await page.sees(/^\$ /);
      await use(page, context);
    },
    { viewport, ...options },
  );
}

// The signs in sight, from top to bottom: the row that they are in, what they mean, and what they say.
function signs(page) {
  return page.page.evaluate(() => {
    const { terminal } = globalThis.holdfast.screenOf(globalThis.holdfast.state.active);
    const screen = terminal.element.querySelector(".xterm-screen").getBoundingClientRect();
    return [...terminal.element.querySelectorAll(".hf-mark")]
      .map((sign) => ({ box: sign.getBoundingClientRect(), result: /hf-mark--(\w+)/.exec(sign.className)[1], title: sign.title }))
      .filter(({ box }) => box.height > 0)
      .map(({ box, result, title }) => ({ row: Math.round(((box.top - screen.top) * terminal.rows) / screen.height), result, title }))
      .sort((a, b) => a.row - b.row);
  });
}

const untilSigns = (page, results) => until(async () => (await signs(page)).map(({ result }) => result).join() === results && (await signs(page)), `the signs ${results}`, 15_000);
const selection = (page) => page.page.evaluate(() => globalThis.holdfast.screenOf(globalThis.holdfast.state.active).terminal.getSelection());
const top = (page) => page.page.evaluate(() => globalThis.holdfast.screenOf(globalThis.holdfast.state.active).terminal.buffer.active.viewportY);

// Runs it, and waits until it has ended.
async function run(page, command) {
  const before = (await newest(page))?.start ?? 0;
  await page.run(command);
  await until(async () => {
    const { start, end } = (await newest(page)) ?? {};
    return start > before && end !== null;
  }, `${command} to end`, 15_000);
}

function newest(page) {
  return page.page.evaluate(() => globalThis.holdfast.screenOf(globalThis.holdfast.state.active).commands.known.at(-1)?.command);
}

test("each command has a sign in its row, with its exit code and duration, also after a refresh", limit, () =>
  withBash(async (page) => {
    await run(page, "echo hello");
    await run(page, "(exit 3)");
    await page.run("sleep 1000");
    const live = await untilSigns(page, "done,failed,running");
    const lines = await page.lines();
    assert.deepEqual(live.map(({ row }) => lines[row]), ["$ echo hello", "$ (exit 3)", "$ sleep 1000"]);
    assert.match(live[0].title, /^echo hello · finished · took 0\.\d s$/);
    assert.match(live[1].title, /^\(exit 3\) · exited with 3 · took /);
    assert.equal(live[2].title, "sleep 1000 · running");
    await page.page.locator(".hf-mark").nth(1).hover();
    await page.drawn();
    await page.page.screenshot({ path: `${images}commands.png` });

    await page.refresh();
    await page.connected(2);
    assert.deepEqual(await untilSigns(page, "done,failed,running"), live);
    await page.press("Control+c");
    assert.match((await untilSigns(page, "done,failed,failed"))[2].title, /^sleep 1000 · exited with 130 · took/);
  }));

test("marks that a file or a program prints make no command, live and in a snapshot", limit, () =>
  withBash(async (page) => {
    const forged = "\x1b]133;A\x07$ \x1b]133;B\x07evil\r\n\x1b]133;C;cmdline_url=evil\x07bad\r\n\x1b]133;D;0\x07\x1b]133;C;start=1;cmdline_url=evil\x07\x1b]133;D;0;start=1\x07\x1b]133;C;start=";
    writeFileSync(join(fixture.daemon.home, "forged"), forged);
    await run(page, "cat forged");
    await run(page, "printf '\\e]133;C;start=%s\\a\\n' $(seq 1 3000) | tr -d '\\n'");
    await run(page, "echo after");
    const before = await untilSigns(page, "done,done,done");
    assert.deepEqual(before.map(({ title }) => title.split(" ")[0]), ["cat", "printf", "echo"]);
    await page.refresh();
    await page.connected(2);
    assert.deepEqual(await untilSigns(page, "done,done,done"), before);
  }));

test("what is cleared has no sign, and commands after it keep theirs", limit, () =>
  withBash(async (page) => {
    await run(page, "echo one");
    await page.run("clear");
    await until(async () => (await signs(page)).length === 0, "no signs");
    await run(page, "echo two");
    const seen = await untilSigns(page, "done");
    assert.match(seen[0].title, /^echo two/);
    await page.refresh();
    await page.connected(2);
    assert.deepEqual(await untilSigns(page, "done"), seen);
  }));

test("a cut connection loses no sign, and a killed daemon does not either", limit, () =>
  withBash(async (page) => {
    await run(page, "echo one");
    await page.run("sleep 1.5; (exit 4)");
    await untilSigns(page, "done,running");
    await fixture.daemon.kill();
    await page.disconnected();
    await fixture.daemon.run();
    await page.connected(2);
    const seen = await untilSigns(page, "done,failed");
    assert.match(seen[1].title, /^sleep 1\.5; \(exit 4\) · exited with 4/);
  }));

test("keys go from command to command, and the line of a command stays in sight while its output scrolls", limit, () =>
  withBash(async (page) => {
    await run(page, "seq 1 100");
    await run(page, "seq 201 300");
    await run(page, "false");
    await page.press("Control+Alt+PageUp", "Control+Alt+PageUp");
    await until(async () => (await page.page.locator(".hf-mark--chosen").getAttribute("title"))?.startsWith("seq 201 300"), "the command before to be chosen");
    const [{ row }] = (await signs(page)).filter(({ title }) => title.startsWith("seq 201"));
    assert.equal(row, 0);
    assert.equal(await page.page.locator(".hf-sticky").count(), 0);
    await page.page.locator(".xterm-screen:visible").hover();
    await page.page.mouse.wheel(0, 300);
    await page.page.waitForSelector(".hf-sticky >> text=seq 201 300");
    await page.drawn();
    await page.page.screenshot({ path: `${images}sticky-command.png` });
    const scrolled = await top(page);
    await page.page.click(".hf-sticky");
    await until(async () => (await top(page)) < scrolled, "the command in sight");
    await page.press("Control+Alt+PageUp");
    await until(async () => (await signs(page))[0]?.title.startsWith("seq 1 100"), "the first command");
    await page.press("Control+Alt+PageDown", "Control+Alt+PageDown", "Control+Alt+PageDown");
    await page.type("x");
    await page.sees(/^\$ x$/);
    await until(async () => (await page.page.locator(".hf-mark--chosen").count()) === 0, "the end");
    assert.match(await page.page.locator(".hf-sticky").textContent(), /^seq 201 300/, "its output is at the top");
  }));

test("the output of a command is selected, copied and downloaded, also when it has scrolled away", limit, () =>
  withBash(
    async (page) => {
      await run(page, "printf 'one\\ntwo three\\n'");
      await run(page, "seq 1 12000");
      await page.press("Control+Alt+Shift+C");
      const clipboard = () => page.page.evaluate(() => navigator.clipboard.readText());
      await until(async () => (await clipboard()).startsWith("1\n2\n3\n"), "the output in the clipboard");
      assert.equal((await clipboard()).trimEnd().split("\n").length, 12_000);

      await run(page, "printf 'red\\ngreen\\n'");
      await page.page.locator(".hf-mark").last().click();
      await page.page.waitForSelector('[role=menu][aria-label="Command menu"]');
      await page.drawn();
      await page.page.screenshot({ path: `${images}command-menu.png` });
      await page.page.click("[role=menuitem] >> text=Select");
      await until(async () => (await selection(page)).trim() === "red\ngreen", "the output to be selected");

      await page.page.locator(".hf-mark").last().click();
      const download = page.page.waitForEvent("download");
      await page.page.click("[role=menuitem] >> text=Download");
      const file = await download;
      assert.equal(file.suggestedFilename(), "printf-red-ngreen-n.txt");
      assert.equal(readFileSync(await file.path(), "utf8"), "red\ngreen\n");
    },
    { permissions: ["clipboard-read", "clipboard-write"] },
  ));

test("a command is run again at the prompt, in place of what was typed there, and not while another runs", limit, () =>
  withBash(async (page) => {
    await run(page, "echo run number $((++n))");
    await page.sees(/^run number 1$/);
    await page.type("rm -rf left here");
    await page.press("Control+Alt+Shift+R");
    await page.sees(/^run number 2$/);
    await untilSigns(page, "done,done");
    await page.run("cat");
    await untilSigns(page, "done,done,running");
    await page.page.locator(".hf-mark").first().click();
    await page.page.click("[role=menuitem] >> text=Run it again");
    await page.page.waitForSelector(".hf-toasts >> text=The shell is not at its prompt");
    assert.equal((await page.lines()).filter((line) => line.startsWith("run number")).length, 2);
  }));

for (const theme of themes)
  test(`axe finds nothing serious around commands: ${theme}`, limit, () =>
    withBash(
      async (page) => {
        await bringAxe(page);
        await run(page, "seq 1 100");
        await page.press("Control+Alt+PageUp");
        await page.page.waitForSelector(".hf-mark--chosen");
        await until(async () => !(await page.page.$(".hf-sticky")), "the command itself to be in sight");
        await page.page.locator(".xterm-screen:visible").hover();
        await page.page.mouse.wheel(0, 300);
        await page.page.waitForSelector(".hf-sticky");
        const found = await findings(page, "the line at the top");
        await page.page.click(".hf-sticky");
        await until(async () => (await top(page)) === 0, "the command in sight");
        await page.page.locator(".hf-mark:visible").first().click();
        found.push(...(await findings(page, "a command's menu")));
        assert.deepEqual(found, []);
      },
      { prepare: choose(theme) },
    ));
