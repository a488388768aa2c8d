// A real daemon with its own keeper and home, which a test can kill, restart and take over.

import { execFile, execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import { until } from "./until.mjs";

const root = fileURLToPath(new URL("../../", import.meta.url));
const built = process.env.HOLDFAST_BUILD ?? join(root, "build/release");
const prompt = "ready> ";

export class Daemon {
  token = "the-token-of-the-tests-in-javascript";
  #home = mkdtempSync(join(tmpdir(), "holdfast-test-"));
  #process;
  // Everything that it and its predecessors wrote.
  said = "";
  // Arguments for the next `run`.
  options;
  port = 0;

  static async start(options = {}) {
    const daemon = new Daemon();
    daemon.options = options;
    writeFileSync(join(daemon.#home, "rc"), `PS1='${prompt}'\nunset HISTFILE\n`);
    writeFileSync(join(daemon.#home, "shell"), `#!/bin/sh\n[ "$1" = -c ] && exec sh "$@"\nexec bash --noprofile --rcfile ${daemon.#home}/rc -i\n`, { mode: 0o755 });
    for (const [name, code] of Object.entries(options.extensions ?? {})) daemon.extension(name, code);
    try {
      await daemon.run();
    } catch (error) {
      await daemon.stop();
      throw error;
    }
    return daemon;
  }

  get program() {
    return join(built, "holdfast");
  }

  get home() {
    return this.#home;
  }

  get database() {
    return join(this.#home, "state/holdfast.db");
  }

  // How shell commands find the daemon.
  get environment() {
    return { PATH: process.env.PATH, HOME: this.#home, LANG: "C.UTF-8", HOLDFAST_TOKEN: this.token, TERM: "dumb", HOLDFAST_RUNTIME_DIR: join(this.#home, "run"), HOLDFAST_STATE_DIR: join(this.#home, "state") };
  }

  // Writes an extension's file for all sessions. A name without a suffix gets `.ts`.
  extension(name, code) {
    const path = join(this.#home, ".config/holdfast/extensions", name.includes(".") ? name : `${name}.ts`);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, code);
    return path;
  }

  removeExtension(name) {
    rmSync(join(this.#home, ".config/holdfast/extensions", name.includes(".") ? name : `${name}.ts`));
  }

  get address() {
    return `http://127.0.0.1:${this.port}`;
  }

  get pid() {
    return this.#process.pid;
  }

  // Starts a daemon. With "--takeover", it replaces a running one.
  async run(...more) {
    const { grace = 0, hosts = [], args = [] } = this.options;
    const started = spawn(
      join(built, "holdfast"),
      [
        "serve",
        ...["--listen", `127.0.0.1:${this.port}`, "--runtime-dir", join(this.#home, "run"), "--state-dir", join(this.#home, "state")],
        ...["--config", "/dev/null", "--env-file", "/dev/null", "--shell", join(this.#home, "shell"), "--allowed-hosts", ["127.0.0.1", ...hosts].join()],
        ...["--orphan-grace-period", String(grace)],
        ...args,
        ...more,
      ],
      {
        env: this.environment,
        stdio: ["ignore", "pipe", "pipe"],
      },
    );
    let said = "";
    for (const stream of [started.stdout, started.stderr])
      stream.on("data", (bytes) => {
        said += bytes;
        this.said += bytes;
      });
    this.#process = started;
    const serves = await until(() => /serves address=127\.0\.0\.1:(\d+)/.exec(said), () => `the daemon to serve, which said: ${said}`, 20_000);
    this.port = Number(serves[1]);
  }

  async kill(signal = "SIGKILL") {
    const ending = this.#process;
    if (ending.exitCode !== null || ending.signalCode !== null) return;
    ending.kill(signal);
    try {
      await until(() => ending.exitCode !== null || ending.signalCode !== null, `the daemon to end by ${signal}`, 20_000);
    } catch (error) {
      ending.kill("SIGKILL");
      throw error;
    }
  }

  // What the keeper says about itself and its children.
  keeper() {
    return JSON.parse(execFileSync(join(built, "holdfast-keeper"), ["--runtime-dir", join(this.#home, "run"), "--status", "--json"], { encoding: "utf8", timeout: 20_000 }));
  }

  // Runs a shell command and returns its result.
  shell(...args) {
    return this.shellWithInput("", ...args);
  }

  shellWithInput(input, ...args) {
    return new Promise((resolve) => {
      execFile(join(built, "holdfast"), args, { encoding: "utf8", env: this.environment }, (error, stdout, stderr) => resolve({ code: error?.code ?? 0, stdout, stderr })).stdin.end(input || undefined);
    });
  }

  // Kills the keeper, and with it every terminal.
  async killKeeper() {
    const { pid } = this.keeper();
    process.kill(pid, "SIGTERM");
    await until(() => !isAlive(pid), "the keeper to end", 15_000);
  }

  async health() {
    const response = await fetch(`${this.address}/health`);
    return await response.json();
  }

  // Runs `use` with a function that asks the daemon directly, without a page.
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

  // Closes every terminal and session, even if the page that created them is gone.
  async clear() {
    await this.asking(async (ask) => {
      for (const { terminalId } of (await ask("list")).terminals) await ask("close", { terminalId });
      for (const { name } of (await ask("sessions")).sessions) if (name !== "main") await ask("session_close", { name });
      for (const name of Object.keys((await ask("preferences")).values)) await ask("preference_set", { name });
    });
  }

  // Keeps the user's preferences, as a page would.
  async prefer(preferences) {
    await this.asking(async (ask) => {
      for (const [name, value] of Object.entries(preferences)) await ask("preference_set", { name, value });
    });
  }

  // Kills everything at once. The keeper would give every child time to end.
  async killAll() {
    const { pid, children } = this.keeper();
    // The keeper first, or it would report each child that ends.
    process.kill(pid, "SIGKILL");
    for (const child of children) if (child.state === "running") killGroup(child.pid);
    await until(() => !isAlive(pid), "the keeper to end");
  }

  async stop() {
    try {
      await this.kill("SIGTERM");
    } finally {
      await this.killAll().catch(() => {}); // It may be gone already.
      rmSync(this.#home, { recursive: true, force: true });
    }
  }
}

// Its processes may have ended by themselves.
function killGroup(pid) {
  try {
    process.kill(-pid, "SIGKILL");
  } catch (error) {
    if (error.code !== "ESRCH") throw error;
  }
}

// A zombie is not alive.
export function isAlive(pid) {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}
