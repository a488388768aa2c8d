import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { stateOf } from "./state.mjs";
import { OracleTerminal } from "./terminal.mjs";

const ESC = "\x1b";

function stateAfter(output, size = {}) {
  return stateOf(new OracleTerminal({ cols: 10, rows: 3, ...size }).play([{ output }]));
}

const firstRow = (output, size) => stateAfter(output, size).primary.screen[0];

test("the worked example of the state", () => {
  const readme = readFileSync(join(import.meta.dirname, "README.md"), "utf8");
  const [, example] = /```json\n(.*)\n```/.exec(readme);
  const terminal = new OracleTerminal({ cols: 10, rows: 3 });
  terminal.play([{ output: "hi\r\n" }, { cols: 12, rows: 3 }, { output: `${ESC}[31mé` }]);
  assert.equal(JSON.stringify(stateOf(terminal)), example);
});

for (const [what, output, row] of [
  ["a written space is not an erased cell", "a \r\x1b[3Cb", [["a "], [1], ["b"]]],
  ["erased cells at the end are left out", "abc\x1b[2D\x1b[K", [["a"]]],
  ["erased cells that have a colour are kept", "\x1b[41m\x1b[K", [[10, "bg=1"]]],
  ["wide characters stand for two cells", "a日本b", [["a"], ["日本", "", 2], ["b"]]],
  ["a character with its combining ones is a run of its own", "xe\u0301y", [["x"], [["e\u0301"]], ["y"]]],
  [
    "a combining character with nothing to join takes a cell without width",
    "a\x1b[m\u0301b",
    [["a"], ["\u0301", "", 0], ["b"]],
  ],
  ["a wide combined character", "日\u0301", [[["日\u0301"], "", 2]]],
]) {
  test(what, () => assert.deepEqual(firstRow(output), row));
}

test("the row that a long line continues on is wrapped", () => {
  assert.deepEqual(stateAfter("abcdefghijkl").primary.screen, [[["abcdefghij"]], ["wrapped", ["kl"]], []]);
});

for (const [sgr, style] of [
  ["31;42", "fg=1 bg=2"],
  ["97;101", "fg=15 bg=9"],
  ["38;5;1;48;5;200", "fg=i1 bg=i200"],
  ["38;2;1;2;3;48:2::4:5:6", "fg=#010203 bg=#040506"],
  ["1;2;3;5;7;8;9;53", "bold dim italic blink inverse invisible strikethrough overline"],
  ["4", "underline=single"],
  ["21", "underline=double"],
  ["4:3;58;5;9", "underline=curly ulcolor=i9"],
  ["4:4", "underline=dotted"],
  ["4:5", "underline=dashed"],
]) {
  test(`SGR ${sgr} is the style "${style}"`, () =>
    assert.deepEqual(firstRow(`${ESC}[${sgr}mx`), [["x", style]]));
}

test("links and protection", () => {
  assert.deepEqual(firstRow(`${ESC}[1"q${ESC}]8;id=7;http://a/b;c${ESC}\\x`), [
    ["x", "protected link=7;http://a/b;c"],
  ]);
});

test("the pending wrap is a cursor beyond the last column", () => {
  assert.deepEqual(stateAfter("abcdefghij").primary.cursor, [10, 0]);
});

test("of the primary buffer's cursor, its row is kept while the alternate one is active", () => {
  assert.deepEqual(stateAfter(`a\r\nbcd${ESC}[?1049h${ESC}[H`).primary.cursor, [0, 1]);
});

test("the saved cursor follows the screen, with pen and charset", () => {
  assert.deepEqual(stateAfter(`${ESC}(0${ESC}[1;4mab${ESC}7`).primary.saved, [2, 0, "bold underline", "0"]);
});

test("charsets are named by their designators", () => {
  assert.deepEqual(stateAfter(`${ESC}(A${ESC})0${ESC}*C${ESC}+B\x0e`).charset, {
    active: "0",
    level: 1,
    g: "A05B",
  });
});

test("the palette holds what was changed and not restored", () => {
  const changed = `${ESC}]4;1;#ff0000;2;rgb:0/f/0\x07${ESC}]10;#010203;#040506\x07`;
  assert.deepEqual(stateAfter(changed).palette, {
    1: "#ff0000",
    2: "#00ff00",
    foreground: "#010203",
    background: "#040506",
  });
  assert.deepEqual(stateAfter(`${changed}${ESC}]104;2\x07${ESC}]111\x07`).palette, {
    1: "#ff0000",
    foreground: "#010203",
  });
  assert.deepEqual(stateAfter(`${changed}${ESC}]104\x07`).palette, {
    foreground: "#010203",
    background: "#040506",
  });
});

test("titles, modes, mouse and cursor style", () => {
  const state = stateAfter(
    `${ESC}]2;one\x07${ESC}[22t${ESC}]0;two\x07${ESC}[?25l${ESC}[?1003;1006h${ESC}[4 q${ESC}[?7l`,
  );
  assert.deepEqual(
    [state.title, state.icon, state.titleStack, state.iconStack],
    ["two", "two", ["one"], [""]],
  );
  assert.deepEqual([state.modes.cursorVisible, state.modes.wraparound], [false, false]);
  assert.deepEqual(
    [state.mouse, state.cursorStyle],
    [
      ["any", "sgr"],
      ["underline", false],
    ],
  );
});

test("history, margins and tab stops", () => {
  const state = stateAfter(`1\r\n2\r\n3\r\n4\r\n${ESC}[2;3r${ESC}[3g${ESC}[4G${ESC}H`);
  assert.deepEqual(state.primary.scrollback, [[["1"]], [["2"]]]);
  assert.deepEqual([state.primary.margins, state.primary.tabs], [[1, 2], [3]]);
});
