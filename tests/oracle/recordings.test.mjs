// Real programs never trigger an amendment, except for saved cursors that nobody restores.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { diffStates } from "./diff.mjs";

const RECORDINGS = join(import.meta.dirname, "streams");

function statesOf(files, ...options) {
  const script = join(import.meta.dirname, "xterm_state.mjs");
  const { stdout } = spawnSync(process.execPath, [script, "--batch", ...options], {
    input: files.map((file) => `${file}\n`).join(""),
    encoding: "utf8",
    maxBuffer: 2 ** 28,
  });
  return stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line).state);
}

test("on the recordings the amended xterm.js shows what xterm.js shows", () => {
  const files = readdirSync(RECORDINGS).map((name) => join(RECORDINGS, name));
  const amended = statesOf(files);
  const asIs = statesOf(files, "--as-is");
  assert.equal(asIs.length, files.length);
  files.forEach((file, index) => {
    const differences = diffStates(asIs[index], amended[index]).filter(
      ({ path }) => !path.endsWith(".saved"),
    );
    assert.deepEqual(differences, [], file);
  });
});
