// The daemon refuses the page or is away: what the page says, and how to recover.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Daemon } from "../node/daemon.mjs";
import { withAnswers } from "./doubles.mjs";
import { images, limit, shared, withPage } from "./fixture.mjs";
import { launch, Page } from "./page.mjs";
import { Proxy } from "./proxy.mjs";
import { until } from "../node/until.mjs";

const fixture = shared();

test("sign-in refused, and mended", limit, async () => {
  const context = await fixture.browser.newContext({ colorScheme: "dark", viewport: { width: 900, height: 500 } });
  const page = await Page.open(context, fixture.daemon.address);
  await page.page.waitForSelector("text=Sign in");
  await page.page.screenshot({ path: `${images}sign-in.png` });
  await page.page.fill('[aria-label="Token"]', "a wrong one");
  await page.press("Enter");
  await page.page.waitForSelector("text=Unknown token.");
  await page.page.fill('[aria-label="Token"]', fixture.daemon.token);
  await page.press("Enter");
  await page.connected(1);
  await page.sees("ready>");
  await page.run("echo in $((20 + 3))");
  await page.sees("in 23");
  await context.close();
  await fixture.daemon.clear();
});


test("a token that no longer counts: the page asks for one, and shows the same terminals again", limit, async () => {
  const daemon = await Daemon.start();
  const context = await fixture.browser.newContext();
  try {
    const page = await Page.open(context, daemon.address, { token: daemon.token });
    await page.connected(1);
    await page.sees("ready>");
    await page.run("echo from $((600 + 66))");
    await page.sees("from 666");
    await daemon.kill("SIGTERM");
    daemon.token = "another-token-of-the-browser-tests";
    await daemon.run();
    await page.page.waitForSelector("text=Sign in again");
    await page.page.fill('[aria-label="Token"]', daemon.token);
    await page.press("Enter");
    await page.connected(1);
    await page.sees("from 666");
    await page.run("echo and $((700 + 77))");
    await page.sees("and 777");
    assert.deepEqual(page.errors, []);
  } finally {
    await context.close();
    await daemon.stop();
  }
});

test("a page of another origin is told to be allowed", limit, async () => {
  const proxy = await Proxy.to(fixture.daemon.port);
  const [context, fresh] = [await fixture.browser.newContext(), await fixture.browser.newContext()];
  try {
    const page = await Page.open(context, proxy.address, { token: fixture.daemon.token });
    await page.connected(1);
    proxy.rename();
    await page.page.waitForSelector("text=Origin not allowed");
    await page.page.waitForSelector(`text=--allowed-origins ${proxy.address}`);

    // Browsers send the origin when they load a script too, so a new visitor gets only the page's
    // static text.
    const other = await Page.open(fresh, proxy.address);
    await other.page.waitForSelector(".unloaded >> text=--allowed-origins");
  } finally {
    await context.close();
    await fresh.close();
    await proxy.close();
    await fixture.daemon.clear();
  }
});

test("a name that the daemon does not go by is named, and so is the setting that allows it", limit, async () => {
  const browser = await launch("--host-resolver-rules=MAP holdfast.test 127.0.0.1");
  const daemon = await Daemon.start({ hosts: ["holdfast.test"] });
  try {
    const address = `http://holdfast.test:${daemon.port}`;
    const page = await Page.open(await browser.newContext(), address, { token: daemon.token });
    await page.connected(1);

    // The page is already loaded. The daemon comes back with other allowed names.
    await daemon.kill("SIGTERM");
    daemon.options = {};
    await daemon.run();
    await page.page.waitForSelector("text=Unrecognized host name");
    await page.page.waitForSelector("text=--allowed-hosts holdfast.test");

    // A new visitor gets no page, but the same advice.
    const other = await Page.open(await browser.newContext(), address);
    await other.page.waitForSelector("text=--allowed-hosts");

    await daemon.kill("SIGTERM");
    daemon.options = { hosts: ["holdfast.test"] };
    await daemon.run();
    await page.page.click("text=Try again");
    await page.connected(1);
  } finally {
    await browser.close();
    await daemon.stop();
  }
});

test("too many terminals: the tab says so, and can be tried again or closed", limit, () => {
  let isFull = false;
  return withPage(
    fixture,
    async (page) => {
      isFull = true;
      await page.press("Control+Shift+Enter");
      const said = page.page.getByRole("alert").filter({ hasText: "There are 64 terminals already." });
      await said.waitFor();
      await said.getByText("Close one first.").waitFor();
      isFull = false;
      await said.getByText("Try again").click();
      await page.connected(2);
      isFull = true;
      await page.press("Control+Shift+Enter");
      await said.waitFor();
      await said.getByText("Close", { exact: true }).click();
      await page.connected(2);
    },
    {
      prepare: (context) =>
        withAnswers(context, fixture.daemon.address, {
          create: () =>
            isFull && { type: "error", data: { code: "too_large", error: "there are 64 terminals already", details: "Close one first." } },
        }),
    },
  );
});

test("a daemon that is gone: the page says when it tries again, and is told to try now", limit, async () => {
  const daemon = await Daemon.start();
  const context = await fixture.browser.newContext();
  try {
    const page = await Page.open(context, daemon.address, { token: daemon.token });
    await page.connected(1);
    await page.sees("ready>");
    await daemon.kill();
    await daemon.killKeeper();
    await page.page.getByText(/^No server · reconnecting in \d+ s$/).waitFor();
    await page.page.getByText("Reconnecting…").waitFor();
    await page.page.getByText(`No answer from 127.0.0.1:${daemon.port}`).waitFor();
    const tries = () => page.page.evaluate(() => performance.getEntriesByType("resource").filter(({ name }) => name.endsWith("/ws")).length);
    const before = await tries();
    await page.page.getByText("Now", { exact: true }).click();
    await until(async () => (await tries()) > before, "the page to try");
    await daemon.run();
    // When the network comes back, the page retries at once.
    await page.page.evaluate(() => dispatchEvent(new Event("online")));
    await page.connected(1);
    await page.sees("ready>");
    assert.deepEqual(page.errors, []);
  } finally {
    await context.close();
    await daemon.stop();
  }
});

// The page reconnected for ever, and showed nothing.
test("over the connection limit the page says so, and comes in when there is room", limit, async () => {
  const daemon = await Daemon.start({ args: ["--user-connection-limit", "1"] });
  const [first, second] = [await fixture.browser.newContext(), await fixture.browser.newContext()];
  try {
    const page = await Page.open(first, daemon.address, { token: daemon.token });
    await page.connected(1);
    const other = new Page(await second.newPage());
    await other.page.goto(daemon.address, { waitUntil: "commit" });
    await other.page.fill('[aria-label="Token"]', daemon.token);
    await other.press("Enter");
    await other.page.waitForSelector("text=Too many connections");
    await other.page.waitForSelector("text=Close windows you do not need");
    await first.close();
    await other.page.click("text=Try again");
    await other.connected(1);
  } finally {
    await first.close();
    await second.close();
    await daemon.stop();
  }
});

test("a server that is full is told from one that is away", limit, async () => {
  const context = await fixture.browser.newContext();
  try {
    const page = await Page.open(context, fixture.daemon.address, { token: fixture.daemon.token });
    await page.connected(1);
    const address = `${fixture.daemon.address}/ws`;
    await context.routeWebSocket(address.replace("http", "ws"), (socket) => socket.close());
    await context.route(address, (route) => route.fulfill({ status: 503 }));
    await page.refresh();
    await page.page.waitForSelector("text=The server is busy");
    await context.unroute(address);
    await context.route(address, (route) => route.abort());
    await page.page.click("text=Try again");
    await page.page.waitForSelector("text=No answer from");
    await page.page.waitForSelector("text=Check that `holdfast serve` is running there");
  } finally {
    await context.close();
    await fixture.daemon.clear();
  }
});
