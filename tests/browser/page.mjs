// The web client in a browser, as a person sees and uses it.

import { chromium } from "playwright-core";

import { until } from "../node/until.mjs";

export async function launch(...more) {
  return await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-dev-shm-usage", ...more],
  });
}

export class Page {
  errors = [];

  constructor(page) {
    this.page = page;
    page.on("pageerror", (error) => this.errors.push(String(error)));
    page.on("console", (message) => {
      if (message.type() === "error" && !/ERR_|WebSocket|401|Failed to load resource/.test(message.text())) this.errors.push(message.text());
    });
  }

  static async open(context, address, { token } = {}) {
    const page = new Page(await context.newPage());
    await page.goto(address, { token });
    return page;
  }

  // Signs in with the token, if the browser is not signed in.
  async goto(address, { token } = {}) {
    await this.page.goto(address, { waitUntil: "commit" });
    if (token === undefined) return;
    const settled = () =>
      this.page.evaluate(() => {
        const kind = globalThis.holdfast?.state.connection.kind;
        return kind === "connected" || kind === "refused" ? kind : undefined;
      });
    if ((await until(settled, "the page to be let in or not", 15_000)) === "connected") return;
    await this.page.fill('[aria-label="Token"]', token);
    await this.page.keyboard.press("Enter");
  }

  // The client's tabs.
  tabs() {
    return this.page.evaluate(() => globalThis.holdfast?.state.tabs.map(({ terminalId, name, status, size }) => ({ terminalId, name, status: status.kind, size })) ?? []);
  }

  state() {
    return this.page.evaluate(() => globalThis.holdfast?.state);
  }

  async connected(count) {
    return await until(
      async () => {
        const tabs = await this.tabs();
        return tabs.length >= 1 && (count === undefined || tabs.length === count) && tabs.every(({ status }) => status === "connected") && tabs;
      },
      `${count ?? "all"} terminals to be connected`,
      15_000,
    );
  }

  // The lines of a terminal, by default the active one: its screen, or all with the scrollback.
  lines({ all = false, id } = {}) {
    return this.page.evaluate(
      ([all, id]) => {
        const { terminal } = globalThis.holdfast.screenOf(id ?? globalThis.holdfast.state.active);
        const { active } = terminal.buffer;
        const lines = [];
        for (let row = all ? 0 : active.baseY; row < active.baseY + terminal.rows; ++row) lines.push(active.getLine(row)?.translateToString(true) ?? "");
        return lines;
      },
      [all, id],
    );
  }

  async sees(pattern, { id, timeout = 10_000, all = false } = {}) {
    return await until(async () => (await this.lines({ id, all })).find((line) => (pattern instanceof RegExp ? pattern.test(line) : line.includes(pattern))), `the screen to show ${pattern}`, timeout);
  }

  async type(text) {
    await this.page.keyboard.type(text);
  }

  // Into the terminal, which gets the focus back a little after what had it has gone.
  async run(command) {
    await until(() => this.page.evaluate(() => document.activeElement?.classList.contains("xterm-helper-textarea")), "the terminal to have the focus");
    await this.page.keyboard.insertText(command);
    await this.page.keyboard.press("Enter");
  }

  async press(...keys) {
    for (const key of keys) await this.page.keyboard.press(key);
  }

  async newTerminal() {
    const before = (await this.tabs()).length;
    await this.press("Control+Shift+Enter");
    await this.connected(before + 1);
    await this.sees("ready>");
    return await this.active();
  }

  // Everything that a person could see of a terminal, for comparing.
  picture() {
    return this.page.evaluate(() => {
      const { terminal } = globalThis.holdfast.screenOf(globalThis.holdfast.state.active);
      const { active } = terminal.buffer;
      const cell = active.getNullCell();
      const rows = [];
      for (let row = 0; row < active.length; ++row) {
        const line = active.getLine(row);
        let text = "";
        for (let column = 0; column < terminal.cols; ++column) {
          line.getCell(column, cell);
          text += `${cell.getChars() || " "}${cell.isBold() ? "*" : ""}${cell.isInverse() ? "!" : ""}${cell.isFgDefault() ? "" : cell.getFgColor()}`;
        }
        rows.push(text);
      }
      return { type: active.type, cursor: [active.cursorX, active.cursorY], size: [terminal.cols, terminal.rows], rows };
    });
  }

  // Waits until everything the page received is drawn and nothing moves.
  async drawn() {
    await this.page.evaluate(async () => {
      // One whose element goes is cancelled.
      await Promise.allSettled(document.getAnimations().map((animation) => animation.finished));
      for (let frame = 0; frame < 3; ++frame) await new Promise(requestAnimationFrame);
    });
  }

  // Waits for the page, not for its terminals.
  async refresh() {
    await this.page.reload({ waitUntil: "commit" });
    await until(() => this.page.evaluate(() => globalThis.holdfast !== undefined), "the page");
  }

  active() {
    return this.page.evaluate(() => globalThis.holdfast.state.active);
  }

  async disconnected() {
    await until(async () => (await this.state())?.connection.kind !== "connected", "the page to notice");
  }
}
