// A real daemon with a keeper and a home of its own, which a test may kill, restart and take over.

import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { until } from "./until.mjs";

const root = fileURLToPath(new URL("../../", import.meta.url));
const built = process.env.HOLDFAST_BUILD ?? join(root, "build/release");
const prompt = "ready> ";

export class Daemon {
  token = "the-token-of-the-browser-tests";
  #home = mkdtempSync(join(tmpdir(), "holdfast-browser-"));
  #process;
  // What the next `run` is started with.
  options;
  port = 0;

  static async start(options = {}) {
    const daemon = new Daemon();
    daemon.options = options;
    writeFileSync(join(daemon.#home, "rc"), `PS1='${prompt}'\nunset HISTFILE\n`);
    writeFileSync(join(daemon.#home, "shell"), `#!/bin/sh\nexec bash --noprofile --rcfile ${daemon.#home}/rc -i\n`, { mode: 0o755 });
    await daemon.run();
    return daemon;
  }

  get home() {
    return this.#home;
  }

  get address() {
    return `http://127.0.0.1:${this.port}`;
  }

  get pid() {
    return this.#process.pid;
  }

  // Starts a daemon; with "--takeover" also while one serves.
  async run(...more) {
    const { grace = 0, hosts = [] } = this.options;
    const started = spawn(
      join(built, "holdfast"),
      [
        "serve",
        ...["--listen", `127.0.0.1:${this.port}`, "--runtime-dir", join(this.#home, "run"), "--state-dir", join(this.#home, "state")],
        ...["--config", "/dev/null", "--env-file", "/dev/null", "--shell", join(this.#home, "shell"), "--allowed-hosts", ["127.0.0.1", ...hosts].join()],
        ...["--orphan-grace-period", String(grace)],
        ...more,
      ],
      {
        env: { PATH: process.env.PATH, HOME: this.#home, LANG: "C.UTF-8", HOLDFAST_TOKEN: this.token, TERM: "dumb" },
        stdio: ["ignore", "pipe", "pipe"],
      },
    );
    let said = "";
    for (const stream of [started.stdout, started.stderr]) stream.on("data", (bytes) => (said += bytes));
    this.#process = started;
    const serves = await until(() => /serves address=127\.0\.0\.1:(\d+)/.exec(said), () => `the daemon to serve, which said: ${said}`, 20_000);
    this.port = Number(serves[1]);
  }

  async kill(signal = "SIGKILL") {
    const ending = this.#process;
    if (ending.exitCode !== null || ending.signalCode !== null) return;
    const ended = new Promise((resolve) => ending.once("exit", resolve));
    ending.kill(signal);
    await ended;
  }

  // The keeper, and with it every terminal.
  async killKeeper() {
    const { pid } = JSON.parse(execFileSync(join(built, "holdfast-keeper"), ["--runtime-dir", join(this.#home, "run"), "--status", "--json"], { encoding: "utf8" }));
    process.kill(pid, "SIGTERM");
    await until(() => !isAlive(pid), "the keeper to end", 15_000);
  }

  async health() {
    const response = await fetch(`${this.address}/health`);
    return await response.json();
  }

  // Runs `use` with a function that asks the daemon, past any page.
  async asking(use) {
    const socket = new WebSocket(`ws://127.0.0.1:${this.port}/ws?token=${this.token}`, "holdfast.v1");
    const waiting = new Map();
    const ask = (type, data = {}) =>
      new Promise((resolve) => {
        const request = waiting.size + 1;
        waiting.set(request, resolve);
        socket.send(JSON.stringify({ type, request, data }));
      });
    socket.onmessage = ({ data }) => {
      const message = typeof data === "string" ? JSON.parse(data) : {};
      waiting.get(message.request)?.(message.data);
    };
    await new Promise((resolve, reject) => {
      socket.onopen = resolve;
      socket.onerror = () => reject(new Error("the daemon is not there"));
    });
    try {
      return await use(ask);
    } finally {
      socket.close();
    }
  }

  // Every terminal and every session, whatever became of the page that made them.
  async clear() {
    await this.asking(async (ask) => {
      for (const { terminalId } of (await ask("list")).terminals) await ask("close", { terminalId });
      for (const { name } of (await ask("sessions")).sessions) if (name !== "main") await ask("session_close", { name });
    });
  }

  async stop() {
    await this.kill("SIGTERM");
    await this.killKeeper().catch(() => {});
    rmSync(this.#home, { recursive: true, force: true });
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
