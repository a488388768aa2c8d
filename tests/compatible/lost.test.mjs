// A page that stays open while something is lost: the network, the daemon, the keeper, both, a
// shell, or its terminals after the grace period. On reconnecting it sends the size of every tab it
// knows, before it knows which terminals are left.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";

import { until } from "../node/until.mjs";
import { allAlive, showsAll } from "./checks.mjs";
import { cases, dismissed, explained, furnished, limit, openPage, shared, sizes } from "./fixture.mjs";
import { counter, less, look, looks, quit, start, tmux, vim } from "./programs.mjs";

const fixture = shared();
const daemon = () => fixture.daemon;
const names = ["build", "serve", "test"];
const programs = [vim, less, tmux];
// After a refresh, the page's tab ids differ from the daemon's terminal ids.
const named = sizes.map((size, index) => ({ ...size, index, refreshed: size.cols === 128, program: programs[index % programs.length], name: `${size.rows}x${size.cols}` }));

// Three named tabs: one at a prompt, one with a full-screen program, and the visible one at a
// prompt.
async function furnish(page, { refreshed, program }) {
  page.rename(page.active, names[0]);
  const first = counter("one", 70);
  await start(page, first);
  await page.newTab();
  page.rename(page.active, names[1]);
  await page.prompted();
  await start(page, program);
  const before = look(page.screen, program);
  await page.newTab();
  page.rename(page.active, names[2]);
  await page.prompted();
  if (refreshed) {
    await page.refresh();
    await page.connected(3);
    await page.prompted();
  }
  await page.settled();
  return { first, before };
}

// Everything is as it was, and the third tab's output meanwhile is there.
async function isAllThere(page, { program }, { first, before }, third) {
  await page.connected(3);
  assert.deepEqual(page.names, names);
  await page.sees(third.there);
  await showsAll(page, third);
  page.show(page.tabs[1]);
  await page.settled();
  await looks(page, program, before);
  await quit(page, program);
  await showsAll(page, program);
  page.show(page.tabs[0]);
  await page.settled();
  await showsAll(page, first);
}

// The tabs keep their names, with fresh shells, also after a refresh.
async function isMadeAgain(page) {
  await allAlive(page, names);
  await page.refresh();
  await allAlive(page, names);
}

cases("a network that was cut: nothing is missing, nothing comes twice", daemon, named, async (page, options, link) => {
  const kept = await furnish(page, options);
  const counting = counter("n", 100, { pause: 0.01 });
  page.type(`${counting.command}\r`);
  await page.sees("n 20.");
  link.cut();
  await page.disconnected();
  link.mend();
  await isAllThere(page, options, kept, counting);
});

cases("a shell that ends while the network is away: its tab gets a fresh one", daemon, named, async (page, options, link) => {
  const fifo = join(fixture.daemon.home, `fifo-${options.name}`);
  execFileSync("mkfifo", [fifo]);
  await furnish(page, options);
  page.type(`cat ${fifo}; exit 3\r`);
  await page.sees("exit 3");
  const id = page.active.serverId;
  link.cut();
  await page.disconnected();
  execFileSync("sh", ["-c", `echo go > ${fifo}`], { timeout: 10_000 });
  await until(() => fixture.daemon.asking(async (ask) => (await ask("list")).terminals.find(({ terminalId }) => terminalId === id)?.status === "exited"), "the shell to end");
  link.mend();
  await page.connected(3);
  page.show(page.tabs[1]);
  await page.settled();
  await quit(page, options.program);
  await isMadeAgain(page);
});

// Many pages, one of each size, lose something at once. Each is checked by itself afterwards.
function allLose(name, { grace, lose }, check) {
  test(name, { ...limit, concurrency: named.length }, async (context) => {
    const daemon = await furnished({ grace });
    const opened = [];
    try {
      await Promise.all(
        named.map(async (options) => {
          const one = { options, ...(await openPage(daemon, options)) };
          opened.push(one);
          one.kept = await furnish(one.page, options);
        }),
      );
      await lose(daemon, opened);
      await Promise.all(opened.map((one) => context.test(one.options.name, () => explained(one.page, () => check(one)))));
    } finally {
      for (const { close } of opened) await close();
      await dismissed(daemon);
    }
  });
}

const counting = counter("n", 100, { pause: 0.01 });

allLose(
  "a daemon that was killed: nothing is missing, nothing comes twice",
  {
    lose: async (daemon, opened) => {
      for (const { page } of opened) page.type(`${counting.command}\r`);
      for (const { page } of opened) await page.sees("n 20.");
      await daemon.kill();
      await daemon.run();
    },
  },
  ({ page, options, kept }) => isAllThere(page, options, kept, counting),
);

allLose(
  "a keeper that was killed: tabs, names and order stay, with fresh shells",
  {
    lose: async (daemon, opened) => {
      await daemon.killAll();
      for (const { page } of opened) await until(() => page.closes.length > 0, "the connection to end");
    },
  },
  async ({ page }) => {
    assert.deepEqual(page.closes, [1012], "the page is told to come back");
    await isMadeAgain(page);
  },
);

allLose(
  "a daemon and a keeper that were killed: tabs, names and order stay, with fresh shells",
  {
    lose: async (daemon) => {
      await daemon.kill();
      await daemon.killAll();
      await daemon.run();
    },
  },
  ({ page }) => isMadeAgain(page),
);

allLose(
  "a grace period that passed while the page was open: tabs, names and order stay, with fresh shells",
  {
    grace: 1,
    lose: async (daemon, opened) => {
      for (const { link } of opened) link.cut();
      await until(async () => Object.values((await daemon.health()).terminals).every((count) => count === 0), "the grace period to pass");
      for (const { link } of opened) link.mend();
    },
  },
  ({ page }) => isMadeAgain(page),
);
