// The four checks of README.md, on one stream cut at one position.

import { diffStates } from "./diff.mjs";
import { KNOWN_DIFFERENCES } from "./known_differences.mjs";
import { stateOf } from "./state.mjs";
import { cutStream, finalSize, outputLength } from "./stream.mjs";
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

// `answer` is what vt_state said about the head. Returns the failed checks, each {check, differences}
// or {check, error}, and the names of the known differences that were met.
export function runChecks(testCase, answer) {
  const met = new Set();
  const results = answer.error
    ? [{ check: "screen", error: answer.error }]
    : compareWithOracle(testCase, answer);
  return { failures: results.map((result) => withoutKnown(result, met)).filter(isFailure), met };
}

function compareWithOracle({ whole, head, rest, isCut }, { state, snapshot }) {
  const direct = new OracleTerminal(whole).play(head.events);
  const expected = stateOf(direct);
  const restored = new OracleTerminal({ ...finalSize(head), scrollback: whole.scrollback });
  restored.write(snapshot);
  const results = [
    { check: "screen", differences: diffStates(expected, state) },
    { check: "snapshot", differences: diffStates(expected, stateOf(restored)) },
  ];
  if (isCut) {
    const uninterrupted = new OracleTerminal(whole).play(head.events).play(rest);
    restored.play(rest);
    results.push({ check: "continue", differences: diffStates(stateOf(uninterrupted), stateOf(restored)) });
  }
  direct.write(FULL_RESET);
  direct.write(snapshot);
  results.push({ check: "resync", differences: diffStates(expected, stateOf(direct)) });
  return results;
}

function withoutKnown(result, met) {
  const differences = result.differences?.filter((difference) => {
    const known = KNOWN_DIFFERENCES.find(({ excuses }) => excuses({ check: result.check, ...difference }));
    if (known) met.add(known.name);
    return !known;
  });
  return { ...result, differences };
}

const isFailure = ({ error, differences }) => Boolean(error) || differences.length > 0;
