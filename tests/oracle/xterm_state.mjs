// Prints xterm.js's state after a stream, or after a snapshot. The command line is in README.md.

import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";

import { stateOf } from "./state.mjs";
import { finalSize, parseStream } from "./stream.mjs";
import { OracleTerminal } from "./terminal.mjs";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    batch: { type: "boolean" },
    snapshot: { type: "string" },
    "as-is": { type: "boolean" },
  },
});

if (values.batch) {
  for await (const file of createInterface({ input: process.stdin })) console.log(reply(file));
} else if (positionals.length === 1) {
  console.log(JSON.stringify(stateAfter(positionals[0])));
} else {
  console.error("usage: xterm_state.mjs [--as-is] ([--snapshot SNAPSHOT] FILE | --batch)");
  process.exitCode = 2;
}

function reply(file) {
  try {
    return JSON.stringify({ state: stateAfter(file) });
  } catch (error) {
    return JSON.stringify({ error: `${file}: ${error.message}` });
  }
}

function stateAfter(file) {
  const stream = parseStream(readFileSync(file));
  const size = values.snapshot ? finalSize(stream) : stream;
  const terminal = new OracleTerminal({ ...size, amended: !values["as-is"] });
  if (values.snapshot) terminal.write(readFileSync(values.snapshot));
  else terminal.play(stream.events);
  const state = stateOf(terminal);
  terminal.dispose();
  return state;
}
