import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { Daemon } from "./daemon.mjs";
import { launch, Page } from "./page.mjs";

let daemon, browser;
before(async () => {
  daemon = await Daemon.start();
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await daemon?.stop();
});

test("a page opens with a terminal, and what is typed runs in it", { timeout: 60_000 }, async () => {
  const context = await browser.newContext();
  const page = await Page.open(context, daemon.address, { token: daemon.token });
  await page.connected(1);
  await page.sees("ready>");
  await page.run("echo $((6 * 7))");
  await page.sees(/^42$/);
  await page.page.screenshot({ path: "/tmp/smoke.png" });
  assert.equal(page.page.url(), `${daemon.address}/`);
  assert.deepEqual(page.errors, []);
  await context.close();
});
