// For every test here: daemons, and pages that each have their own session.

import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { Link } from "../browser/link.mjs";
import { Daemon } from "../node/daemon.mjs";
import { Page } from "./page.mjs";
import { furnish } from "./programs.mjs";

export const limit = { timeout: 120_000 };
// Every combination of window heights and widths: below, at and above the 24 rows that a page
// claims at first.
export const sizes = [20, 24, 34, 45, 60].flatMap((rows) => [80, 128].map((cols) => ({ rows, cols })));
// Each of them, with the page laid out before or after the scrollback arrives.
export const layouts = sizes.flatMap((size) => ["before", "after"].map((fits) => ({ ...size, fits, name: `${size.rows}x${size.cols}, laid out ${fits}` })));

let pages = 0;

// One daemon for all tests of a file.
export function shared(options) {
  const fixture = {};
  before(async () => {
    fixture.daemon = await furnished(options);
  });
  after(() => fixture.daemon && dismissed(fixture.daemon));
  return fixture;
}

// A daemon whose home has the files that the programs read.
export async function furnished(options) {
  const daemon = await Daemon.start(options);
  furnish(daemon.home);
  return daemon;
}

// A tmux server detaches itself and outlives the keeper.
export async function dismissed(daemon) {
  for (const name of readdirSync(daemon.home).filter((each) => /^tmux-\d+$/.test(each))) spawnSync("tmux", ["-S", join(daemon.home, name), "kill-server"], { timeout: 10_000 });
  await daemon.stop();
}

// A test with many cases, some in parallel. `use` gets each case and a page of its size.
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

// A failure includes the messages between page and daemon.
export async function explained(page, use) {
  try {
    await use();
  } catch (error) {
    error.message += `\n--- what was said:\n${page.told.slice(-60).join("\n")}`;
    throw error;
  }
}
