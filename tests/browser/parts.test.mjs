// Parts of the page that come after its first load.

import { test } from "node:test";

import { limit, withDaemon, withPage } from "./fixture.mjs";
import { until } from "../node/until.mjs";

const isSettings = (url) => /SettingsDialog-.*\.js$/.test(url.pathname);

test("a part opens while the daemon is away, also for the first time", limit, () =>
  withDaemon({}, async (fixture) => {
    let loaded;
    await withPage(
      fixture,
      async (page) => {
        await loaded;
        await fixture.daemon.kill();
        await page.disconnected();
        await page.press("Control+,");
        await page.page.waitForSelector('dialog[aria-label="Settings"]');
        await page.press("Escape");
        await fixture.daemon.run();
        await page.connected(1);
      },
      {
        prepare: (context) => {
          loaded = new Promise((resolve) => {
            context.on("requestfinished", (request) => isSettings(new URL(request.url())) && resolve());
          });
        },
      },
    );
  }));

test("a part that cannot be loaded leaves the page as it is, and says what to do", limit, () =>
  withDaemon({}, (fixture) =>
    withPage(
      fixture,
      async (page) => {
        await page.press("Control+,");
        await page.page.getByText("This part of the page did not load.").waitFor();
        await page.press("Escape");
        await until(async () => !(await page.page.$("dialog")), "the message to go");
        await page.run("echo still $((50 + 5))");
        await page.sees("still 55");
      },
      { prepare: (context) => context.route(isSettings, (route) => route.abort()) },
    ),
  ));
