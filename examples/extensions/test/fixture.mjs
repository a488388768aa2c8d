// A real daemon with copies of the examples, as somebody would put them there.

import { cpSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { runners, times, until, withDaemon } from "../../../tests/extensions/fixture.mjs";

export { times, until };

const examples = fileURLToPath(new URL("../", import.meta.url));
// What VMs boot is built by the first test that starts one, and kept.
const images = join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "holdfast/vms");
const longest = 150_000; // Of a command: a VM may take long to come up on a busy machine.

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

// Ends the runner as a crash would; the daemon starts another.
export async function killRunner(daemon) {
  const [pid, ...more] = runners(daemon);
  if (pid === undefined || more.length > 0) throw new Error(`there is not one runner but ${[pid, ...more]}`);
  process.kill(pid, "SIGKILL");
  await until(() => !isAlive(pid), "the runner to end");
}

// A process that has ended and was not waited for yet does not count.
export function isAlive(pid) {
  try {
    return !readFileSync(`/proc/${pid}/stat`, "latin1").includes(") Z ");
  } catch {
    return false;
  }
}

// What a command that must succeed writes as its result, and what it notifies of.
export const said = async (running) => (await succeeded(running)).stdout;
export const notified = async (running) => (await succeeded(running)).stderr;

async function succeeded(running) {
  const outcome = await running;
  if (outcome.code !== 0) throw new Error(`exited with ${outcome.code}: ${outcome.stderr}${outcome.stdout}`);
  return outcome;
}
