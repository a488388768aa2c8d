// The six checks of README.md, on one stream cut at one position.

import { diffStates } from "./diff.mjs";
import { KNOWN_DIFFERENCES } from "./known_differences.mjs";
import { unfoldRow } from "./rows.mjs";
import { stateOf } from "./state.mjs";
import { cutStream, finalSize, outputLength, widthChanges } from "./stream.mjs";
import { OracleTerminal } from "./terminal.mjs";

const FULL_RESET = "\x1bc";

// A stream cut after `position` bytes of output; without a position, the whole stream.
export class Case {
  constructor(name, stream, position = outputLength(stream)) {
    this.whole = stream;
    this.isCut = position < outputLength(stream);
    this.name = this.isCut ? `${name} cut at ${position}` : name;
    const { head, rest } = this.isCut ? cutStream(stream, position) : { head: stream, rest: [] };
    this.head = head;
    this.rest = rest;
  }
}

// `answer` is what vt_state said about the head. Returns the failed checks, each {check, differences} or
// {check, error}, and the names of the known differences that were met. With `amended: false` the oracle
// is xterm.js as it is.
export function runChecks(testCase, answer, { amended = true } = {}) {
  const met = new Set();
  const results = consultOracle(testCase, answer, amended);
  return { failures: results.map((result) => withoutKnown(result, met)).filter(isFailure), met };
}

function consultOracle(testCase, answer, amended) {
  if (answer.error) return [{ check: "screen", error: answer.error }];
  try {
    return compareWithOracle(testCase, answer, amended);
  } catch (error) {
    return [{ check: "screen", error: `xterm.js threw: ${error.message}` }];
  }
}

function compareWithOracle({ whole, head, rest, isCut }, { state, snapshot, sent }, amended) {
  const open = ({ cols, rows }) => new OracleTerminal({ cols, rows, amended });
  const direct = open(whole).play(head.events);
  const expected = stateOf(direct);
  const restored = open(finalSize(head));
  restored.write(snapshot);
  const viewer = open(whole).play(sent.events);
  const results = [
    compare("screen", head, expected, state),
    compare("snapshot", head, expected, stateOf(restored)),
    compare("sent", head, expected, stateOf(viewer)),
    checkHarmless(sent),
  ];
  if (isCut) {
    const uninterrupted = open(whole).play(head.events).play(rest);
    restored.play(rest);
    results.push(compare("continue", whole, stateOf(uninterrupted), stateOf(restored)));
  }
  direct.write(FULL_RESET);
  direct.write(snapshot);
  results.push(compare("resync", head, expected, stateOf(direct)));
  return results;
}

// Plain xterm.js, which other people's pages use: it gets no queries, and does not throw.
function checkHarmless(sent) {
  const check = "harmless";
  try {
    const { answers } = new OracleTerminal({ ...sent, amended: false }).play(sent.events);
    return { check, differences: diffStates([], answers) };
  } catch (error) {
    return { check, error: `xterm.js threw: ${error.message}` };
  }
}

const compare = (check, stream, expected, actual) => ({
  check,
  differences: diffStates(expected, actual),
  isFoldedAgain: widthChanges(stream).length > 1,
  mayShowOtherText: isWrittenToAfter(stream, widthChanges(stream)[1]),
  showsSameText: lettersOf(expected.primary) === lettersOf(actual.primary),
});

const isWrittenToAfter = ({ events }, index) => events.slice(index).some(({ output }) => output);

// The letters of history and screen, in order.
function lettersOf({ scrollback, screen }) {
  const cells = [...scrollback, ...screen].flatMap((row) => unfoldRow(row).cells);
  return cells.map(({ text }) => text.replaceAll(/[^a-z]/g, "")).join("");
}

function withoutKnown({ differences: all, ...result }, met) {
  const differences = all?.filter((difference) => {
    const known = KNOWN_DIFFERENCES.find(({ excuses }) => excuses({ ...result, ...difference }));
    if (known) met.add(known.name);
    return !known;
  });
  return { ...result, differences };
}

const isFailure = ({ error, differences }) => Boolean(error) || differences.length > 0;
