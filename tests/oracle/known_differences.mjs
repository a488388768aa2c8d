// Differences from xterm.js that are meant to be. Each says why, and excuses only what it names:
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
    name: "question before the cut",
    reason:
      "Viewers never see the questions that programs ask of their terminal, so for us nothing came after the last " +
      "character, while in xterm.js a question ends joining and repeating.",
    excuses: ({ path, expected, head }) =>
      path === "preceding" && expected === 0 && QUESTION_AT_END.test(lastOutput(head)),
  },
];

const QUESTION_AT_END = new RegExp(
  [
    /\x1b\[[>=?]?[0-9]*(?:[cnq]|\$p|t)/, // CSI
    /\x1b\](?:4;[0-9]+|1[0-2]);\?(?:\x07|\x1b\\?)/, // OSC
    /\x1bP[$+]q[^\x1b]*\x1b\\?/, // DCS
  ]
    .map(({ source }) => `(?:${source})$`)
    .join("|"),
);

function lastOutput({ events }) {
  return Buffer.from(events.findLast((event) => event.output)?.output ?? []).toString("latin1");
}

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

// After a snapshot and the rest of a stream, both sides are an xterm.js that may have lost it.
function stylesEqualButForLostLink(expected, actual, check) {
  return (
    expected === actual || isLostOf(expected, actual) || (check === "continue" && isLostOf(actual, expected))
  );
}

function isLostOf(lost, style) {
  return lost.endsWith(LOST_LINK) && style.startsWith(`${lost.slice(0, -LOST_LINK.length)}link=`);
}
