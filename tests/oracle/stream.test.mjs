import assert from "node:assert/strict";
import { test } from "node:test";

import { cutStream, finalSize, formatStream, outputLength, parseStream } from "./stream.mjs";

const EXAMPLE = Buffer.from(
  "holdfast-stream 1 10 3 100\noutput 4\nhi\r\n\nresize 12 3\noutput 7\n\x1b[31mé\n",
);

test("the worked example of the format", () => {
  const stream = parseStream(EXAMPLE);
  assert.deepEqual(stream, {
    cols: 10,
    rows: 3,
    scrollback: 100,
    events: [{ output: Buffer.from("hi\r\n") }, { cols: 12, rows: 3 }, { output: Buffer.from("\x1b[31mé") }],
  });
  assert.deepEqual(formatStream(stream), EXAMPLE);
  assert.deepEqual(finalSize(stream), { cols: 12, rows: 3 });
  assert.equal(outputLength(stream), 11);
});

test("output may hold any byte, and what looks like a record", () => {
  const output = Buffer.concat([
    Buffer.from("resize 5 5\noutput 1\n"),
    Buffer.from(Array.from({ length: 256 }, (_, byte) => byte)),
  ]);
  const stream = { cols: 2, rows: 1, scrollback: 0, events: [{ output }] };
  assert.deepEqual(parseStream(formatStream(stream)), stream);
});

for (const [what, text, message] of [
  ["an empty file", "", /a line that ends with LF at byte 0/],
  ["another format", "something 1 80 24 0\n", /the header .* at byte 0/],
  ["a width that xterm.js does not have", "holdfast-stream 1 1 24 0\n", /cols from 2 to 500 at byte 0/],
  [
    "an unknown record",
    "holdfast-stream 1 80 24 0\nrename x\n",
    /`output N` or `resize COLS ROWS` at byte 26/,
  ],
  ["output that ends early", "holdfast-stream 1 80 24 0\noutput 4\nabc\n", /4 bytes and LF at byte 35/],
  ["output without its LF", "holdfast-stream 1 80 24 0\noutput 2\nabc\n", /LF after the output at byte 37/],
]) {
  test(`refuses ${what}`, () => assert.throws(() => parseStream(Buffer.from(text)), message));
}

test("a cut splits an output event, and leaves a resize at the cut to the rest", () => {
  const stream = parseStream(EXAMPLE);
  for (let position = 0; position <= 11; position++) {
    const { head, rest } = cutStream(stream, position);
    assert.equal(outputLength(head), position);
    assert.equal(outputLength({ events: rest }), 11 - position);
  }
  assert.deepEqual(cutStream(stream, 4).rest[0], { cols: 12, rows: 3 });
  assert.deepEqual(cutStream(stream, 2).head.events, [{ output: Buffer.from("hi") }]);
});
