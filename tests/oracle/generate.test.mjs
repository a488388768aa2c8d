import assert from "node:assert/strict";
import { test } from "node:test";

import { generateStream } from "./generate.mjs";
import { stateOf } from "./state.mjs";
import { formatStream } from "./stream.mjs";
import { OracleTerminal } from "./terminal.mjs";

test("a seed always gives the same stream, and another seed another one", () => {
  assert.deepEqual(formatStream(generateStream(5)), formatStream(generateStream(5)));
  assert.notDeepEqual(formatStream(generateStream(5)), formatStream(generateStream(6)));
});

// The hard cases. Each must occur by itself, and the pairs together.
const RARE_STATES = {
  "alternate screen": ({ active }) => active === "alternate",
  "pending wrap": ({ active, size, ...state }) => state[active].cursor[0] === size[0],
  margins: ({ active, size, ...state }) => state[active].margins.join() !== `0,${size[1] - 1}`,
  "wrapped row": ({ primary }) => primary.screen.some((row) => row[0] === "wrapped"),
  "wide character in the last column": ({ size, primary }) =>
    primary.screen.some((row) => row.at(-1)?.[2] === 2 && widthOf(row) === size[0]),
  "several code points in a cell": ({ primary }) =>
    primary.screen.flat().some(([content]) => Array.isArray(content)),
  history: ({ primary }) => primary.scrollback.length > 0,
  "saved pen": ({ primary }) => primary.saved[2] !== "",
  charset: ({ charset }) => charset.active !== "B",
  origin: ({ modes }) => modes.origin,
  insert: ({ modes }) => modes.insert,
  "no wraparound": ({ modes }) => !modes.wraparound,
  "tab stops": ({ primary }) => primary.tabs.some((column) => column % 8 !== 0),
  palette: ({ palette }) => Object.keys(palette).length > 0,
  "title stack": ({ titleStack }) => titleStack.length > 0,
  link: ({ primary }) => JSON.stringify(primary.screen).includes("link="),
  protection: ({ primary }) => JSON.stringify(primary.screen).includes("protected"),
};

const PAIRS = [
  ["alternate screen", "pending wrap"],
  ["alternate screen", "margins"],
  ["margins", "pending wrap"],
  ["margins", "origin"],
  ["pending wrap", "wide character in the last column"],
  ["charset", "saved pen"],
];

function widthOf(row) {
  return row
    .filter(Array.isArray)
    .reduce(
      (sum, [content, , width = 1]) =>
        sum + (typeof content === "number" ? content : [...content].length * Math.abs(width || 1)),
      0,
    );
}

test("generated streams reach the rare states, and pairs of them", () => {
  const met = new Set();
  for (let seed = 1; seed <= 1500; seed++) {
    const stream = generateStream(seed);
    const state = stateOf(new OracleTerminal(stream).play(stream.events));
    const here = Object.keys(RARE_STATES).filter((name) => RARE_STATES[name](state));
    here.forEach((name) => met.add(name));
    PAIRS.filter((pair) => pair.every((name) => here.includes(name))).forEach((pair) =>
      met.add(pair.join(" + ")),
    );
  }
  const wanted = [...Object.keys(RARE_STATES), ...PAIRS.map((pair) => pair.join(" + "))];
  assert.deepEqual(
    wanted.filter((name) => !met.has(name)),
    [],
  );
});
