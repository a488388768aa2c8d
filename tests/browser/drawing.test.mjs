// Renderers, the screen reader mode, and what the page may load.

import assert from "node:assert/strict";
import { test } from "node:test";

import { limit, shared, withPage } from "./fixture.mjs";
import { launch } from "./page.mjs";
import { until } from "../node/until.mjs";

const fixture = shared();

// The characters as they are drawn fill the terminal's place: another row or column would not fit.
function untilItFits(page) {
  const margins = 24;
  const rest = () =>
    page.page.evaluate(() => {
      const { terminal } = globalThis.holdfast.screenOf(globalThis.holdfast.state.active);
      const place = terminal.element.closest(".hf-terminal").getBoundingClientRect();
      const drawn = terminal.element.querySelector(".xterm-screen").getBoundingClientRect();
      return [
        [place.right - drawn.right, drawn.width / terminal.cols],
        [place.bottom - drawn.bottom, drawn.height / terminal.rows],
      ];
    });
  let last;
  return until(
    async () => {
      last = await rest();
      return last.every(([left, cell]) => left >= 0 && left < cell + margins);
    },
    () => `the terminal to fill its place, of which it leaves ${JSON.stringify(last)}`,
  );
}

test("without WebGL the terminal is drawn with page elements", limit, async () => {
  const browser = await launch("--disable-3d-apis");
  try {
    await withPage({ daemon: fixture.daemon, browser }, async (page) => {
      await page.run("echo drawn $((30 + 3))");
      await page.page.waitForSelector(".xterm-rows >> text=drawn 33");
      await untilItFits(page);
    });
  } finally {
    await browser.close();
  }
});

test("a WebGL context that is lost leaves page elements to draw with", limit, () =>
  withPage(fixture, async (page) => {
    const canvases = page.page.locator(".xterm-screen:visible canvas");
    await until(async () => (await canvases.count()) > 0, "WebGL to draw");
    await page.run("echo before $((30 + 4))");
    await page.sees("before 34");
    assert.equal(await page.page.locator(".xterm-rows").count(), 0);
    const lost = await page.page.evaluate(() => {
      const contexts = [...document.querySelectorAll(".xterm-screen canvas")].map((canvas) => canvas.getContext("webgl2")).filter(Boolean);
      for (const context of contexts) context.getExtension("WEBGL_lose_context").loseContext();
      return contexts.length;
    });
    assert.equal(lost, 1);
    await page.page.waitForSelector(".xterm-rows >> text=before 34");
    await page.run("echo after $((30 + 5))");
    await page.page.waitForSelector(".xterm-rows >> text=after 35");
    await untilItFits(page);
  }));

test("a screen reader has the lines to read, and is told what comes", limit, () =>
  withPage(fixture, async (page) => {
    assert.equal(await page.page.locator(".xterm-accessibility").count(), 0);
    await page.press("Control+Shift+k");
    await page.type("screen reader on");
    await page.press("Enter");
    // Type with keys: in this mode xterm.js ignores text that comes without one.
    await page.type("echo read $((40 + 4))");
    await page.press("Enter");
    await page.page.locator(".xterm-accessibility-tree [role=listitem]", { hasText: /^read 44/ }).waitFor({ state: "attached" });
    await until(async () => (await page.page.locator(".xterm-accessibility .live-region[aria-live]").allTextContents()).join().includes("read 44"), "the announcement");
    await page.refresh();
    await page.connected(1);
    await page.page.locator(".xterm-accessibility-tree [role=listitem]", { hasText: /^read 44/ }).waitFor({ state: "attached" });
  }));

test("colours follow the system, up to high contrast", limit, () =>
  withPage(fixture, async (page) => {
    for (const [media, theme] of [
      [{ colorScheme: "light" }, "light"],
      [{ colorScheme: "dark" }, "dark"],
      [{ contrast: "more" }, "contrast"],
    ]) {
      await page.page.emulateMedia(media);
      await page.page.waitForSelector(`.hf-root[data-theme="${theme}"]`);
    }
    await page.run("printf '\\e]11;?\\e\\\\'; IFS= read -rsd '\\\\' answer; printf '%s' \"$answer\" | cat -v; echo");
    await page.sees("rgb:0000/0000/0000");
  }));

test("no request goes to anybody but the daemon, and the page may make none", limit, () => {
  const asked = [];
  return withPage(
    fixture,
    async (page) => {
      await page.press("Control+Shift+f");
      await page.page.waitForSelector(".hf-search");
      assert.deepEqual([...new Set(asked)], [fixture.daemon.address]);
      const tried = await page.page.evaluate(async () => {
        const blocked = [];
        document.addEventListener("securitypolicyviolation", ({ effectiveDirective }) => blocked.push(effectiveDirective));
        await fetch("https://example.org/").catch(() => {});
        document.body.append(Object.assign(document.createElement("script"), { textContent: "globalThis.isBroken = true" }));
        document.body.append(Object.assign(new Image(), { src: "https://example.org/a.png" }));
        while (blocked.length < 3) await new Promise(requestAnimationFrame);
        return { blocked: blocked.sort(), isBroken: globalThis.isBroken === true };
      });
      assert.deepEqual(tried, { blocked: ["connect-src", "img-src", "script-src-elem"], isBroken: false });
      // The test itself caused these.
      page.errors = page.errors.filter((error) => !error.includes("Content Security Policy"));
    },
    { prepare: (context) => context.on("request", (request) => asked.push(new URL(request.url()).origin)) },
  );
});

// The daemon and the page count it as three emoji of two cells each. Only the drawing joins them.
test("joined emoji keep their cells, and are drawn as one", limit, () =>
  withPage(
    fixture,
    async (page) => {
      const family = "👨‍👩‍👧";
      // No echo before the question is asked: the answer may come before `read`.
      await page.run(`clear; stty -echo -icanon; printf '${family}\\e[6n'; read -r -d R answer; stty sane; echo "|" column "\${answer#*;}"`);
      await page.sees(`${family}| column 7`);
      const cells = await page.page.evaluate(() => {
        const { terminal } = globalThis.holdfast.screenOf(globalThis.holdfast.state.active);
        const line = terminal.buffer.active.getLine(0);
        return Array.from({ length: 7 }, (_, at) => [line.getCell(at).getChars(), line.getCell(at).getWidth()]);
      });
      assert.deepEqual(
        cells.map(([, width]) => width),
        [2, 0, 2, 0, 2, 0, 1],
      );
      await until(() => page.page.evaluate((family) => globalThis.drawn.includes(family), family), "them to be drawn");
    },
    {
      prepare: (context) =>
        context.addInitScript(() => {
          globalThis.drawn = [];
          for (const kind of [CanvasRenderingContext2D, OffscreenCanvasRenderingContext2D]) {
            const { fillText } = kind.prototype;
            kind.prototype.fillText = function (text, ...rest) {
              globalThis.drawn.push(text);
              return fillText.call(this, text, ...rest);
            };
          }
        }),
    },
  ));
