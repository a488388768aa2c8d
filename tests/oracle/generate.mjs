// Makes hostile streams from a seed: generate.mjs [--seed N] [--count N] DIRECTORY
//
// A stream uses a few families of sequences heavily and the others rarely, on a small screen, so that
// rare states meet (margins, pending wrap, wide characters at the edge, the alternate screen, resizes)
// instead of drowning each other.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";

import { FAMILIES } from "./families.mjs";
import { Random } from "./random.mjs";
import { formatStream } from "./stream.mjs";

const NAMES = Object.keys(FAMILIES);
const HISTORY = 1000;
const ALWAYS = ["word", "mixedText", "edge"];

export function generateStream(seed) {
  const random = new Random(seed);
  const size = randomSize(random);
  const favourites = [...ALWAYS, ...random.sample(NAMES, random.integer(2, 6))];
  const resizeChance = random.pick([0, 0, 0.02, 0.1]);
  const stream = { ...size, scrollback: HISTORY, events: [] };
  let now = size;
  let pieces = "";
  for (let left = random.integer(5, 80); left > 0; left--) {
    if (random.chance(resizeChance)) {
      pushOutput(stream, pieces, random);
      pieces = "";
      now = neighbourSize(random, now);
      stream.events.push({ ...now });
    }
    const name = random.chance(0.85) ? random.pick(favourites) : random.pick(NAMES);
    pieces += FAMILIES[name](random, now);
  }
  pushOutput(stream, pieces, random);
  return stream;
}

// Never one row: a line that left such a screen cannot be touched again, so some wrap flags of its
// history cannot be rebuilt.
function randomSize(random) {
  if (random.chance(0.1)) return { cols: 80, rows: 24 };
  return { cols: random.integer(2, 20), rows: random.integer(2, 8) };
}

function neighbourSize(random, { cols, rows }) {
  if (random.chance(0.3)) return randomSize(random);
  return {
    cols: Math.max(2, cols + random.integer(-4, 4)),
    rows: Math.max(2, rows + random.integer(-3, 3)),
  };
}

// Cuts the output anywhere, also within a sequence or a character.
function pushOutput(stream, text, random) {
  let bytes = Buffer.from(text);
  if (random.chance(0.05)) bytes = spoil(bytes, random);
  while (bytes.length > 0) {
    const length = random.chance(0.5) ? bytes.length : random.integer(1, bytes.length);
    stream.events.push({ output: bytes.subarray(0, length) });
    bytes = bytes.subarray(length);
  }
}

// Bytes that are not valid UTF-8.
function spoil(bytes, random) {
  const at = random.integer(0, bytes.length);
  const rubbish = random.pick([
    [0xff],
    [0xc3],
    [0xe6, 0x97],
    [0xc0, 0x80],
    [0xed, 0xa0, 0x80],
    [0xf5, 0x80, 0x80, 0x80],
    [0x9b],
    [0xef, 0xbb, 0xbf],
  ]);
  return Buffer.concat([bytes.subarray(0, at), Buffer.from(rubbish), bytes.subarray(at)]);
}

if (import.meta.main ?? process.argv[1] === import.meta.filename) {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { seed: { type: "string", default: "1" }, count: { type: "string", default: "100" } },
  });
  const [directory] = positionals;
  mkdirSync(directory, { recursive: true });
  for (let index = 0; index < Number(values.count); index++) {
    const seed = Number(values.seed) + index;
    writeFileSync(join(directory, `${seed}.stream`), formatStream(generateStream(seed)));
  }
}
