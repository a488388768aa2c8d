// Examples that guard shell commands refuse them while the extension does not run.

import assert from "node:assert/strict";
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { killRunner, said, withExamples } from "./fixture.mjs";

for (const name of ["guard", "sandbox", "vms"])
  test(`without ${name}, which must decide, no shell command runs`, { timeout: 120_000 }, () =>
    withExamples([name], async ({ daemon, extensions, run }) => {
      assert.equal(await said(run("! echo fine")), "fine\n");
      appendFileSync(join(extensions, name, "index.ts"), "\n}}} broken\n");
      await killRunner(daemon);
      const { code, stdout, stderr } = await run("! echo not this");
      assert.notEqual(code, 0);
      assert.equal(stdout, "");
      // A command that arrives just after the runner died gets no answer either.
      assert.match(
        stderr,
        new RegExp(
          `${name} must decide about this command and gave no answer: (it is not running|the extension runner does not answer)`,
        ),
      );
      await said(run(`/disable ${name}`));
      assert.equal(await said(run("! echo without it")), "without it\n");
    }),
  );
