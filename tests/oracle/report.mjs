// The report for people: the first differences of a failed case, and a summary line.

const DIFFERENCES_SHOWN = 4;
const VALUE_LENGTH = 400;

const SIDES = {
  screen: ["xterm.js", "vt"],
  snapshot: ["xterm.js", "xterm.js through the snapshot"],
  sent: ["xterm.js", "xterm.js that was sent the stream with its edits"],
  harmless: ["nothing", "answered by xterm.js"],
  resync: ["xterm.js", "xterm.js after reset and snapshot"],
  continue: ["xterm.js", "xterm.js through the snapshot, then the rest"],
};

export function printFailure(testCase, failures) {
  for (const { check, error, differences } of failures) {
    console.log(`FAILED ${testCase.name}: ${check}${error ? `: ${error}` : ""}`);
    if (!error) printDifferences(differences, ...SIDES[check]);
  }
}

export function printSummary({ passed, failed, checks, known }) {
  for (const [name, count] of Object.entries(known))
    console.log(`known difference met: ${name} (${count} cases)`);
  for (const [check, count] of Object.entries(checks)) console.log(`failed check: ${check} (${count} cases)`);
  console.log(`${passed} passed, ${failed} failed`);
}

function printDifferences(differences, expectedName, actualName) {
  for (const { path, expected, actual } of differences.slice(0, DIFFERENCES_SHOWN)) {
    console.log(`  ${path}`);
    console.log(`    ${expectedName}: ${shorten(expected)}`);
    console.log(`    ${actualName}: ${shorten(actual)}`);
  }
  const more = differences.length - DIFFERENCES_SHOWN;
  if (more > 0) console.log(`  … and ${more} more`);
}

function shorten(value) {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > VALUE_LENGTH ? `${text.slice(0, VALUE_LENGTH)}…` : text;
}
