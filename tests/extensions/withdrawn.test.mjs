// A request does not start if its credential is revoked first.

import assert from "node:assert/strict";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { limit, until, withDaemon } from "./fixture.mjs";

// Delays every command and terminal until the file `go` exists.
const slow = `
  import { existsSync, writeFileSync } from "node:fs";
  const home = process.env.HOME;
  export default function (api) {
    const wait = async () => {
      writeFileSync(home + "/asked", "");
      while (!existsSync(home + "/go")) await new Promise((resolve) => setTimeout(resolve, 20));
      writeFileSync(home + "/decided", "");
    };
    api.on("user_bash", wait);
    api.on("terminal_before_create", wait);
  }
`;

for (const [what, ask] of [
  ["a shell command", (client, home) => client.ask("run", { session: "main", line: `! touch ${home}/done` })],
  ["a terminal", (client, home) => client.ask("create", { terminalId: "late", command: ["/bin/sh", "-c", `touch ${home}/done; sleep 100`] })],
])
  test(`${what} that waits for an extension`, limit, () =>
    withDaemon({ slow }, async (daemon, connect) => {
      const made = await daemon.shell("token", "new", "--user", "default");
      const client = await connect("main", made.stdout.trim());
      await client.ok("/help"); // The answer comes when the extension is loaded.
      const asked = ask(client, daemon.home).catch(() => {});
      await until(() => existsSync(join(daemon.home, "asked")), "the extension to be asked");
      const { stdout } = await daemon.shell("token", "list");
      assert.equal((await daemon.shell("token", "revoke", stdout.split("\t")[0])).code, 0);
      await until(() => client.closed, "the connection to end");
      writeFileSync(join(daemon.home, "go"), "");
      await until(() => existsSync(join(daemon.home, "decided")), "the extension to decide");
      await asked;
      // The same worker decides this after it.
      const other = await connect();
      await other.ok("! true");
      assert.equal(existsSync(join(daemon.home, "done")), false, "it was begun");
      assert.deepEqual((await other.ask("list")).terminals, []);
    }),
  );
