// Intended differences from xterm.js. Each says why, and excuses only what it names:
// `excuses` sees one difference of one check.

import { unfoldRow } from "./rows.mjs";
import { LOST_LINK } from "./style.mjs";

export const KNOWN_DIFFERENCES = [
  {
    name: "lost link",
    reason:
      "xterm.js ties a link's target to markers on its lines and forgets it when they go, though linked cells may " +
      "have moved elsewhere. We keep the target with the cell.",
    excuses: ({ check, path, isRow, expected, actual }) =>
      (isRow && rowsEqualButForLostLinks(expected, actual, check)) ||
      (path === "pen" && stylesEqualButForLostLink(expected, actual, check)),
  },
  {
    name: "folded again",
    reason:
      "xterm.js folds at each change of width what the one before left of the history. We fold what was written. " +
      "Where xterm.js has lost or added empty cells meanwhile, rows and what is counted in rows differ, and so " +
      "does what is written over them afterwards.",
    excuses: ({ path, isFoldedAgain, showsSameText, mayShowOtherText }) =>
      isFoldedAgain &&
      (showsSameText || mayShowOtherText) &&
      /^primary\.(cursor|saved|scrollback|screen)/.test(path),
  },
];

function rowsEqualButForLostLinks(expected, actual, check) {
  const [left, right] = [unfoldRow(expected), unfoldRow(actual)];
  const cellsEqual = (a, b) =>
    a.text === b.text && a.width === b.width && stylesEqualButForLostLink(a.style, b.style, check);
  return (
    left.wrapped === right.wrapped &&
    left.cells.length === right.cells.length &&
    left.cells.every((cell, x) => cellsEqual(cell, right.cells[x]))
  );
}

// After a snapshot and the rest of a stream, and after a stream with its edits, both sides are an
// xterm.js that may have lost it.
function stylesEqualButForLostLink(expected, actual, check) {
  return (
    expected === actual ||
    isLostOf(expected, actual) ||
    (["continue", "sent"].includes(check) && isLostOf(actual, expected))
  );
}

function isLostOf(lost, style) {
  return lost.endsWith(LOST_LINK) && style.startsWith(`${lost.slice(0, -LOST_LINK.length)}link=`);
}
