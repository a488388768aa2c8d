// Debian's Firefox, over WebDriver BiDi (https://w3c.github.io/webdriver-bidi), which it speaks by
// itself. Only what the tests need of it.

import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { until } from "../node/until.mjs";

const patience = 90_000;
// As WebDriver names keys (https://w3c.github.io/webdriver/#keyboard-actions).
const keys = { Shift: "\uE008", Control: "\uE009", Alt: "\uE00A", Enter: "\uE007", Escape: "\uE00C", PageUp: "\uE00E", PageDown: "\uE00F", ArrowLeft: "\uE012", ArrowRight: "\uE014", ArrowDown: "\uE015" };

export class Firefox {
  // What went wrong in pages.
  errors = [];
  #profile = mkdtempSync(join(tmpdir(), "holdfast-firefox-"));
  #process;
  #socket;
  #waiting = new Map();
  #last = 0;
  #context;

  static async start() {
    const firefox = new Firefox();
    try {
      await firefox.#run();
    } catch (error) {
      await firefox.stop();
      throw error;
    }
    return firefox;
  }

  async #run() {
    const quiet = ["app.normandy.enabled", "datareporting.policy.dataSubmissionEnabled", "extensions.update.enabled", "browser.safebrowsing.update.enabled", "network.captive-portal-service.enabled", "network.connectivity-service.enabled"];
    writeFileSync(join(this.#profile, "user.js"), quiet.map((name) => `user_pref("${name}", false);\n`).join(""));
    const started = spawn(process.env.FIREFOX ?? "/usr/bin/firefox-esr", ["--headless", "--no-remote", "--profile", this.#profile, "--remote-debugging-port", "0", "--width", "1000", "--height", "600", "about:blank"], {
      env: { ...process.env, HOME: this.#profile },
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.#process = started;
    let said = "";
    for (const stream of [started.stdout, started.stderr]) stream.on("data", (bytes) => (said += bytes));
    started.on("error", (error) => (said += error));
    const listening = await until(() => /WebDriver BiDi listening on (ws:\S+)/.exec(said), () => `Firefox to listen, which said: ${said}`, patience);
    await this.#connect(`${listening[1]}/session`);
    await this.#send("session.new", { capabilities: { alwaysMatch: { unhandledPromptBehavior: { default: "ignore" } } } });
    await this.#send("session.subscribe", { events: ["log.entryAdded"] });
    this.#context = (await this.#send("browsingContext.getTree")).contexts[0].context;
  }

  async #connect(address) {
    const socket = new WebSocket(address);
    await new Promise((resolve, reject) => {
      socket.onopen = resolve;
      socket.onerror = () => reject(new Error("Firefox does not answer"));
    });
    socket.onmessage = ({ data }) => {
      const message = JSON.parse(data);
      this.#waiting.get(message.id)?.(message);
      this.#waiting.delete(message.id);
      if (message.method === "log.entryAdded" && message.params.level === "error") this.errors.push(message.params.text);
    };
    this.#socket = socket;
  }

  async #send(method, params = {}) {
    this.#last += 1;
    const answer = new Promise((resolve) => this.#waiting.set(this.#last, resolve));
    this.#socket.send(JSON.stringify({ id: this.#last, method, params }));
    const { type, result, message } = await answer;
    if (type === "error") throw new Error(`${method}: ${message}`);
    return result;
  }

  async goto(url) {
    await this.#send("browsingContext.navigate", { context: this.#context, url, wait: "interactive" });
  }

  async refresh() {
    await this.#send("browsingContext.reload", { context: this.#context, wait: "interactive" });
  }

  // Calls a function in the page. Arguments and the result are what JSON can hold.
  async evaluate(called, ...args) {
    const { type, result, exceptionDetails } = await this.#send("script.evaluate", {
      expression: `(async () => JSON.stringify(await (${called})(...${JSON.stringify(args)})))()`,
      target: { context: this.#context },
      awaitPromise: true,
      userActivation: true,
    });
    if (type === "exception") throw new Error(exceptionDetails.text);
    return result.value === undefined ? undefined : JSON.parse(result.value);
  }

  async type(text) {
    await this.#keys([...text].flatMap((value) => [{ type: "keyDown", value }, { type: "keyUp", value }]));
  }

  // Each like "Control+Shift+k".
  async press(...combinations) {
    for (const combination of combinations) {
      const values = combination.split("+").map((name) => keys[name] ?? name);
      await this.#keys([...values.map((value) => ({ type: "keyDown", value })), ...values.toReversed().map((value) => ({ type: "keyUp", value }))]);
    }
  }

  async #keys(actions) {
    await this.#send("input.performActions", { context: this.#context, actions: [{ type: "key", id: "keyboard", actions }] });
  }

  async screenshot(path) {
    const { data } = await this.#send("browsingContext.captureScreenshot", { context: this.#context });
    writeFileSync(path, Buffer.from(data, "base64"));
  }

  async stop() {
    this.#socket?.close();
    const ending = this.#process;
    if (ending && ending.exitCode === null && ending.signalCode === null) {
      const ended = new Promise((resolve) => ending.once("exit", resolve));
      ending.kill("SIGKILL");
      await ended;
    }
    rmSync(this.#profile, { recursive: true, force: true, maxRetries: 5 });
  }
}
