// A real daemon with copies of the examples, installed as a user would.

import { cpSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { runners, times, until, withDaemon } from "../../../tests/extensions/fixture.mjs";

export { times, until };

const examples = fileURLToPath(new URL("../", import.meta.url));
// The first test that starts a VM builds the image, which is kept.
const images = join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "holdfast/vms");
const longest = 150_000; // For a command: a VM can take long to boot on a busy machine.

// Runs `use` with a daemon whose sessions have these examples. `run` is `holdfast run SESSION LINE`: → {code, stdout, stderr}.
export function withExamples(names, use) {
  return withDaemon({}, async (daemon, connect) => {
    const extensions = join(daemon.home, ".config/holdfast/extensions");
    for (const name of names) cpSync(join(examples, name), join(extensions, name), { recursive: true });
    mkdirSync(join(daemon.home, ".cache/holdfast"), { recursive: true });
    mkdirSync(images, { recursive: true });
    symlinkSync(images, join(daemon.home, ".cache/holdfast/vms"));
    const run = (line, session = "main") => within(daemon.shell("run", session, line), line);
    await said(run("/reload"));
    await use({ daemon, connect, extensions, run });
  });
}

function within(running, what) {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`${what} takes longer than ${longest} ms`)), longest);
    running.then(resolve, reject).finally(() => clearTimeout(late));
  });
}

// Kills the runner; the daemon starts another.
export async function killRunner(daemon) {
  const [pid, ...more] = runners(daemon);
  if (pid === undefined || more.length > 0) throw new Error(`there is not one runner but ${[pid, ...more]}`);
  process.kill(pid, "SIGKILL");
  await until(() => !isAlive(pid), "the runner to end");
}

// Zombies do not count.
export function isAlive(pid) {
  try {
    return !readFileSync(`/proc/${pid}/stat`, "latin1").includes(") Z ");
  } catch {
    return false;
  }
}

// The result, and the notices, of a command that must succeed.
export const said = async (running) => (await succeeded(running)).stdout;
export const notified = async (running) => (await succeeded(running)).stderr;

async function succeeded(running) {
  const outcome = await running;
  if (outcome.code !== 0) throw new Error(`exited with ${outcome.code}: ${outcome.stderr}${outcome.stdout}`);
  return outcome;
}
