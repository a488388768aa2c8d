// The page in people's hands: by keyboard alone, on a phone, with the command bar, and when something is refused.

import assert from "node:assert/strict";
import { test } from "node:test";

import { images, limit, shared, withPage } from "./fixture.mjs";
import { launch, Page } from "./page.mjs";
import { until } from "./until.mjs";

const fixture = shared();

// Answers for the daemon where it has no extensions yet, and lets everything else through.
async function withExtensions(context, address, answers) {
  const sockets = [];
  await context.routeWebSocket(`${address.replace("http", "ws")}/ws`, (socket) => {
    const server = socket.connectToServer();
    sockets.push(socket);
    socket.onMessage((data) => {
      const message = typeof data === "string" ? JSON.parse(data) : {};
      const answer = answers[message.type]?.(message.data);
      if (answer) socket.send(JSON.stringify({ type: answer.type, request: message.request, data: answer.data }));
      else server.send(data);
    });
  });
  return { say: (type, data) => sockets.at(-1).send(JSON.stringify({ type, data })) };
}

test("sign-in refused, and mended", limit, async () => {
  const context = await fixture.browser.newContext({ colorScheme: "dark", viewport: { width: 900, height: 500 } });
  const page = await Page.open(context, fixture.daemon.address);
  await page.page.waitForSelector("text=Sign in");
  await page.page.screenshot({ path: `${images}sign-in.png` });
  await page.page.fill('[aria-label="Token"]', "a wrong one");
  await page.press("Enter");
  await page.page.waitForSelector("text=This token is not known here.");
  await page.page.fill('[aria-label="Token"]', fixture.daemon.token);
  await page.press("Enter");
  await page.connected(1);
  await page.sees("ready>");
  await page.run("echo in $((20 + 3))");
  await page.sees("in 23");
  await context.close();
  await fixture.daemon.closeTerminals();
});

test("a wrong link leads to the same sign-in view", limit, async () => {
  const context = await fixture.browser.newContext();
  const page = await Page.open(context, fixture.daemon.address, { token: "wrong" });
  await page.page.waitForSelector("text=Sign in");
  await context.close();
});

test("everything by keyboard alone", limit, () =>
  withPage(fixture, async (page) => {
    const first = await page.active();
    const second = await page.newTerminal();
    const third = await page.newTerminal();
    await page.press("Control+Shift+ArrowLeft");
    assert.equal(await page.active(), second);
    await page.press("Alt+3");
    assert.equal(await page.active(), third);
    await page.press("Control+Shift+Alt+ArrowLeft");
    await until(async () => (await page.tabs()).map(({ terminalId }) => terminalId).join() === [first, third, second].join(), "the tab to move");

    await page.press("Control+Shift+e");
    await page.type("by keys");
    await page.press("Enter");
    await until(async () => (await page.tabs())[1].name === "by keys", "the name");

    // Along the tabs and back into the terminal.
    await page.press("Control+Shift+ArrowUp", "ArrowRight");
    await until(async () => (await page.active()) === second, "the tab to the right");
    await page.press("Escape");
    await page.run("echo focus $((50 + 5))");
    await page.sees("focus 55");

    // Find.
    await page.press("Control+Shift+f");
    await page.type("focus 5");
    await page.page.waitForSelector("text=1 of 1");
    await page.press("Escape");

    // Help, which Escape closes.
    await page.press("Control+Shift+?");
    await page.page.waitForSelector('dialog[aria-label="Keys"]');
    await page.page.screenshot({ path: `${images}help.png` });
    await page.press("Escape");
    await until(async () => !(await page.page.$("dialog[open]")), "the help to close");

    // Text size.
    const before = (await page.state()).room;
    await page.press("Control+=", "Control+=");
    await until(async () => (await page.state()).room.cols < before.cols, "larger text");
    await page.press("Control+0");
    await until(async () => (await page.state()).room.cols === before.cols, "the normal size");

    // An exit stays until Enter runs it again.
    await page.run("exit 3");
    await page.page.waitForSelector("text=Exited with 3");
    await page.press("Enter");
    await page.connected(3);
    await page.sees("ready>");

    await page.press("Control+Shift+x");
    await page.connected(2);
  }));

test("the command bar: commands with completion and history, shell lines, and what the page does", limit, async () => {
  const { daemon, browser } = fixture;
  const context = await browser.newContext({ colorScheme: "dark", viewport: { width: 1000, height: 560 } });
  const lines = [];
  const extensions = await withExtensions(context, daemon.address, {
    commands: ({ session }) => ({
      type: "commands",
      data: {
        session,
        commands: [
          { name: "deploy", extension: "ship", description: "Deploy to an environment" },
          { name: "describe", extension: "ship", description: "Show what would be deployed" },
          { name: "reload", extension: "holdfast", description: "Load the extensions anew" },
        ],
      },
    }),
    run: ({ line }) => {
      lines.push(line);
      return { type: "result", data: line.startsWith("!") ? { text: "Linux" } : { text: "Deployed to staging." } };
    },
  });
  const page = await Page.open(context, daemon.address, { token: daemon.token });
  await page.connected(1);
  await page.sees("ready>");

  await page.press("Control+Shift+p");
  await page.type("/d");
  await page.page.waitForSelector("text=Deploy to an environment");
  await page.page.screenshot({ path: `${images}command-bar.png` });
  await page.press("Tab");
  await page.type("staging");
  await page.press("Enter");
  await page.page.waitForSelector("text=Deployed to staging.");
  await page.press("Control+Shift+p");
  await page.type("! uname");
  await page.press("Enter");
  await page.page.waitForSelector(".hf-toast >> text=Linux");
  await page.press("Control+Shift+p", "ArrowUp", "Enter");
  await until(() => lines.length === 3, "the line from the history");
  assert.deepEqual(lines, ["/deploy staging", "! uname", "! uname"]);

  await page.press("Control+Shift+p");
  await page.type("theme light");
  await page.press("Enter");
  await page.page.waitForSelector('.hf-root[data-theme="light"]');
  await page.press("Control+Shift+p");
  await page.type("theme as the system");
  await page.press("Enter");
  await page.page.waitForSelector('.hf-root[data-theme="dark"]');

  // What extensions show and ask.
  extensions.say("status", { session: "main", key: "vm", text: "vm: running" });
  await page.page.waitForSelector(".hf-status >> text=vm: running");
  extensions.say("notify", { session: "another", level: "error", text: "not for this session" });
  extensions.say("notify", { session: "main", level: "warning", text: "The disk is nearly full." });
  await page.page.waitForSelector("text=The disk is nearly full.");
  extensions.say("ui_request", { session: "main", id: "q1", kind: "select", title: "Deploy where?", message: "Both are healthy.", options: ["staging", "production"], default: "staging" });
  await page.page.waitForSelector("text=Deploy where?");
  await page.drawn();
  await page.page.screenshot({ path: `${images}question.png` });
  await page.press("Escape");
  await until(async () => !(await page.page.$("dialog[open]")), "the question to go");
  assert.ok(!(await page.page.isVisible("text=not for this session")));
  await page.run("echo focus $((60 + 6))");
  await page.sees("focus 66");
  assert.deepEqual(page.errors, []);
  await context.close();
  await fixture.daemon.closeTerminals();
});

test("sessions: switch, make, rename and close", limit, async () => {
  const { daemon, browser } = fixture;
  const context = await browser.newContext({ colorScheme: "dark", viewport: { width: 1000, height: 560 } });
  const at = "2026-11-15T04:12:07.123Z";
  let sessions = [
    { name: "main", kind: "interactive", terminals: 1, createdAt: at },
    { name: "ci", kind: "background", terminals: 0, createdAt: at },
  ];
  await withExtensions(context, daemon.address, {
    sessions: () => ({ type: "sessions", data: { sessions } }),
    session_create: ({ name }) => {
      const session = { name, kind: "interactive", terminals: 0, createdAt: at };
      sessions = [...sessions, session];
      return { type: "session_created", data: { session } };
    },
    session_rename: ({ name, newName }) => {
      sessions = sessions.map((each) => (each.name === name ? { ...each, name: newName } : each));
      return { type: "session_renamed", data: { name, newName } };
    },
    session_close: ({ name }) => {
      sessions = sessions.filter((each) => each.name !== name);
      return { type: "session_closed", data: { name } };
    },
  });
  const session = async () => (await page.state()).session;
  const page = await Page.open(context, daemon.address, { token: daemon.token });
  await page.connected(1);
  await page.sees("ready>");
  await page.run("echo in the first session");
  await page.press("Control+Shift+s");
  await page.page.waitForSelector("text=ci");
  await page.page.screenshot({ path: `${images}sessions.png` });
  await page.type("work");
  await page.press("Enter");
  await until(async () => (await session()) === "work", "the new session");
  await page.connected(1);
  await page.sees("ready>");
  assert.ok(!(await page.lines()).some((line) => line.includes("first session")));
  await page.press("Control+Shift+s");
  await page.type("play");
  await page.press("ArrowDown", "Enter");
  await until(async () => (await session()) === "play", "the new name");
  await page.press("Control+Shift+s");
  await page.page.waitForSelector("text=Close the session play…");
  await page.type("main");
  await page.press("Enter");
  await until(async () => (await session()) === "main", "the first session");
  await page.connected(1);
  await page.sees("in the first session");
  await context.close();
  await daemon.closeTerminals();
});

test("titles, bells, activity, and tabs that are dragged", limit, () =>
  withPage(fixture, async (page) => {
    const first = await page.active();
    await page.run("printf '\\e]0;the title\\a'; sleep 0.5; printf '\\a'");
    await until(async () => (await page.page.title()) === "the title · Holdfast", "the title");
    const second = await page.newTerminal();
    await until(async () => (await page.state()).tabs[0].bell, "the bell's mark");
    await page.page.waitForSelector(".hf-tab__mark--bell");
    await page.page.dragAndDrop(`#hf-tab-${first}`, `#hf-tab-${second}`, { targetPosition: { x: 60, y: 10 } });
    await until(async () => (await page.tabs()).map(({ terminalId }) => terminalId).join() === [second, first].join(), "the tab to be dragged");
    await page.refresh();
    const tabs = await page.connected(2);
    assert.deepEqual(tabs.map(({ terminalId }) => terminalId), [second, first]);
  }));

test("many lines are not pasted into a plain shell without a question", limit, () =>
  withPage(fixture, async (page) => {
    const paste = (text) =>
      page.page.evaluate((text) => {
        const data = new DataTransfer();
        data.setData("text/plain", text);
        document.activeElement.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
      }, text);
    await page.run("bind 'set enable-bracketed-paste off'; cat");
    await until(() => page.page.evaluate(() => !globalThis.holdfast.screenOf(globalThis.holdfast.state.active).terminal.modes.bracketedPasteMode), "bracketed paste to be off");
    await paste("one\ntwo\n");
    await page.page.waitForSelector("text=Paste 2 lines?");
    await page.press("Escape");
    await until(() => page.page.evaluate(() => document.activeElement.className === "xterm-helper-textarea"), "the focus to come back");
    await paste("three\nfour\n");
    await page.page.waitForSelector("text=Paste 2 lines?");
    await page.press("Enter");
    await page.sees(/^four$/);
    assert.ok(!(await page.lines()).includes("one"));
    await page.press("Control+c");
  }));

test("a paste larger than a message arrives whole", limit, () =>
  withPage(fixture, async (page) => {
    await page.run("stty -echo -icanon; head -c 3000000 | md5sum; stty sane");
    await until(async () => !(await page.lines()).at(-1)?.includes("ready>"), "the command to run");
    await page.page.evaluate(() => globalThis.holdfast.input(globalThis.holdfast.state.active, "x".repeat(3_000_000)));
    const { createHash } = await import("node:crypto");
    await page.sees(createHash("md5").update("x".repeat(3_000_000)).digest("hex"), { timeout: 30_000 });
  }));

test("on a phone: the extra keys work and the focus stays", limit, () =>
  withPage(
    fixture,
    async (page) => {
      await page.page.tap(".xterm-screen");
      await page.run("sleep 100");
      await page.page.tap('[role="toolbar"] >> text=Ctrl');
      await page.page.keyboard.insertText("c");
      await until(async () => (await page.lines()).filter((line) => line.startsWith("ready>")).length === 2, "Ctrl-C");
      await page.page.keyboard.insertText("echo one");
      await page.press("Enter");
      await page.sees(/^one$/);
      await page.page.tap('[aria-label="Up"]');
      await page.press("Enter");
      await until(async () => (await page.lines()).filter((line) => line === "one").length === 2, "the line from the history");
      assert.equal(await page.page.evaluate(() => document.activeElement.className), "xterm-helper-textarea");
      const [{ size }] = await page.tabs();
      assert.ok(size.cols >= 30 && size.cols < 60, `${size.cols} columns`);
      await page.drawn();
      await page.page.screenshot({ path: `${images}phone.png` });
    },
    { viewport: { width: 390, height: 700 }, hasTouch: true, isMobile: true },
  ));

test("without WebGL the terminal is drawn with page elements", limit, async () => {
  const browser = await launch("--disable-3d-apis");
  try {
    await withPage({ daemon: fixture.daemon, browser }, async (page) => {
      await page.run("echo drawn $((30 + 3))");
      await page.page.waitForSelector(".xterm-rows >> text=drawn 33");
      const { room, tabs } = await page.state();
      assert.deepEqual(tabs[0].size, room);
    });
  } finally {
    await browser.close();
  }
});

test("no request goes to anybody but the daemon", limit, async () => {
  const context = await fixture.browser.newContext();
  const asked = [];
  context.on("request", (request) => asked.push(new URL(request.url()).origin));
  const page = await Page.open(context, fixture.daemon.address, { token: fixture.daemon.token });
  await page.connected(1);
  await page.sees("ready>");
  await page.press("Control+Shift+f");
  await page.page.waitForSelector(".hf-search");
  assert.deepEqual([...new Set(asked)], [fixture.daemon.address]);
  await context.close();
  await fixture.daemon.closeTerminals();
});
