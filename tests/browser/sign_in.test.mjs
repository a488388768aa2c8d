// Signing in with a link and signing out, and what other pages of the same browser cannot do.

import assert from "node:assert/strict";
import { createServer } from "node:http";
import { test } from "node:test";

import { limit, shared } from "./fixture.mjs";
import { Page } from "./page.mjs";
import { until } from "../node/until.mjs";

const fixture = shared();

async function link(...args) {
  const { code, stdout, stderr } = await fixture.daemon.shell("link", ...args);
  assert.equal(code, 0, stderr);
  return stdout.trim();
}

async function withContext(use) {
  const context = await fixture.browser.newContext();
  try {
    await use(context);
  } finally {
    await context.close();
    await fixture.daemon.clear();
  }
}

// A server on another port of the same host, which records what browsers send to it.
async function withNeighbour(page, use) {
  const cookies = [];
  const server = createServer((request, response) => {
    cookies.push(request.headers.cookie ?? "");
    response.setHeader("Content-Type", "text/html");
    response.end(page);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    await use(`http://127.0.0.1:${server.address().port}`, cookies);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

const signInView = '[aria-label="Token"]';

test("a link signs in once, leaves the address, and stays over a refresh", limit, () =>
  withContext(async (context) => {
    const address = await link();
    const page = await Page.open(context, address);
    await page.connected(1);
    assert.equal(page.page.url(), `${fixture.daemon.address}/`, "the code is gone from the address");
    await page.refresh();
    await page.connected(1);

    const other = await fixture.browser.newContext();
    try {
      const second = await Page.open(other, address);
      await second.page.waitForSelector("text=This link was used before");
      await second.page.waitForSelector(signInView);
    } finally {
      await other.close();
    }
  }),
);

test("a link in a window that shows the sign-in view asks, and signs in", limit, () =>
  withContext(async (context) => {
    const page = await Page.open(context, fixture.daemon.address);
    await page.page.waitForSelector(signInView);
    const address = await link();
    await page.page.evaluate((address) => location.assign(address), address);
    await page.page.getByRole("alertdialog").getByText("Sign in", { exact: true }).click();
    await page.connected(1);
  }),
);

test("another page's link asks first, and signs nobody out of their own", limit, () =>
  withContext(async (context) => {
    const eves = await link("--user", "eve");
    await withNeighbour(`<a href="${eves}">look at this</a>`, async (elsewhere) => {
      const page = new Page(await context.newPage());
      await page.page.goto(elsewhere);
      await page.page.click("text=look at this");
      const question = page.page.getByRole("alertdialog");
      await question.waitFor();
      await question.getByText("Cancel").click();
      await page.page.waitForSelector(signInView);

      // A browser that is signed in stays signed in as the same user.
      await page.page.goto("about:blank");
      await page.goto(await link());
      await page.connected(1);
      await page.page.goto(elsewhere);
      await page.page.click("text=look at this");
      await page.connected(1);
      const user = await page.page.evaluate(async () => (await (await fetch("/sign-in", { headers: { "X-Holdfast-Secret": localStorage.getItem("holdfast-secret") } })).json()).user);
      assert.equal(user, "default");
    });
  }),
);

test("a server on another port gets the cookie, and can do nothing with it", limit, () =>
  withContext(async (context) => {
    const page = await Page.open(context, await link());
    await page.connected(1);
    await withNeighbour("hello", async (elsewhere, cookies) => {
      const visitor = await context.newPage();
      await visitor.goto(elsewhere);
      const stolen = cookies.find((cookie) => cookie.includes("holdfast-"));
      assert.ok(stolen, "browsers send cookies to every port of a host");
      assert.equal(await visitor.evaluate(() => localStorage.getItem("holdfast-secret")), null, "but storage is each origin's own");
      for (const path of ["/metrics", "/sign-ins", "/ws"]) {
        const { status } = await fetch(fixture.daemon.address + path, { headers: { cookie: stolen } });
        assert.equal(status, 401, path);
      }
      const { status } = await fetch(`${fixture.daemon.address}/sign-out`, { method: "POST", headers: { cookie: stolen } });
      assert.equal(status, 401);
    });
    await page.run("echo still $((20 + 3))");
    await page.sees("still 23");
  }),
);

test("signing out, here and elsewhere", limit, () =>
  withContext(async (context) => {
    const page = await Page.open(context, await link());
    await page.connected(1);
    const elsewhere = await fixture.browser.newContext();
    try {
      const other = await Page.open(elsewhere, await link());
      await other.connected(1);
      const perform = async (action) => {
        await page.press("Control+Shift+K");
        await page.page.keyboard.type(action);
        await page.press("Enter");
      };
      await perform("Sign out other browsers");
      await other.page.waitForSelector(signInView);
      await page.page.waitForSelector("text=/Ended \\d+ sign-in/");
      await perform("Sign out");
      await page.page.waitForSelector(signInView);
      await page.refresh();
      await page.page.waitForSelector(signInView);
      const { stdout } = await fixture.daemon.shell("sign-ins");
      assert.equal(stdout, "");
    } finally {
      await elsewhere.close();
    }
  }),
);

test("a sign-in that is ended from the command line ends its page at once", limit, () =>
  withContext(async (context) => {
    const page = await Page.open(context, await link());
    await page.connected(1);
    const { stdout } = await fixture.daemon.shell("sign-ins");
    const [id] = stdout.split("\t");
    assert.equal((await fixture.daemon.shell("sign-ins", "end", id)).code, 0, stdout);
    await until(async () => (await page.state()).connection.kind === "refused", "the page to be signed out", 10_000);
  }),
);
