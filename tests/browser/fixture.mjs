// For every browser test: a daemon, a browser, and pages that must not have had errors at the end.

import assert from "node:assert/strict";
import { after, before } from "node:test";
import { fileURLToPath } from "node:url";

import { Daemon } from "../node/daemon.mjs";
import { launch, Page } from "./page.mjs";

export const images = fileURLToPath(new URL("../../docs/images/", import.meta.url));
export const limit = { timeout: 120_000 };

// One daemon and one browser for all tests of a file.
export function shared(options) {
  const fixture = {};
  before(async () => {
    fixture.daemon = await Daemon.start(options);
    fixture.browser = await launch();
  });
  after(async () => {
    await fixture.browser?.close();
    await fixture.daemon?.stop();
  });
  return fixture;
}

// One of each for a single test that kills or breaks the daemon.
export async function withDaemon(options, use) {
  const daemon = await Daemon.start(options);
  const browser = await launch();
  try {
    await use({ daemon, browser });
  } finally {
    await browser.close();
    await daemon.stop();
  }
}

// Runs `use` with a page in a fresh browser profile, on a daemon without terminals. `prepare` can
// change the profile first. With `keeps`, another page has terminals there already, and keeps them.
export async function withPage({ daemon, browser }, use, { address = daemon.address, prepare, keeps = false, ...options } = {}) {
  const context = await browser.newContext({ colorScheme: "dark", ...options });
  try {
    const prepared = await prepare?.(context);
    const page = await Page.open(context, address, { token: daemon.token });
    await page.connected(keeps ? undefined : 1);
    if (!keeps) await page.sees("ready>");
    await use(page, context, prepared);
    assert.deepEqual(page.errors, [], "the page had errors");
  } finally {
    await context.close();
    // Clean up after a failure too, or the next test would fail as well.
    if (!keeps) await daemon.clear();
  }
}

export function median(numbers) {
  return [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];
}
