// One test per amendment of README.md, in its order.

import assert from "node:assert/strict";
import { test } from "node:test";

import { stateOf } from "./state.mjs";
import { OracleTerminal } from "./terminal.mjs";

const resize = (cols, rows) => ({ cols, rows });

function stateAfter(cols, rows, ...pieces) {
  const events = pieces.map((piece) => (typeof piece === "string" ? { output: piece } : piece));
  return stateOf(new OracleTerminal({ cols, rows }).play(events));
}

test("columns, tab stops and saved cursors that a resize cut off do not come back", () => {
  const cut = "\x1b[?1049habcdef\x1b[3g\x1b[3G\x1bH\x1b[6G\x1bH\x1b7";
  const { alternate } = stateAfter(6, 2, cut, resize(4, 2), resize(6, 2));
  assert.deepEqual(
    [alternate.screen[0], alternate.tabs, alternate.saved.slice(0, 2)],
    [[["abcd"]], [2], [3, 0]],
  );
});

test("setting a tab stop while the wrap is pending sets none", () => {
  assert.deepEqual(stateAfter(4, 2, "abcd\x1bH", resize(9, 2)).primary.tabs, [0, 8]);
});

test("a wide character that a resize halves becomes an empty cell in its style", () => {
  const { alternate } = stateAfter(6, 2, "\x1b[?1049habcd\x1b[31m日", resize(5, 2));
  assert.deepEqual(alternate.screen[0], [["abcd"], [1, "fg=1"]]);
});

test("the alternate buffer has no history after the terminal was made smaller", () => {
  const { alternate } = stateAfter(4, 4, resize(4, 2), "\x1b[?1049h1\r\n2\r\n3", resize(4, 3));
  assert.deepEqual(alternate.screen, [[["2"]], [["3"]], []]);
});

test("nothing joins across a resize", () => {
  assert.equal(stateAfter(4, 2, "a", resize(5, 2)).preceding, 0);
});

test("without wraparound, nothing joins a wide character that was dropped", () => {
  const { primary, preceding } = stateAfter(4, 2, "\x1b[?7labc日\u0301");
  assert.deepEqual([primary.screen[0], primary.cursor, preceding], [[["abc"], ["\u0301", "", 0]], [4, 0], 0]);
});

test("without wraparound, overwriting the right half in the last column empties the left half", () => {
  assert.deepEqual(stateAfter(4, 2, "\x1b[?7lab日c").primary.screen[0], [["ab"], [1], ["c"]]);
});

test("inserting in the middle of a wide character leaves nothing of it", () => {
  assert.deepEqual(stateAfter(6, 2, "a日bc\x1b[3G\x1b[@").primary.screen[0], [["a"], [3], ["bc"]]);
});

test("a pending wrap over an emptied cell ends on the alternate screen, and stays on the primary one", () => {
  assert.deepEqual(stateAfter(4, 2, "\x1b[?1049habcd\x1b[ @").alternate.cursor, [3, 0]);
  assert.deepEqual(stateAfter(4, 2, "abcd\x1b[ @").primary.cursor, [4, 0]);
});

test("a pending wrap over a row that is empty throughout stays on the alternate screen too", () => {
  assert.deepEqual(stateAfter(4, 2, "\x1b[?1049habcd\x1b[2K").alternate.cursor, [4, 0]);
});

test("a pending wrap ends over a character that the set which DECRC brought cannot print", () => {
  const lineDrawingByRestore = "\x1b(0\x1b7\x1b(B\x1b[2;4Hq\x1b8";
  const { primary, charset } = stateAfter(4, 2, `${lineDrawingByRestore}\x1b[1;4Hx\x1b[S`);
  assert.deepEqual([charset.active, charset.g, primary.cursor], ["0", "BBBB", [3, 0]]);
});

test("a bottom row whose cells would all be odd keeps one plain", () => {
  const { primary } = stateAfter(2, 2, "\x1b[7;41m日\x1b[1;2H日\x1b[H\x1bM");
  assert.deepEqual(primary.screen[1], [
    [1, "bg=1 inverse"],
    [1, "bg=1"],
  ]);
});

test("erasing the history leaves the saved cursor where it is on the screen", () => {
  assert.deepEqual(stateAfter(4, 2, "1\r\n2\r\n3\r\n4\x1b[H\x1b7\x1b[3J").primary.saved.slice(0, 2), [0, 0]);
});

test("DECRC takes the pen's own kind of underline and link", () => {
  const link = "\x1b]8;;http://x\x07";
  assert.equal(stateAfter(4, 2, `\x1b[4m\x1b7\x1b[4:3m${link}\x1b8`).pen, "underline=curly link=;http://x");
  assert.equal(stateAfter(4, 2, `\x1b7\x1b[4:3m${link}\x1b8`).pen, "link=;http://x");
  assert.equal(stateAfter(4, 2, "\x1b[4:3m\x1b7\x1b[0m\x1b8").pen, "underline=single");
});

test("reflow keeps the text of cells of several code points", () => {
  const { primary } = stateAfter(4, 3, "abcde\u0301o\u0308\r\n", resize(3, 3));
  assert.deepEqual(primary.screen, [[["abc"]], ["wrapped", ["d"], [["e\u0301"]], [["o\u0308"]]], []]);
});

test("what has scrolled off of the line with the cursor is reflowed", () => {
  assert.deepEqual(stateAfter(4, 2, "abcdefghij", resize(8, 2)).primary.scrollback, [[["abcd"]]]);
  const narrower = stateAfter(4, 2, "abcdefghij", resize(2, 2)).primary;
  assert.deepEqual(narrower.scrollback, [[["ab"]], ["wrapped", ["cd"]]]);
  assert.deepEqual(narrower.screen, [
    ["wrapped", ["ef"]],
    ["wrapped", ["ij"]],
  ]);
});

test("a line that reflow made narrower has nothing behind its content", () => {
  const { primary } = stateAfter(6, 3, "abcdefgh\x1b[41m\x1b[K\x1b[m\r\n", resize(5, 3));
  assert.deepEqual(primary.screen.slice(0, 2), [[["abcde"]], ["wrapped", ["fgh"]]]);
});

test("SGR 59 resets the underline's colour", () => {
  assert.equal(stateAfter(4, 2, "\x1b[4;58;5;1m\x1b[59m").pen, "underline=single");
});

test("a query does not come between a character and what joins it", () => {
  for (const query of ["\x1b[c", "\x1b[>q", "\x1b[6n", "\x1b[?25$p", "\x1b[18t"]) {
    assert.deepEqual(
      stateAfter(4, 2, `e${query}\u0301`).primary.screen[0],
      [[["e\u0301"]]],
      JSON.stringify(query),
    );
  }
});

test("a change of screens brings the shifted-in character set back", () => {
  assert.equal(stateAfter(4, 2, "\x1b(0\x1b8\x1b[?47h").charset.active, "0");
});

test("DECALN in origin mode begins at the top margin", () => {
  const { primary } = stateAfter(2, 4, "\x1b[3;4r\x1b[?6h\x1b#8");
  assert.deepEqual(primary.screen, [[], [], [["EE"]], [["EE"]]]);
});

test("erasing above from the last column unwraps the row below, and only that", () => {
  const wrappedRows = ({ primary }) =>
    [...primary.scrollback, ...primary.screen].map((row) => row[0] === "wrapped");
  assert.deepEqual(wrappedRows(stateAfter(2, 2, "abcdefgh\x1b[1;2H\x1b[1J")), [false, true, false, false]);
  assert.deepEqual(wrappedRows(stateAfter(2, 1, "ab\x1b[1J")), [false]);
});
