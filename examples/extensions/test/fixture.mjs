// A real daemon with copies of the examples, as somebody would put them there.

import { spawn } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, readlinkSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { Daemon } from "../../../tests/browser/daemon.mjs";

import { until } from "../../../tests/browser/until.mjs";

export { until };

const root = fileURLToPath(new URL("../../../", import.meta.url));
const built = process.env.HOLDFAST_BUILD ?? join(root, "build/release");
export const image = join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "holdfast/vms");
export const buildImage = join(root, "examples/extensions/vms/build-image.sh");

// Runs `use` with a daemon whose sessions have these examples.
export async function withExamples(names, use) {
  const daemon = await Daemon.start();
  try {
    const extensions = join(daemon.home, ".config/holdfast/extensions");
    for (const name of names) cpSync(join(root, "examples/extensions", name), join(extensions, name), { recursive: true });
    mkdirSync(join(daemon.home, ".cache/holdfast"), { recursive: true });
    symlinkSync(image, join(daemon.home, ".cache/holdfast/vms"));
    // The fixture's shell reads its own file and no arguments; `!` gives it some.
    writeFileSync(join(daemon.home, "shell"), '#!/bin/sh\nexec bash "$@"\n');
    await run(daemon, "/reload");
    return await use({ daemon, extensions, run: (line, session) => run(daemon, line, session) });
  } finally {
    await daemon.stop();
  }
}

// `holdfast run SESSION LINE`: → {code, stdout, stderr}.
export function run(daemon, line, session = "main") {
  const child = spawn(join(built, "holdfast"), ["run", session, line], {
    env: { PATH: process.env.PATH, HOME: daemon.home, LANG: "C.UTF-8", HOLDFAST_RUNTIME_DIR: join(daemon.home, "run") },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const said = { stdout: "", stderr: "" };
  for (const stream of ["stdout", "stderr"]) child[stream].setEncoding("utf8").on("data", (text) => (said[stream] += text));
  return new Promise((resolve) => child.once("close", (code) => resolve({ code, ...said })));
}

// The runner of this daemon's keeper, known by the home it was given.
export function runnerOf(daemon) {
  const found = readdirSync("/proc").filter((pid) => {
    try {
      return (
        /^\d+$/.test(pid) &&
        readlinkSync(`/proc/${pid}/exe`).endsWith("node") &&
        readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("runner") &&
        readFileSync(`/proc/${pid}/environ`, "utf8").split("\0").includes(`HOME=${daemon.home}`)
      );
    } catch {
      return false;
    }
  });
  return found.map(Number);
}

// Ends the runner as a crash would; the daemon starts another.
export async function killRunner(daemon) {
  const [pid, ...more] = runnerOf(daemon);
  if (pid === undefined || more.length > 0) throw new Error(`there is not one runner but ${[pid, ...more]}`);
  process.kill(pid, "SIGKILL");
  await until(() => !isAlive(pid), "the runner to end");
}

export function isAlive(pid) {
  try {
    return !readFileSync(`/proc/${pid}/stat`, "latin1").includes(") Z ");
  } catch {
    return false;
  }
}

// What a command that must succeed writes as its result, and what it notifies of.
export async function said(running) {
  const { code, stdout, stderr } = await running;
  if (code !== 0) throw new Error(`exited with ${code}: ${stderr}${stdout}`);
  return stdout;
}

export async function done(running) {
  const { code, stdout, stderr } = await running;
  if (code !== 0) throw new Error(`exited with ${code}: ${stderr}${stdout}`);
  return stderr;
}
