// A smoke test in Firefox: what a person does in the first minutes. The other tests here look closer,
// in Chromium.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { Firefox } from "./firefox.mjs";
import { Daemon } from "../node/daemon.mjs";
import { until } from "../node/until.mjs";

const patience = 60_000;
let daemon;
let firefox;
before(async () => {
  daemon = await Daemon.start();
  firefox = await Firefox.start();
});
after(async () => {
  await firefox?.stop();
  await daemon?.stop();
});

const state = () => firefox.evaluate(() => globalThis.holdfast?.state);
const isThere = (selector) => firefox.evaluate((selector) => document.querySelector(selector) !== null, selector);

async function reaches(condition, what) {
  await until(condition, what, patience);
}

async function connected(count) {
  await reaches(async () => {
    const tabs = (await state())?.tabs ?? [];
    return tabs.length === count && tabs.every(({ status }) => status.kind === "connected");
  }, `${count} terminals`);
}

function lines() {
  return firefox.evaluate(() => {
    const { terminal } = globalThis.holdfast.screenOf(globalThis.holdfast.state.active);
    const { active } = terminal.buffer;
    return Array.from({ length: terminal.rows }, (_, row) => active.getLine(active.baseY + row)?.translateToString(true) ?? "");
  });
}

async function sees(line) {
  let shown;
  await until(
    async () => {
      shown = await lines();
      return shown.includes(line);
    },
    () => `the line ${line} in ${JSON.stringify(shown)}`,
    patience,
  );
}

async function hasFocus(selector) {
  await reaches(() => firefox.evaluate((selector) => document.activeElement?.matches(selector), selector), `the focus in ${selector}`);
}

async function paste(text) {
  await firefox.evaluate((text) => navigator.clipboard.writeText(text), text);
  await firefox.press("Control+Shift+v");
}

test("Firefox: sign in, type, refresh, command bar, paste, tabs", { timeout: 400_000 }, async () => {
  await firefox.goto(daemon.address);
  await reaches(() => isThere('[aria-label="Token"]'), "the question for a token");
  await firefox.evaluate(() => document.querySelector('[aria-label="Token"]').focus());
  await firefox.type(daemon.token);
  await firefox.press("Enter");
  await connected(1);
  await sees("ready> ");

  // Keys, and output.
  await hasFocus(".xterm-helper-textarea");
  await firefox.type("echo $((6 * 7)) äöü | tr 4 x");
  await firefox.press("Enter");
  await sees("x2 äöü");

  // A refresh keeps the screen.
  const before = await lines();
  await firefox.refresh();
  await connected(1);
  await sees("x2 äöü");
  assert.deepEqual(await lines(), before);

  // The command bar has a key that Firefox leaves to pages.
  await hasFocus(".xterm-helper-textarea");
  await firefox.press("Control+Shift+k");
  await reaches(() => isThere("dialog[open]"), "the command bar");
  await firefox.press("Escape");
  await hasFocus(".xterm-helper-textarea");

  // A paste that would run something asks first.
  await firefox.type("bind 'set enable-bracketed-paste off'");
  await firefox.press("Enter");
  await sees("ready> ");
  await reaches(() => firefox.evaluate(() => !globalThis.holdfast.screenOf(globalThis.holdfast.state.active).terminal.modes.bracketedPasteMode), "the mode");
  await paste("one\ntwo\n");
  await reaches(() => isThere("dialog[open] .hf-code"), "the question");
  await firefox.press("Escape");
  await hasFocus(".xterm-helper-textarea");
  await firefox.type("echo not $((1 + 1)) pasted");
  await firefox.press("Enter");
  await sees("not 2 pasted");
  assert.ok(!(await lines()).includes("two"));

  // Tabs.
  const [{ terminalId: first }] = (await state()).tabs;
  await firefox.press("Control+Shift+Enter");
  await connected(2);
  await firefox.press("Control+Shift+ArrowRight");
  await reaches(async () => (await state()).active === first, "the first tab");
  await sees("not 2 pasted");
  // Firefox tells of each WebSocket that is refused or left, as the first one is before signing in.
  assert.deepEqual(firefox.errors.filter((text) => !text.includes("ws://")), []);
});
