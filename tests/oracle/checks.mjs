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

// `answer` is what vt_state said about the head. Returns the failed checks, each {check, differences} or {check, error}, and
// the names of the known differences that were met.
export function runChecks(testCase, answer) {
  const met = new Set();
  const oracle = consultOracle(testCase, met);
  const results = oracle ? compareWith(oracle, testCase, answer) : [];
  return { failures: results.map((result) => withoutKnown(result, met)).filter(isFailure), met };
}

// What xterm.js makes of the head and of the whole stream; nothing if it fails in a known way.
function consultOracle({ whole, head, rest }, met) {
  try {
    const direct = new OracleTerminal(whole).play(head.events);
    const uninterrupted = new OracleTerminal(whole).play(head.events).play(rest);
    return { direct, afterHead: stateOf(direct), afterWhole: stateOf(uninterrupted) };
  } catch (error) {
    const known = KNOWN_DIFFERENCES.find(({ excusesThrow }) => excusesThrow?.(error));
    if (!known) throw error;
    met.add(known.name);
    return undefined;
  }
}

function compareWith({ direct, afterHead, afterWhole }, { whole, head, rest, isCut }, answer) {
  if (answer.error) return [{ check: "screen", error: answer.error }];
  const restored = new OracleTerminal({ ...finalSize(head), scrollback: whole.scrollback });
  restored.write(answer.snapshot);
  const results = [
    { check: "screen", differences: diffStates(afterHead, answer.state) },
    { check: "snapshot", differences: diffStates(afterHead, stateOf(restored)) },
  ];
  if (isCut) {
    restored.play(rest);
    results.push({ check: "continue", differences: diffStates(afterWhole, stateOf(restored)) });
  }
  direct.write(FULL_RESET);
  direct.write(answer.snapshot);
  results.push({ check: "resync", differences: diffStates(afterHead, stateOf(direct)) });
  return results;
}

function withoutKnown(result, met) {
  const differences = result.differences?.filter((difference) => {
    const known = KNOWN_DIFFERENCES.find(({ excuses }) => excuses?.(difference));
    if (known) met.add(known.name);
    return !known;
  });
  return { ...result, differences };
}

const isFailure = ({ error, differences }) => Boolean(error) || differences.length > 0;
