// What every test here stands on: daemons, and pages that each have a session of their own.

import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { Link } from "../browser/link.mjs";
import { Daemon } from "../node/daemon.mjs";
import { Page } from "./page.mjs";
import { furnish } from "./programs.mjs";

export const limit = { timeout: 120_000 };
// The heights and widths of windows, each with each: lower than 24 rows, the size that a page claims at first, and higher.
export const sizes = [20, 24, 34, 45, 60].flatMap((rows) => [80, 128].map((cols) => ({ rows, cols })));
// Each of them, with the page laid out before or after the scrollback has arrived.
export const layouts = sizes.flatMap((size) => ["before", "after"].map((fits) => ({ ...size, fits, name: `${size.rows}x${size.cols}, laid out ${fits}` })));

let pages = 0;

// One daemon for the tests of a file, made before the first.
export function shared(options) {
  const fixture = {};
  before(async () => {
    fixture.daemon = await furnished(options);
  });
  after(() => fixture.daemon && dismissed(fixture.daemon));
  return fixture;
}

// A daemon in whose home the programs find their files.
export async function furnished(options) {
  const daemon = await Daemon.start(options);
  furnish(daemon.home);
  return daemon;
}

// A tmux server is nobody's child, and outlives the keeper.
export async function dismissed(daemon) {
  for (const name of readdirSync(daemon.home).filter((each) => /^tmux-\d+$/.test(each))) spawnSync("tmux", ["-S", join(daemon.home, name), "kill-server"], { timeout: 10_000 });
  await daemon.stop();
}

// A test of many cases, some of which run at once; `use` gets each, and a page of its size.
export function cases(name, daemon, all, use, { concurrency = 6 } = {}) {
  test(name, { ...limit, concurrency }, async (context) => {
    await Promise.all(all.map((each) => context.test(each.name, () => withPage(daemon(), each, (page, link) => use(page, each, link)))));
  });
}

// Runs `use` with a page, and the network between it and the daemon.
export async function withPage(daemon, options, use) {
  const { page, link, close } = await openPage(daemon, options);
  try {
    await explained(page, () => use(page, link));
  } finally {
    await close();
  }
}

export async function openPage(daemon, options) {
  const link = await Link.to(daemon.port);
  const session = `page-${++pages}`;
  const page = await Page.open(`ws://127.0.0.1:${link.port}/terminal/ws/multi?session=${session}&token=${daemon.token}`, options);
  await page.prompted();
  return {
    page,
    link,
    close: () => {
      page.close();
      return link.close();
    },
  };
}

// A failure comes with what the page and the daemon said to each other.
export async function explained(page, use) {
  try {
    await use();
  } catch (error) {
    error.message += `\n--- what was said:\n${page.told.slice(-60).join("\n")}`;
    throw error;
  }
}
