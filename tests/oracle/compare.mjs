// Compares our screen with xterm.js over streams. The command line is in README.md.

import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { parseArgs } from "node:util";

import { Case, runChecks } from "./checks.mjs";
import { generateStream } from "./generate.mjs";
import { Random } from "./random.mjs";
import { printFailure, printSummary } from "./report.mjs";
import { formatStream, outputLength, parseStream } from "./stream.mjs";
import { VtProcess } from "./vt_process.mjs";

const RECORDINGS = join(import.meta.dirname, "streams");
const CUTS_PER_RECORDING = 8;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    vt: { type: "string" },
    generated: { type: "string" },
    seed: { type: "string", default: "1" },
    show: { type: "string", default: "5" },
    "as-is": { type: "boolean", default: false },
  },
});

if (!values.vt) {
  console.error(
    "usage: compare.mjs --vt VT_STATE [--generated COUNT [--seed N]] [--show FAILURES] [--as-is] [FILE...]",
  );
  process.exit(2);
}
process.exitCode = await compareAll(values.generated ? generatedCases() : recordedCases());

async function compareAll(cases) {
  const vt = new VtProcess(values.vt);
  const scratch = mkdtempSync(join(tmpdir(), "holdfast-oracle-"));
  const file = join(scratch, "head.stream");
  const tally = { passed: 0, failed: 0, checks: {}, known: {} };
  try {
    for (const testCase of cases) {
      writeFileSync(file, formatStream(testCase.head));
      const { failures, met } = runChecks(testCase, await vt.ask(file), { amended: !values["as-is"] });
      tally[failures.length > 0 ? "failed" : "passed"]++;
      for (const { check } of failures) tally.checks[check] = (tally.checks[check] ?? 0) + 1;
      for (const name of met) tally.known[name] = (tally.known[name] ?? 0) + 1;
      if (failures.length > 0 && tally.failed <= Number(values.show)) printFailure(testCase, failures);
    }
  } finally {
    vt.stop();
    rmSync(scratch, { recursive: true });
  }
  printSummary(tally);
  return tally.failed > 0 || tally.passed === 0 ? 1 : 0;
}

function* recordedCases() {
  const files =
    positionals.length > 0
      ? positionals
      : readdirSync(RECORDINGS)
          .sort()
          .map((name) => join(RECORDINGS, name));
  for (const file of files) {
    const stream = parseStream(readFileSync(file));
    const length = outputLength(stream);
    for (let cut = 1; cut <= CUTS_PER_RECORDING; cut++) {
      yield new Case(basename(file), stream, Math.floor((length * cut) / (CUTS_PER_RECORDING + 1)));
    }
    yield new Case(basename(file), stream);
  }
}

function* generatedCases() {
  const first = Number(values.seed);
  for (let seed = first; seed < first + Number(values.generated); seed++) {
    const stream = generateStream(seed);
    yield new Case(`seed ${seed}`, stream);
    yield new Case(`seed ${seed}`, stream, new Random(seed).integer(0, outputLength(stream)));
  }
}
