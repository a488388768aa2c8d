// Output that is faster than the browser can draw: the page stays usable, and Ctrl-C works at once.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { limit, median, shared, withPage } from "./fixture.mjs";
import { until } from "../node/until.mjs";

const fixture = shared();

// Presses Ctrl-C and measures how long it takes until the program has ended and the prompt is
// shown.
async function interrupt(page, pid) {
  await page.page.keyboard.down("Control");
  const begun = performance.now();
  await page.page.keyboard.down("c");
  await until(() => !isAlive(pid), "the program to end");
  const ended = Math.round(performance.now() - begun);
  const atPrompt = () =>
    page.page.evaluate(() => {
      const { active } = globalThis.holdfast.screenOf(globalThis.holdfast.state.active).terminal.buffer;
      return /^(\^C)?ready> ?$/.test(active.getLine(active.baseY + active.cursorY)?.translateToString(true) ?? "");
    });
  await until(atPrompt, "the prompt");
  const shown = Math.round(performance.now() - begun);
  await page.page.keyboard.up("c");
  await page.page.keyboard.up("Control");
  return { ended, shown };
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

// Runs a command in the foreground of the shell, and returns its pid.
async function runWithPid(page, command) {
  const file = join(fixture.daemon.home, "pid");
  rmSync(file, { force: true });
  await page.run(`sh -c 'echo $$ > ${file}; exec ${command}'`);
  return Number(await until(() => readFileSync(file, "utf8").trim(), "the program to start"));
}

test("Ctrl-C acts within 200 ms while `yes` runs", limit, () =>
  withPage(fixture, async (page) => {
    const times = [];
    for (let round = 0; round < 7; ++round) {
      const pid = await runWithPid(page, "yes");
      await page.sees(/^y$/);
      await until(async () => (await page.page.evaluate(() => globalThis.holdfast.screenOf(globalThis.holdfast.state.active).terminal.buffer.active.length)) > 5000, "a flood");
      times.push(await interrupt(page, pid));
    }
    const ended = times.map((time) => time.ended);
    const shown = times.map((time) => time.shown);
    console.log(`Ctrl-C while yes runs: it has ended after ${median(ended)} ms (median of ${ended.join(", ")})`);
    console.log(`Ctrl-C while yes runs: the prompt is shown after ${median(shown)} ms (median of ${shown.join(", ")})`);
    assert.ok(median(ended) < 200, `median ${median(ended)} ms`);
    assert.ok(median(shown) < 1000, `median ${median(shown)} ms`);
  }));

test("a 100 MB `cat` leaves the page usable, can be interrupted, and ends with the file's last line", limit, () =>
  withPage(fixture, async (page) => {
    const file = join(fixture.daemon.home, "large.txt");
    execFileSync("sh", ["-c", `yes 'a line of a hundred megabytes, and then some more of it' | head -c 100000000 > ${file}; echo; echo the very end >> ${file}`]);
    const pid = await runWithPid(page, `cat ${file} ${file} ${file}`);
    await page.sees("a line of a hundred megabytes");
    const { ended, shown } = await interrupt(page, pid);
    console.log(`Ctrl-C in a cat of 100 MB files: it has ended after ${ended} ms, the prompt is shown after ${shown} ms`);
    assert.ok(ended < 1000 && shown < 2000);

    await page.page.evaluate(() => {
      globalThis.longest = 0;
      let last = performance.now();
      const step = (now) => {
        globalThis.longest = Math.max(globalThis.longest, now - last);
        last = now;
        requestAnimationFrame(step);
      };
      requestAnimationFrame(step);
    });
    const begun = performance.now();
    await page.run(`clear; cat ${file}`);
    await page.sees("the very end", { timeout: 100_000 });
    const seconds = (performance.now() - begun) / 1000;
    const longest = Math.round(await page.page.evaluate(() => globalThis.longest));
    console.log(`100 MB cat: ${seconds.toFixed(1)} s, ${(100 / seconds).toFixed(0)} MB/s; longest time between two frames ${longest} ms`);
    assert.ok(longest < 1000, `the page stood still for ${longest} ms`);
  }));

test("a flood in one tab leaves typing in another quick", limit, () =>
  withPage(fixture, async (page) => {
    const typed = async (rounds) => {
      const times = [];
      for (let round = 0; round < rounds; ++round) {
        const number = 1000 * rounds + round;
        const begun = performance.now();
        await page.run(`echo round-$((${number} + 1))`);
        await page.sees(`round-${number + 1}`);
        times.push(Math.round(performance.now() - begun));
      }
      return median(times);
    };
    const quiet = await typed(7);
    await page.newTerminal();
    await page.run("yes");
    await page.sees(/^y$/);
    await page.newTerminal();
    const beside = await typed(15);
    console.log(`a command in a quiet page: median ${quiet} ms; beside a flood in another tab: ${beside} ms`);
    assert.ok(beside < Math.max(500, 8 * quiet), `${beside} ms, ${quiet} ms without the flood`);
  }));

// The time from a key to its echo on the screen, in milliseconds: of the active terminal, typed
// into its prompt and erased again.
function echoes(page, rounds) {
  return page.page.evaluate(async (rounds) => {
    const client = globalThis.holdfast;
    const id = client.state.active;
    const { terminal } = client.screenOf(id);
    const times = [];
    for (let round = 0; round < 2 * rounds; ++round) {
      const from = terminal.buffer.active.cursorX;
      const begun = performance.now();
      const echoed = new Promise((resolve) => {
        const parsed = terminal.onWriteParsed(() => {
          if (terminal.buffer.active.cursorX === from) return;
          parsed.dispose();
          resolve();
        });
      });
      client.input(id, round % 2 === 0 ? "x" : "\x7f");
      await echoed;
      times.push(performance.now() - begun);
      await new Promise(requestAnimationFrame);
    }
    return times;
  }, rounds);
}

async function heapOf(page) {
  const devtools = await page.page.context().newCDPSession(page.page);
  await devtools.send("HeapProfiler.collectGarbage");
  await devtools.send("Performance.enable");
  const { metrics } = await devtools.send("Performance.getMetrics");
  await devtools.detach();
  return metrics.find(({ name }) => name === "JSHeapUsedSize").value / 1e6;
}

// The page once attached every tab and got all their output. Ten floods made the echo of a key take
// three seconds, and the heap ten times larger. The floods themselves take the processors' time, so
// they are compared with the same ones in a session that the page does not show.
test("ten floods in hidden tabs cost the shown one nothing", limit, () =>
  withPage(fixture, async (page) => {
    const floods = Array.from({ length: 10 }, (_, count) => `flood-${count}`);
    const flood = (session) =>
      fixture.daemon.asking(async (ask) => {
        if (session !== "main") await ask("session_create", { name: session });
        for (const terminalId of floods) await ask("create", { terminalId, session, command: ["yes"] });
      });
    await echoes(page, 10);
    const quiet = median(await echoes(page, 30));
    const quietHeap = await heapOf(page);
    await flood("elsewhere");
    const unseen = median(await echoes(page, 30));
    await fixture.daemon.asking((ask) => ask("session_close", { name: "elsewhere" }));
    await flood("main");
    await page.connected(11);
    await until(async () => (await page.state()).tabs.filter(({ activity }) => activity).length === 10, "all tabs to be marked");
    const hidden = median(await echoes(page, 30));
    const hiddenHeap = await heapOf(page);
    const told = [quiet, unseen, hidden].map((time) => time.toFixed(1));
    console.log(`echo of a key: median ${told[0]} ms; beside ten floods without tabs: ${told[1]} ms; in hidden tabs: ${told[2]} ms`);
    console.log(`heap: ${quietHeap.toFixed(0)} MB; beside ten floods in hidden tabs: ${hiddenHeap.toFixed(0)} MB`);
    assert.ok(hidden < 2 * unseen + 20, `${hidden} ms, ${unseen} ms without tabs`);
    assert.ok(hiddenHeap < quietHeap + 20, `${hiddenHeap} MB, ${quietHeap} MB without the floods`);

    // A flood that is shown again is where it is by now.
    await page.page.click("#hf-tab-flood-3");
    await page.sees(/^y$/);
    const scrolled = () => page.page.evaluate(() => globalThis.holdfast.screenOf("flood-3").terminal.buffer.active.length);
    await until(async () => (await scrolled()) > 5000, "its history");
  }));
