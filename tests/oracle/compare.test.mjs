// The comparison must fail when something differs, wherever it is.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";

import { diffStates } from "./diff.mjs";
import { generateStream } from "./generate.mjs";
import { KNOWN_DIFFERENCES } from "./known_differences.mjs";
import { stateOf } from "./state.mjs";
import { formatStream } from "./stream.mjs";
import { OracleTerminal } from "./terminal.mjs";

const scratch = mkdtempSync(join(tmpdir(), "holdfast-oracle-test-"));
after(() => rmSync(scratch, { recursive: true }));

function compare(args, fault = "") {
  const script = join(import.meta.dirname, "compare.mjs");
  const env = { ...process.env, FAULT: fault };
  const { status, stdout } = spawnSync(process.execPath, [script, ...args], { env, encoding: "utf8" });
  return { status, lastLine: stdout.trimEnd().split("\n").at(-1) };
}

function withReplay(fault) {
  const file = join(scratch, "red.stream");
  const events = [{ output: Buffer.from("\x1b[?25h\x1b[31mhi \x1b[1mthere") }];
  writeFileSync(file, formatStream({ cols: 20, rows: 4, scrollback: 10, events }));
  return compare(["--vt", join(import.meta.dirname, "testdata/replaying_vt_state.mjs"), file], fault);
}

test("a vt_state that agrees passes", () => {
  assert.deepEqual(withReplay("none"), { status: 0, lastLine: "9 passed, 0 failed" });
});

for (const fault of [
  "bold in a cell",
  "cursor mode",
  "snapshot forgets the last byte",
  "a query is sent",
  "something is not sent",
  "crash",
]) {
  test(`a vt_state with a fault fails: ${fault}`, () => {
    const { status, lastLine } = withReplay(fault);
    assert.equal(status, 1);
    assert.match(lastLine, /^\d+ passed, [1-9]\d* failed$/);
  });
}

test("an exception of xterm.js fails the case, and the others go on", () => {
  const stream = (output) =>
    formatStream({ cols: 2, rows: 1, scrollback: 10, events: [{ output: Buffer.from(output) }] });
  const files = { "throwing.stream": "ab\x1b[1J", "harmless.stream": "ab\x1b[1K" };
  for (const [name, output] of Object.entries(files)) writeFileSync(join(scratch, name), stream(output));
  const paths = Object.keys(files).map((name) => join(scratch, name));
  const vt = join(import.meta.dirname, "testdata/replaying_vt_state.mjs");
  assert.equal(compare(["--vt", vt, "--as-is", ...paths]).lastLine, "9 passed, 9 failed");
});

test("without vt_state it says that it cannot run", () => {
  assert.equal(compare([]).status, 2);
});

// Every leaf of a state: strings, numbers, booleans, null, and empty lists.
function* leaves(value, path = []) {
  if (value === null || typeof value !== "object" || Object.keys(value).length === 0) {
    yield path;
    return;
  }
  for (const key of Object.keys(value)) yield* leaves(value[key], [...path, key]);
}

function spoilLeaf(state, path) {
  const copy = structuredClone(state);
  const parent = path.slice(0, -1).reduce((value, key) => value[key], copy);
  const last = path.at(-1);
  parent[last] =
    typeof parent[last] === "string"
      ? `${parent[last]}~`
      : typeof parent[last] === "number"
        ? parent[last] + 1
        : "spoiled";
  return copy;
}

test("no part of a state can differ unnoticed", () => {
  const stream = generateStream(7);
  const state = stateOf(new OracleTerminal(stream).play(stream.events));
  assert.deepEqual(diffStates(state, structuredClone(state)), []);
  for (const path of leaves(state)) {
    const differences = diffStates(state, spoilLeaf(state, path));
    assert.equal(differences.length > 0, true, `${path.join(".")} was overlooked`);
    assert.equal(
      differences.every(({ path: found }) =>
        path.join(".").startsWith(found.split("[")[0].replace(/\.length$/, "")),
      ),
      true,
    );
  }
});

test("a missing row and a missing key are differences", () => {
  assert.equal(diffStates({ screen: [[], []] }, { screen: [[]] }).length, 1);
  assert.equal(diffStates({ title: "" }, {}).length, 1);
});

test("a lost link is excused, and nothing beside it", () => {
  const { excuses } = KNOWN_DIFFERENCES.find(({ name }) => name === "lost link");
  const excused = (expected, actual, check = "snapshot") =>
    Boolean(excuses({ check, path: "primary.screen[0]", isRow: true, expected, actual }));
  assert.equal(
    excused(
      [["ab", "bold link=lost"]],
      [
        ["a", "bold link=;http://x"],
        ["b", "bold link=;http://y"],
      ],
    ),
    true,
  );
  assert.equal(excused([["ab", "bold link=lost"]], [["ab", "link=;http://x"]]), false);
  assert.equal(excused([["ab", "link=lost"]], [["ab"]]), false);
  assert.equal(excused([["ab", "link=lost"]], [["ac", "link=;http://x"]]), false);
  assert.equal(excused(["wrapped", ["a", "link=lost"]], [["a", "link=;http://x"]]), false);
  assert.equal(excused([["a", "link=;http://x"]], [["a", "link=;http://y"]]), false);
  assert.equal(excused([["a", "link=;http://x"]], [["a", "link=lost"]]), false);
  assert.equal(excused([["a", "link=;http://x"]], [["a", "link=lost"]], "continue"), true);
});
