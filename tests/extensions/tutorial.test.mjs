// docs/extension-tutorial.md, done as it says: each block of shell is run, each file is written, and
// what comes of it type-checks.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import test from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import { limit, withDaemon } from "./fixture.mjs";

const execute = promisify(execFile);
const root = fileURLToPath(new URL("../../", import.meta.url));
const runner = join(root, "runner/node_modules");

// [how it is marked, its text] of each block.
const blocksOf = (page) => [...page.matchAll(/^```(\S[^\n]*)\n(.*?)^```$/gms)].map(([, mark, text]) => [mark, text]);

test("the tutorial works as it stands", { timeout: 300_000 }, () =>
  withDaemon({}, async (daemon) => {
    const env = { ...daemon.environment, PATH: [dirname(daemon.program), dirname(process.execPath), process.env.PATH].join(":") };
    const folder = join(daemon.home, ".config/holdfast/extensions/greeter");
    let said = "";
    const blocks = blocksOf(readFileSync(join(root, "docs/extension-tutorial.md"), "utf8"));
    assert.ok(blocks.length > 8, `${blocks.length} blocks`);
    for (const [mark, text] of blocks) {
      const file = /^ts file=(\S+)$/.exec(mark)?.[1];
      if (file) {
        writeFileSync(join(folder, file), text);
        continue;
      }
      assert.equal(mark, "sh");
      const { stdout } = await execute("bash", ["-ec", text], { env, cwd: daemon.home }).catch((error) => {
        throw new Error(`${text}\n${error.stdout}\n${error.stderr}`);
      });
      said += stdout;
    }
    assert.match(said, /^Hello Ada$/m);
    const passed = [...said.matchAll(/^. pass (\d+)$/gm)].map(([, count]) => Number(count));
    assert.deepEqual(passed, [1, 2, 4]);
    const types = ["--typeRoots", join(runner, "@types")];
    await execute(join(runner, ".bin/tsc"), ["-p", folder, ...types]).catch(({ stdout }) => assert.fail(stdout));
  }),
);

test("what cannot be an extension, or be tested, is said", limit, () =>
  withDaemon({}, async (daemon) => {
    const extension = (...words) => daemon.shell("extension", ...words);
    assert.equal((await extension("new", "one")).code, 0);
    assert.match((await extension("new", "one")).stderr, /exists already/);
    assert.match((await extension("new", "One Two")).stderr, /cannot be an extension's name/);
    assert.match((await extension("test", daemon.home)).stderr, /there are no tests in/);
  }),
);

test("a test that fails, and an extension that does not load, fail the command", limit, () =>
  withDaemon({}, async (daemon) => {
    await daemon.shell("extension", "new", "one");
    const path = join(daemon.home, ".config/holdfast/extensions/one/index.ts");
    const code = readFileSync(path, "utf8");
    writeFileSync(path, code.replace("Hello", "Goodbye"));
    const failed = await daemon.shell("extension", "test", "one");
    assert.equal(failed.code, 1);
    assert.match(failed.stdout, /Goodbye Ada/);
    writeFileSync(path, "export default () => { throw new Error('oops'); }");
    const broken = await daemon.shell("extension", "test", "one");
    assert.equal(broken.code, 1);
    assert.match(broken.stdout, /oops/);
  }),
);
