// What guard asks about, and what it does with the answers.

import assert from "node:assert/strict";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { dangers } from "../guard/dangers.ts";
import { notified, said, withExamples } from "./fixture.mjs";

const limit = { timeout: 120_000 };

test("dangerous commands are known, wherever they stand in the line", () => {
  const dangerous = [
    "rm -rf build",
    "rm -r -f build",
    "rm --recursive build",
    "cd /tmp && rm -Rf *",
    "true; /bin/rm -fr x",
    "echo x | xargs -n 1 rm -rf",
    "sudo -u root rm -rf /",
    "LANG=C rm -r x",
    'sh -c "rm -rf x"',
    "bash -ec 'cd x; rm -rf y'",
    "eval rm -rf x",
    "echo $(rm -rf x)",
    'echo "`rm -rf x`"',
    "if true; then rm -rf x; fi",
    "find . -name x -exec rm -rf {} +",
    "find . -delete",
    "'rm' -rf x",
    "dd if=/dev/zero of=/dev/sda",
    "mkfs.ext4 /dev/sda1",
    "shutdown -h now",
    "sudo systemctl reboot",
    "git push --force",
    "git push -f origin main",
    "git push --force-with-lease",
    "git push origin +main",
    "git reset --hard HEAD~3",
    "git clean -fdx",
    "chmod -R 777 /",
  ];
  const harmless = [
    "rm file",
    "rm -f file",
    "echo rm -rf x",
    "echo 'rm -rf x'",
    'echo "a; rm -rf x"',
    "grep -rf patterns .",
    "dd if=/dev/zero of=/dev/null",
    "git push",
    "git push --follow-tags",
    "git commit -m 'push --force'",
    "git reset file",
    "cat shutdown",
    "ls -R",
    "find . -name rm",
    "",
  ];
  for (const command of dangerous) assert.notDeepEqual(dangers(command), [], command);
  for (const command of harmless) assert.deepEqual(dangers(command), [], command);
});

test("a dangerous command runs if somebody agrees, and does not otherwise", limit, () =>
  withExamples(["guard"], async ({ daemon, connect }) => {
    const folder = join(daemon.home, "folder");
    mkdirSync(folder);
    const client = await connect();
    const title = "Run this? It removes directories and everything in them.";
    const refused = client.run("! rm -rf folder");
    const question = await client.answer(title, false);
    assert.equal(question.message, `rm -rf folder\nin ${daemon.home}`);
    assert.deepEqual(await refused, { ...(await refused), text: "Not run: nobody confirmed it.\n", exitCode: 126 });
    assert.equal(existsSync(folder), true);

    const agreed = client.run("! rm -rf folder");
    await client.answer(title, true);
    assert.equal((await agreed).exitCode, 0);
    assert.equal(existsSync(folder), false);

    // Nobody is asked about anything else.
    assert.equal((await client.run("! echo fine")).text, "fine\n");
    assert.deepEqual(client.all("ui_request"), []);
  }),
);

test("a session that holds something is left only by those who mean it", limit, () =>
  withExamples(["guard", "sandbox"], async ({ connect, run }) => {
    const client = await connect();
    await client.ask("session_create", { name: "other" });
    assert.equal((await client.run("/switch other")).session, "other");

    await notified(run("/sandbox start one"));
    const stays = client.run("/switch other", "main");
    const question = await client.answer("Leave main for other?", false);
    assert.equal(question.message, "It still holds: sandbox one");
    assert.match((await stays).error, /main holds sandbox one/);
    const leaves = client.run("/switch other", "main");
    await client.answer("Leave main for other?", true);
    assert.equal((await leaves).session, "other");

    await notified(run("/sandbox stop one"));
    assert.equal((await client.run("/switch other", "main")).session, "other");
    assert.equal(await said(run("/sandbox list")), "No sandboxes registered\n");
  }),
);

test("what the guard lets through goes where another extension routes it", limit, () =>
  withExamples(["guard", "sandbox"], async ({ connect, run }) => {
    await notified(run("/sandbox start one"));
    await notified(run("/sandbox attach one"));
    const client = await connect();
    assert.equal((await client.run("! mkdir folder && ls")).text, "folder\n");
    const agreed = client.run("! rm -rf folder; uname -n; ls");
    await client.answer("Run this? It removes directories and everything in them.", true);
    assert.equal((await agreed).text, "one\n");
  }),
);
