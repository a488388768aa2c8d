// Files: dropped, pasted, chosen and downloaded, with progress, over a network that breaks.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";

import { bringAxe, choose, findings, themes } from "./axe.mjs";
import { images, limit, shared, withDaemon, withPage } from "./fixture.mjs";
import { Link } from "./link.mjs";
import { phone } from "./touch.mjs";
import { until } from "../node/until.mjs";

const fixture = shared();
const folder = mkdtempSync(join(tmpdir(), "holdfast-files-"));
after(() => rmSync(folder, { recursive: true }));

const content = (size) => Buffer.from(Uint8Array.from({ length: size }, (_, i) => (i * 7) % 251));

function made(name, bytes = content(1000)) {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  return path;
}

const arrived = (name, daemon = fixture.daemon) => readFileSync(join(daemon.home, name));
const hidden = (daemon = fixture.daemon) => readdirSync(daemon.home).find((name) => name.startsWith(".holdfast-upload-"));

// Real files, by real drag events.
async function drop(page, context, paths, selector = ".xterm-screen:visible") {
  const { x, y, width, height } = await page.page.locator(selector).first().boundingBox();
  const input = await context.newCDPSession(page.page);
  const at = { x: x + width / 2, y: y + height / 2, data: { items: [], files: paths, dragOperationsMask: 1 } };
  for (const type of ["dragEnter", "dragOver"]) await input.send("Input.dispatchDragEvent", { type, ...at });
  await page.page.waitForSelector("text=Drop it to put it into the session's folder");
  await input.send("Input.dispatchDragEvent", { type: "drop", ...at });
}

async function choosing(page, act, path) {
  const [chooser] = await Promise.all([page.page.waitForEvent("filechooser"), act()]);
  await chooser.setFiles(path);
}

async function fromPalette(page, label) {
  await page.press("Control+Shift+k");
  await page.type(label);
  await page.page.waitForSelector(`[role=option] >> text="${label}"`);
  await page.press("Enter");
}

test("a dropped file lands in the session's folder, and its path is typed, quoted", limit, () =>
  withPage(fixture, async (page, context) => {
    await page.run("cd /");
    await page.type("ls -l ");
    await drop(page, context, [made("it's a picture.png"), made("second.txt")]);
    const typed = `ls -l '${fixture.daemon.home}/it'\\''s a picture.png' ${fixture.daemon.home}/second.txt `;
    await until(async () => (await page.lines()).join("").includes(typed.trimEnd()), "both paths");
    await page.press("Enter");
    await page.sees(/^-rw-------.* 1000 .*second\.txt$/);
    assert.ok(arrived("it's a picture.png").equals(content(1000)));
    await page.page.waitForSelector(".hf-transfer >> text=uploaded");
    assert.equal(await page.page.evaluate(() => location.protocol), "http:", "the page is still there");
    await drop(page, context, [made("second.txt", content(5))]);
    await page.sees("second-2.txt");
    assert.equal(arrived("second.txt").length, 1000, "nothing is replaced");
  }));

// The browser used to open such a file and leave the page, with all terminals.
test("a file that is dropped beside a terminal does not replace the page", limit, () =>
  withPage(fixture, async (page, context) => {
    const address = page.page.url();
    await drop(page, context, [made("beside.txt")], ".hf-status");
    await page.sees("beside.txt");
    assert.equal(page.page.url(), address);
    assert.ok(arrived("beside.txt"));
  }));

test("a pasted image is uploaded, and a text with a picture of it is pasted as text", limit, () =>
  withPage(fixture, async (page) => {
    const paste = (text) =>
      page.page.evaluate(async (text) => {
        const canvas = document.createElement("canvas");
        canvas.width = canvas.height = 8;
        const picture = await new Promise((resolve) => canvas.toBlob(resolve));
        const clipboardData = new DataTransfer();
        clipboardData.items.add(new File([picture], "image.png", { type: "image/png" }));
        if (text) clipboardData.setData("text/plain", text);
        document.querySelector(".xterm-screen").dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
      }, text);
    await page.type("file ");
    await paste();
    await page.sees("/image.png");
    await page.press("Control+c");
    assert.equal(arrived("image.png").subarray(1, 4).toString(), "PNG");
    await paste("a cell of a table");
    await page.sees("a cell of a table");
    assert.ok(!existsSync(join(fixture.daemon.home, "image-2.png")));
  }));

test("files are chosen and downloaded from the command bar and the menu", limit, () =>
  withPage(fixture, async (page) => {
    await choosing(page, () => fromPalette(page, "Upload files"), made("chosen.bin", content(2_000_000)));
    await page.sees("chosen.bin");
    await page.press("Control+c");
    await page.run("mkdir -p sub; mv chosen.bin sub; cd sub; echo m''oved");
    await page.sees(/^moved$/);
    const downloading = page.page.waitForEvent("download");
    await fromPalette(page, "Download a file");
    await page.page.waitForSelector("dialog >> text=Download a file");
    await page.page.screenshot({ path: `${images}download.png` });
    await page.type("chosen.bin");
    await page.press("Enter");
    const download = await downloading;
    assert.equal(download.suggestedFilename(), "chosen.bin");
    assert.ok(readFileSync(await download.path()).equals(content(2_000_000)));
    // What is selected is what is asked for.
    await page.run("clear; echo /etc/passwd");
    await page.sees(/^\/etc\/passwd$/);
    await page.page.evaluate(() => globalThis.holdfast.screenOf(globalThis.holdfast.state.active).terminal.select(0, 0, 11));
    await page.page.click(".xterm-screen:visible", { button: "right" });
    await page.page.click('[role="menuitem"] >> text="Download a file"');
    await page.page.waitForSelector("dialog[open] input");
    assert.equal(await page.page.inputValue("dialog[open] input"), "/etc/passwd");
    await page.press("Enter");
    await page.page.waitForSelector(".hf-transfer [role=alert] >> text=/is not in .* Only files in the session's folder/");
    await page.page.click('[aria-label="Dismiss passwd"]');
    await until(async () => !(await page.page.$(".hf-transfer--failed")), "it to go");
    await until(() => page.page.evaluate(() => document.activeElement.className === "xterm-helper-textarea"), "the focus to come back");
  }));

test("what is refused says why, and names are made safe", limit, () =>
  withPage(fixture, async (page, context) => {
    await drop(page, context, [made(".profile")]);
    await page.page.waitForSelector("text=The file's name begins with a dot. Rename the file and try again.");
    await drop(page, context, [folder]);
    await page.page.waitForSelector("text=A folder cannot be uploaded. Put it into an archive first.");
    assert.equal(hidden(), undefined);
    assert.deepEqual((await page.lines()).filter((line) => line.includes("profile")), []);
  }));

test("an upload and a download go on after the network was gone", { timeout: 240_000 }, async () => {
  const link = await Link.to(fixture.daemon.port);
  const size = 60_000_000;
  const bytes = Buffer.alloc(size, content(10_007));
  try {
    await withPage(
      fixture,
      async (page, context) => {
        const done = () => page.page.$eval(".hf-transfer progress", (each) => each.value / each.max).catch(() => undefined);
        const somewhere = (from) => until(async () => ((await done()) ?? 0) > from, "progress", 30_000);
        const interrupt = async () => {
          const at = await done();
          link.cut();
          await page.page.waitForSelector("text=waiting for the network");
          await page.drawn();
          if (!existsSync(join(folder, "shot"))) await page.page.screenshot({ path: `${images}files.png` });
          writeFileSync(join(folder, "shot"), "");
          link.mend();
          await page.page.evaluate(() => dispatchEvent(new Event("online")));
          return at;
        };
        await drop(page, context, [made("large.bin", bytes)]);
        await somewhere(0.02);
        const at = await interrupt();
        await somewhere(at);
        await until(() => existsSync(join(fixture.daemon.home, "large.bin")), "all of it", 120_000);
        assert.ok(arrived("large.bin").equals(bytes));
        await page.connected(1);
        await until(async () => (await page.lines()).join("").includes("large.bin"), "its path");
        await page.press("Control+c");
        await until(async () => !(await page.page.$(".hf-transfer")), "it to be over", 20_000);

        const downloading = page.page.waitForEvent("download", { timeout: 120_000 });
        await fromPalette(page, "Download a file");
        await page.page.waitForSelector("dialog[open] input");
        await page.type("large.bin");
        await page.press("Enter");
        await page.page.waitForSelector(".hf-transfer progress");
        await somewhere(0.02);
        await interrupt();
        const download = await downloading;
        assert.ok(readFileSync(await download.path()).equals(bytes));
      },
      { address: link.address, prepare: (context) => slowed(context) },
    );
  } finally {
    await link.close();
  }
});

// So that there is something to interrupt.
async function slowed(context) {
  context.on("page", async (page) => {
    const network = await context.newCDPSession(page);
    await network.send("Network.enable");
    await network.send("Network.emulateNetworkConditions", { offline: false, latency: 0, downloadThroughput: 20_000_000, uploadThroughput: 20_000_000 });
  });
}

test("an upload goes on after kill -9 of the daemon", { timeout: 240_000 }, () =>
  withDaemon({}, (fixture) =>
    withPage(
      fixture,
      async (page, context) => {
        const bytes = Buffer.alloc(40_000_000, content(10_007));
        await drop(page, context, [made("survivor.bin", bytes)]);
        const { daemon } = fixture;
        await until(() => hidden(daemon) && statSync(join(daemon.home, hidden(daemon))).size > 1_000_000, "some of it", 30_000);
        await daemon.kill();
        assert.ok(!existsSync(join(daemon.home, "survivor.bin")));
        await daemon.run();
        await until(() => existsSync(join(daemon.home, "survivor.bin")), "all of it", 120_000);
        assert.ok(arrived("survivor.bin", daemon).equals(bytes));
        assert.equal(hidden(daemon), undefined);
        await page.connected(1);
        await until(async () => (await page.lines()).join("").includes("survivor.bin"), "its path");
        await page.press("Control+c");
      },
      { prepare: (context) => slowed(context) },
    ),
  ));

test("a cancelled upload leaves nothing", limit, () =>
  withPage(
    fixture,
    async (page, context) => {
      await drop(page, context, [made("cancelled.bin", Buffer.alloc(60_000_000))]);
      await until(() => hidden() !== undefined, "some of it");
      await page.page.click('[aria-label="Cancel cancelled.bin"]');
      await until(() => hidden() === undefined, "it to go");
      assert.ok(!existsSync(join(fixture.daemon.home, "cancelled.bin")));
      assert.equal(await page.page.$(".hf-transfer"), null);
    },
    { prepare: (context) => slowed(context) },
  ));

test("off, and view-only", limit, async () => {
  await withDaemon({ args: ["--files", "false"] }, (fixture) =>
    withPage(fixture, async (page, context) => {
      await drop(page, context, [made("off.txt")]);
      await page.page.waitForSelector("text=Files are turned off on this daemon.");
      assert.ok(!existsSync(join(fixture.daemon.home, "off.txt")));
    }),
  );
  await withPage(fixture, async () => {
    const token = (await fixture.daemon.shell("token", "new", "--view")).stdout.trim();
    await withPage({ ...fixture, daemon: Object.assign(Object.create(fixture.daemon), { token }) }, async (page, context) => {
      await drop(page, context, [made("view.txt")]);
      await page.page.waitForSelector("text=You can only look at this terminal, so files cannot be sent.");
      assert.ok(!existsSync(join(fixture.daemon.home, "view.txt")));
    }, { keeps: true });
  });
});

test("a phone uploads a picture", limit, () =>
  withPage(
    fixture,
    async (page) => {
      const tap = async () => {
        await page.page.tap("text=Commands");
        await page.type("Upload files");
        await page.page.tap('[role=option] >> text="Upload files"');
      };
      await choosing(page, tap, made("phone.png", content(3_000_000)));
      // The path is longer than a row.
      await until(async () => (await page.lines()).join("").includes("phone.png"), "the path to be typed");
      await page.page.waitForSelector(".hf-transfer >> text=uploaded");
      const { width } = await page.page.locator(".hf-transfer").boundingBox();
      assert.ok(width <= 360, "it fits");
      const { height } = await page.page.locator('[aria-label="Dismiss phone.png"]').boundingBox();
      assert.ok(height >= 44, "a finger can press it");
      await page.press("Control+c");
    },
    { ...phone, viewport: { width: 360, height: 640 } },
  ));

for (const theme of themes)
  test(`axe finds nothing serious in files: ${theme}`, limit, () =>
    withPage(
      fixture,
      async (page, context) => {
        await bringAxe(page);
        const found = [];
        await drop(page, context, [made(".hidden"), made("moving.bin", Buffer.alloc(100_000_000))]);
        await page.page.waitForSelector(".hf-transfer--failed");
        await page.page.waitForSelector(".hf-transfer progress");
        found.push(...(await findings(page, "files")));
        await page.page.click('[aria-label="Cancel moving.bin"]');
        await fromPalette(page, "Download a file");
        await page.page.waitForSelector("dialog[open] input");
        found.push(...(await findings(page, "download")));
        await page.press("Escape");
        assert.deepEqual(found, []);
      },
      {
        prepare: async (context) => {
          await choose(theme)(context);
          await slowed(context);
        },
      },
    ));

test("the path that is typed is one word for bash, zsh and fish", limit, () =>
  withPage(fixture, async (page, context) => {
    const names = ["a b", "it's", "$(touch x)", "`touch x`", "a;touch x", "~", "-n", "a\"b", "!!", "*", "ä€"];
    for (const name of names) made(name, Buffer.from(name));
    await page.run("set +o histexpand; cat <<'end-of-this' >words");
    await drop(page, context, names.map((name) => join(folder, name)));
    await until(() => existsSync(join(fixture.daemon.home, names.at(-1))), "the last one");
    await until(async () => (await page.lines()).join("").includes("ä€' "), "its path");
    await page.press("Enter");
    await page.run("end-of-this");
    await until(() => existsSync(join(fixture.daemon.home, "words")) && readFileSync(join(fixture.daemon.home, "words"), "utf8").endsWith("\n"), "the words");
    const words = readFileSync(join(fixture.daemon.home, "words"), "utf8");
    for (const shell of ["bash", "zsh", "fish"]) {
      const script = `for f in ${words.trim()}\n${shell === "fish" ? 'echo $f\nend' : 'do printf "%s\\n" "$f"; done'}`;
      const read = execFileSync(shell, [...(shell === "bash" ? ["--norc"] : shell === "zsh" ? ["-f"] : ["--no-config"]), "-c", script], { encoding: "utf8" });
      assert.deepEqual(read.trimEnd().split("\n"), names.map((name) => join(fixture.daemon.home, name)), shell);
    }
    assert.ok(!existsSync(join(fixture.daemon.home, "x")));
  }));
