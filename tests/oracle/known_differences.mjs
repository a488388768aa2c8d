// Differences from xterm.js that are meant to be. Each says why, and excuses only what it names: `excuses` sees one
// difference of one check, `excusesThrow` an exception that xterm.js itself ended with.

import { unfoldRow } from "./rows.mjs";
import { LOST_LINK } from "./style.mjs";

export const KNOWN_DIFFERENCES = [
  {
    name: "lost link",
    reason:
      "xterm.js ties a link's target to markers on its lines and forgets it when they go, though linked cells may " +
      "have moved elsewhere. We keep the target with the cell.",
    excuses: ({ isRow, expected, actual }) => isRow && equalButForLostLinks(expected, actual),
  },
  {
    name: "erase above throws",
    reason:
      "`CSI 1 J` in the last column of the last line makes xterm.js look for a line below it, which does not exist " +
      "while the history is not full.",
    excusesThrow: (error) => error.message.includes("isWrapped"),
  },
];

function equalButForLostLinks(expected, actual) {
  const [left, right] = [unfoldRow(expected), unfoldRow(actual)];
  return (
    left.wrapped === right.wrapped &&
    left.cells.length === right.cells.length &&
    left.cells.every((cell, x) => cellEqualButForLostLink(cell, right.cells[x]))
  );
}

function cellEqualButForLostLink(expected, actual) {
  if (expected.text !== actual.text || expected.width !== actual.width) return false;
  if (expected.style === actual.style) return true;
  const head = expected.style.slice(0, -LOST_LINK.length);
  return expected.style.endsWith(LOST_LINK) && actual.style.startsWith(`${head}link=`);
}
