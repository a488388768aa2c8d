#!/usr/bin/env node
// Stands in for vt_state in the oracle's own tests: xterm.js answers, and the snapshot of a stream
// without resizes is its output itself. With FAULT in the environment the answer has that bug.

import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";

import { stateOf } from "../state.mjs";
import { formatStream, parseStream } from "../stream.mjs";
import { OracleTerminal } from "../terminal.mjs";

const FAULTS = {
  "bold in a cell": ({ state }) => {
    const run = state.primary.screen[0][0];
    if (run) run[1] = "bold";
  },
  "cursor mode": ({ state }) => (state.modes.cursorVisible = !state.modes.cursorVisible),
  "snapshot forgets the last byte": (answer) => (answer.snapshot = answer.snapshot.slice(0, -2)),
  "a query is sent": (answer) => (answer.sent += Buffer.from("output 4\n\x1b[6n\n").toString("hex")),
  "something is not sent": (answer) => (answer.sent = formatStream({ ...parseStream(Buffer.from(answer.sent, "hex")), events: [] }).toString("hex")),
  crash: () => process.exit(7),
};

for await (const file of createInterface({ input: process.stdin })) {
  const stream = parseStream(readFileSync(file));
  const output = Buffer.concat(stream.events.map((event) => event.output));
  const answer = {
    state: stateOf(new OracleTerminal(stream).play(stream.events)),
    snapshot: output.toString("hex"),
    sent: formatStream(stream).toString("hex"),
  };
  FAULTS[process.env.FAULT]?.(answer);
  console.log(JSON.stringify(answer));
}
