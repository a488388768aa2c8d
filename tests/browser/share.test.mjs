// What somebody sees who was given the link of `holdfast share`: one terminal, and no more.

import assert from "node:assert/strict";
import { test } from "node:test";

import { limit, shared } from "./fixture.mjs";
import { Page } from "./page.mjs";
import { until } from "../node/until.mjs";

const fixture = shared();

async function cli(...args) {
  const { code, stdout, stderr } = await fixture.daemon.shell(...args);
  assert.equal(code, 0, stderr);
  return stdout.trim();
}

// A page in a browser of its own that opened a link to the terminal `shown`, which has a neighbour.
async function withGuest(args, use) {
  const shown = await cli("new", "-n", "shown", "--", "sh", "-c", "echo this is shown; exec cat");
  await cli("new", "-n", "hidden", "--", "sh", "-c", "echo this is hidden; exec cat");
  const context = await fixture.browser.newContext();
  try {
    const page = await Page.open(context, await cli("share", "shown", ...args));
    await page.connected(1);
    await page.sees("this is shown");
    await use(page, shown);
    assert.deepEqual(page.errors, [], "the page had errors");
  } finally {
    await context.close();
    await fixture.daemon.clear();
  }
}

const screen = (target) => cli("capture", target);

test("a shared terminal is all there is, and cannot be typed into", limit, () =>
  withGuest([], async (guest, shown) => {
    const { page } = guest;
    assert.equal(await page.getByRole("tab").count(), 1);
    assert.equal(await page.getByRole("button", { name: "New terminal" }).count(), 0);
    assert.equal(await page.getByRole("button", { name: /^Close/ }).count(), 0);
    await page.getByText("View only").waitFor();
    await page.keyboard.type("typed by the guest\n");
    await page.keyboard.press("Control+Shift+Enter"); // A new terminal, for those who may.
    // What the owner types later comes later, so nothing of the guest's is still on its way.
    await cli("send", shown, "typed by the owner", "--enter");
    await guest.sees("typed by the owner");
    assert.ok(!(await screen(shown)).includes("typed by the guest"));
    assert.equal(await page.getByRole("tab").count(), 1);
    const terminals = JSON.parse(await cli("ls", "--json")).terminals;
    assert.deepEqual(terminals.map(({ name }) => name).sort(), ["hidden", "shown"]);
  }),
);

test("with --control it can", limit, () =>
  withGuest(["--control"], async (guest, shown) => {
    assert.equal(await guest.page.getByText("View only").count(), 0);
    assert.equal(await guest.page.getByRole("button", { name: "New terminal" }).count(), 0);
    await guest.type("typed by the guest\n");
    await until(async () => (await screen(shown)).includes("typed by the guest"), "what the guest typed");
  }),
);

test("the page says so when the share is over", limit, () =>
  withGuest([], async ({ page }) => {
    const share = JSON.parse(await cli("token", "ls", "--json")).tokens.findLast(({ name }) => name === "share");
    assert.equal(share.lastAddress, "127.0.0.1");
    await cli("token", "revoke", share.id);
    await page.waitForSelector('[aria-label="Token"]');
  }),
);
