// Cuts a failing stream down to a minimal one that fails the same check:
// shrink.mjs --vt VT_STATE [--cut POSITION] [--out FILE] (FILE | --seed N)

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";

import { Case, runChecks } from "./checks.mjs";
import { generateStream } from "./generate.mjs";
import { printFailure } from "./report.mjs";
import { formatStream, parseStream } from "./stream.mjs";
import { describeTokens, eventsOf, tokensOf } from "./tokens.mjs";
import { VtProcess } from "./vt_process.mjs";

// The smallest list of tokens for which `fails` still holds, leaving out ever smaller pieces.
export async function shrinkList(tokens, fails) {
  for (let size = Math.ceil(tokens.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let start = 0; start < tokens.length;) {
      const candidate = tokens.toSpliced(start, size);
      if (await fails(candidate)) tokens = candidate;
      else start += size;
    }
  }
  return tokens;
}

export class Shrinker {
  #vt;
  #scratch = mkdtempSync(join(tmpdir(), "holdfast-shrink-"));

  constructor(executable) {
    this.#vt = new VtProcess(executable);
  }

  async failuresOf(testCase) {
    const file = join(this.#scratch, "head.stream");
    writeFileSync(file, formatStream(testCase.head));
    return runChecks(testCase, await this.#vt.ask(file)).failures;
  }

  // The minimal case that fails the same check as this one, or nothing if this one passes.
  async shrink(testCase) {
    const [failure] = await this.failuresOf(testCase);
    if (!failure) return undefined;
    const failsAlike = async (tokens, shape) =>
      (await this.failuresOf(caseOf(tokens, shape))).some(({ check }) => check === failure.check);
    let shape = testCase.whole;
    let tokens = tokensOf(testCase);
    for (let before = Infinity; tokens.length < before;) {
      before = tokens.length;
      tokens = await shrinkList(tokens, (candidate) => failsAlike(candidate, shape));
      shape = await this.#shrinkShape(shape, (candidate) => failsAlike(tokens, candidate));
    }
    return { testCase: caseOf(tokens, shape), tokens };
  }

  async #shrinkShape(shape, fails) {
    for (const [key, least] of [
      ["cols", 2],
      ["rows", 2],
    ]) {
      for (let value = least; value < shape[key]; value++) {
        const candidate = { ...shape, [key]: value };
        if (await fails(candidate)) {
          shape = candidate;
          break;
        }
      }
    }
    return shape;
  }

  stop() {
    this.#vt.stop();
    rmSync(this.#scratch, { recursive: true });
  }
}

function caseOf(tokens, { cols, rows, scrollback }) {
  const { events, position } = eventsOf(tokens);
  return new Case("shrunk", { cols, rows, scrollback, events }, position);
}

if (import.meta.main ?? process.argv[1] === import.meta.filename) {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      vt: { type: "string" },
      cut: { type: "string" },
      out: { type: "string" },
      seed: { type: "string" },
    },
  });
  const stream = values.seed
    ? generateStream(Number(values.seed))
    : parseStream(readFileSync(positionals[0]));
  const shrinker = new Shrinker(values.vt);
  const shrunk = await shrinker.shrink(new Case("given", stream, values.cut && Number(values.cut)));
  if (shrunk) {
    const { whole } = shrunk.testCase;
    console.log(`${whole.cols}x${whole.rows}: ${describeTokens(shrunk.tokens)}`);
    printFailure(shrunk.testCase, await shrinker.failuresOf(shrunk.testCase));
    if (values.out) writeFileSync(values.out, formatStream(whole));
  } else {
    console.log("does not fail");
  }
  shrinker.stop();
  process.exitCode = shrunk ? 1 : 0;
}
