// For every test of extensions: a daemon with some, and clients that show its sessions.

import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";

import { Daemon, isAlive } from "../node/daemon.mjs";
import { Native } from "../node/native.mjs";
import { until } from "../node/until.mjs";

export { isAlive as isRunning, Native, until };
export const limit = { timeout: 120_000 };
// How often to repeat racy steps: a few times here, many times in a soak test.
export const times = (few, often) => (process.env.HOLDFAST_SOAK ? often : few);

// Runs `use` with a daemon that has these extensions ({name: code}).
export async function withDaemon(extensions, use, options = {}) {
  const daemon = await Daemon.start({ extensions, ...options });
  const clients = [];
  const connect = async (...args) => {
    const client = await Native.connect(daemon, ...args);
    clients.push(client);
    return client;
  };
  try {
    await use(daemon, connect);
  } catch (error) {
    error.message += `\n--- the daemon said:\n${daemon.said.slice(-4000)}`;
    throw error;
  } finally {
    for (const client of clients) client.close();
    await daemon.stop();
  }
  assert.doesNotMatch(daemon.said, /Sanitizer|Assertion|terminate called/);
}

// Rows of the daemon's database.
export function rows(daemon, sql, ...values) {
  const database = new DatabaseSync(daemon.database, { readOnly: true });
  try {
    return database.prepare(sql).all(...values);
  } finally {
    database.close();
  }
}

export const records = (daemon) => rows(daemon, "SELECT extension, key, state, processes FROM resources ORDER BY extension, key");

// [subject, event, detail] of the log's entries about matching subjects.
export const logged = (daemon, subject = "%") => rows(daemon, "SELECT subject, event, detail FROM log WHERE subject LIKE ? ORDER BY id", subject).map(({ subject, event, detail }) => [subject, event, detail]);

// The process ids of runners.
export function runners(daemon) {
  return held(daemon)
    .filter(({ argv, running }) => running && argv.some((word) => word.endsWith("runner.mjs")))
    .map(({ pid }) => pid);
}

// The only runner. Waits until it is started.
export const theRunner = (daemon) => until(() => runners(daemon).length === 1 && runners(daemon)[0], "one runner");

// The keeper's processes, without terminals.
export function held(daemon) {
  return daemon
    .keeper()
    .children.filter(({ kind }) => kind === "process")
    .map(({ pid, argv }) => ({ pid, argv, running: isAlive(pid) }));
}

export function median(numbers) {
  return [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];
}
