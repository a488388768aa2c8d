// Extensions that must decide: whatever happens to them, what they did not decide does not happen,
// and the user is told which extension it was and why.

import assert from "node:assert/strict";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { limit, logged, Native, theRunner, until, withDaemon } from "./fixture.mjs";

// A guard reads from a file what to do, each time it is asked.
const guard = `
  import { readFileSync } from "node:fs";
  export default (pi, session) => {
    const deed = () => { try { return readFileSync(session.cwd + "/deed", "utf8"); } catch { return ""; } };
    const decide = async (event, ctx) => {
      const what = deed();
      if (what === "throw") throw new Error("the guard is broken");
      if (what === "slow") return new Promise(() => {});
      if (what === "loop") for (;;);
      if (what === "exit") process.exit(3);
      if (what === "nonsense") return { maybe: true };
      if (what === "ask") return (await ctx.ui.confirm("Sure?")) ? undefined : { result: { output: "no", exitCode: 1 } };
    };
    pi.on("user_bash", decide, { mustDecide: true });
    pi.on("terminal_before_create", decide, { mustDecide: true });
    pi.on("session_before_switch", decide, { mustDecide: true });
    pi.registerCommand("exit", { handler: () => process.exit(3) });
  };`;
const harmless = `export default (pi) => pi.registerCommand("hello", { handler: () => "hello" });`;

const does = (daemon, deed) => writeFileSync(join(daemon.home, "deed"), deed);

// Nothing that the guard must decide happens: a shell command, a terminal, leaving the session.
async function refuses(daemon, client, reason) {
  const marker = join(daemon.home, `ran-${Math.random()}`);
  const shell = await client.run(`! touch ${marker}`);
  assert.match(shell.error, /^guard must decide about this command and gave no answer: /);
  assert.match(shell.error, reason);
  assert.match(shell.error, /The command was not run.*\/reload.*\/disable guard/);
  assert.equal(existsSync(marker), false);
  await refusesTheRest(client, marker, reason);
}

async function refusesTheRest(client, marker, reason) {
  await assert.rejects(client.ask("create", { command: ["touch", marker] }), (error) => {
    assert.match(error.message, /^guard must decide about this terminal and gave no answer: .*The terminal was not created/);
    assert.match(error.message, reason);
    return true;
  });
  assert.equal(existsSync(marker), false);
  const leaving = await client.run("/switch other", "main");
  assert.match(leaving.error, /^guard must decide about leaving this session and gave no answer: /);
  assert.match(leaving.error, reason);
}

async function allows(client) {
  assert.equal(await client.ok("! echo fine"), "fine\n");
  const { terminal } = await client.ask("create", { command: ["true"] });
  assert.ok(terminal.terminalId);
  assert.equal((await client.run("/switch other", "main")).session, "other");
}

async function withGuard(use, options) {
  await withDaemon({ guard, harmless }, async (daemon, connect) => {
    const client = await connect();
    await client.ask("session_create", { name: "other" });
    await allows(client);
    await use(daemon, client, connect);
  }, options);
}

for (const [deed, reason] of [["throw", /it failed at .*guard\.ts:\d+:\d+: Error: the guard is broken/], ["nonsense", /its answer is invalid/]])
  test(`a guard that must decide refuses when its answer is: ${deed}`, limit, () =>
    withGuard(async (daemon, client) => {
      does(daemon, deed);
      await refuses(daemon, client, reason);
      assert.ok(logged(daemon, "guard").some(([, event, detail]) => event === "refused" && reason.test(detail)));
      does(daemon, "");
      await allows(client);
    }));

test("a guard that takes its time refuses, and a shell command waits for it until it is cancelled", limit, () =>
  withGuard(async (daemon, client) => {
    does(daemon, "slow");
    const marker = join(daemon.home, "ran");
    const { request, answer } = client.begin("run", { session: client.session, line: `! touch ${marker}` });
    await refusesTheRest(client, marker, /it took longer than 5 s/);
    client.tell("cancel", { request });
    assert.match((await answer).error, /was cancelled before it ran/);
    assert.equal(existsSync(marker), false);
    does(daemon, "");
    await allows(client);
  }));

test("a guard that blocks its worker refuses", limit, () =>
  withGuard(async (daemon, client) => {
    does(daemon, "loop");
    assert.match((await client.run("! true")).error, /^guard must decide about this command and gave no answer: the worker of session .* has ended \(stuck\)/);
    does(daemon, "");
    await client.note(/Restarting extensions/);
    await allows(client);
  }, { args: ["--extension-stuck-after", "3"] }));

// It has never run, so it has declared nothing. Its text tells what it would decide.
test("an extension that has never loaded, and would run shell commands, refuses them", limit, async () => {
  const routes = `import { VM } from "a-package-that-is-not-installed";
    export default (pi) => pi.on("user_bash", () => ({ operations: VM.operations }));`;
  await withDaemon({ routes }, async (daemon, connect) => {
    const client = await connect();
    const refused = /^routes must decide about this command and gave no answer: it is not running .*a-package-that-is-not-installed/;
    assert.match((await client.run("! echo outside")).error, refused);
    await daemon.kill();
    await daemon.run();
    const again = await connect();
    assert.match((await again.run("! echo outside")).error, /^routes must decide about this command and gave no answer: it is not running/);
    daemon.extension("routes", "export default (pi) => pi.registerCommand('x', { handler: () => 'x' });");
    await again.ok("/reload");
    assert.equal((await again.run("! echo outside")).text, "outside\n");
  });
});

test("a guard that ends its worker over the question refuses", limit, () =>
  withGuard(async (daemon, client) => {
    does(daemon, "exit");
    assert.match((await client.run("! true")).error, /^guard must decide about this command and gave no answer: the worker of session .* has ended \(exit\)/);
    does(daemon, "");
    await client.note(/Restarting extensions/);
    await allows(client);
  }));

test("a guard whose worker has died too often refuses, until it is mended or turned off", limit, () =>
  withGuard(async (daemon, client, connect) => {
    for (let n = 0; n < 4; n += 1) {
      client.forget();
      await client.run("/exit");
      await client.note(/(Restarting extensions: exit.*, by guard$)|(^guard is disabled)/, 20_000);
    }
    await refuses(daemon, client, /it is not running \(disabled after three restarts within five minutes/);
    assert.equal(await client.ok("/hello"), "hello");

    // The next daemon knows it from the database. The runner has only the other extension.
    await daemon.kill();
    await daemon.run();
    const again = await connect();
    assert.equal(await again.ok("/hello"), "hello");
    await refuses(daemon, again, /it is not running \(it was not running when this daemon started\)/);

    assert.equal(await again.ok("/disable guard"), "guard is off until the next /reload.");
    await allows(again);
    await again.ok("/reload");
    await allows(again);
    does(daemon, "throw");
    await refuses(daemon, again, /the guard is broken/);
  }));

test("while the runner is killed nothing passes a guard, and when it cannot come back all is refused", limit, () =>
  withGuard(async (daemon, client) => {
    for (let n = 0; n < 4; n += 1) {
      does(daemon, n % 2 ? "throw" : "ask");
      client.forget();
      const marker = join(daemon.home, `marker-${n}`);
      const running = client.run(`! touch ${marker}`);
      if (n % 2 === 0) await client.event("ui_request");
      const runner = await theRunner(daemon);
      process.kill(runner, "SIGKILL");
      const creating = client.ask("create", { command: ["touch", marker] }).then(() => "made", ({ message }) => message);
      await client.note(/(Restarting extensions)|(Extensions are disabled)/, 20_000);
      does(daemon, "throw");
      assert.match((await running).error, /^guard must decide about this command and gave no answer/);
      assert.match(await creating, /^guard must decide about this terminal and gave no answer/);
      assert.equal(existsSync(marker), false);
    }
    await refuses(daemon, client, /it is not running \(crashed/);
    does(daemon, "");
    await client.ok("/reload");
    await allows(client);
  }));

test("a guard that is broken by an edit refuses once its old code is gone, in new sessions and after restarts too", limit, () =>
  withGuard(async (daemon, client, connect) => {
    daemon.extension("guard", `${guard}\n}}} broken`);
    assert.match((await client.run("/reload")).error, /guard.*the previous code keeps running/s);
    await allows(client);

    // Another session has no previous code.
    await client.ask("session_create", { name: "fresh" });
    const fresh = await connect("fresh");
    await refusesShell(fresh, /it is not running \(.*guard\.ts/);

    // Nor has this one after the runner died.
    const runner = await theRunner(daemon);
    process.kill(runner, "SIGKILL");
    await client.note(/Restarting extensions/, 20_000);
    await refuses(daemon, client, /it is not running \(.*guard\.ts/);

    // Nor after everything was ended.
    await daemon.kill("SIGTERM");
    await daemon.killKeeper();
    await daemon.run();
    const again = await connect();
    await refuses(daemon, again, /it is not running \(.*guard\.ts/);

    // Code that does not declare it need not decide, and neither does a removed extension.
    daemon.extension("guard", harmless.replace("hello", "none"));
    await again.ok("/reload");
    await allows(again);
    daemon.extension("guard", guard);
    await again.ok("/reload");
    does(daemon, "throw");
    await refuses(daemon, again, /the guard is broken/);
    daemon.removeExtension("guard");
    await again.ok("/reload");
    await allows(again);
  }));

async function refusesShell(client, reason) {
  const { error } = await client.run("! true");
  assert.match(error, /^guard must decide about this command and gave no answer: /);
  assert.match(error, reason);
}

test("right after the start nothing passes a guard that is not there yet", limit, () =>
  withGuard(async (daemon, client) => {
    does(daemon, "throw");
    for (let n = 0; n < 3; n += 1) {
      await daemon.kill("SIGTERM");
      await daemon.killKeeper();
      await daemon.run();
      const first = await Native.connect(daemon, null);
      const marker = join(daemon.home, `early-${n}`);
      const [shell, terminal] = await Promise.all([first.run(`! touch ${marker}`, "main"), first.ask("create", { command: ["touch", marker] }).then(() => "made", ({ message }) => message)]);
      first.close();
      assert.match(shell.error, /the guard is broken/);
      assert.match(terminal, /the guard is broken/);
      assert.equal(existsSync(marker), false);
    }
  }));

test("a guard that was turned off while it ran has no say, and the others go on", limit, () =>
  withGuard(async (daemon, client) => {
    does(daemon, "throw");
    await refuses(daemon, client, /the guard is broken/);
    assert.equal(await client.ok("/disable guard"), "guard is off until the next /reload.");
    assert.match(await client.ok("/help"), /guard \(disabled\)\n    turned off; \/reload turns it on again/);
    await allows(client);
    assert.equal(await client.ok("/hello"), "hello");
    assert.match((await client.run("/disable nobody")).error, /there is no extension nobody/);
    await client.ok("/reload");
    await refuses(daemon, client, /the guard is broken/);
  }));

test("one that does not have to decide is still passed over", limit, async () => {
  const careless = guard.replaceAll("mustDecide: true", "mustDecide: false");
  await withDaemon({ guard: careless }, async (daemon, connect) => {
    const client = await connect();
    await client.ask("session_create", { name: "other" });
    for (const deed of ["throw", "nonsense"]) {
      does(daemon, deed);
      await allows(client);
    }
  });
});

test("whoever takes their time over a guard's question is not taken for late", limit, () =>
  withGuard(async (daemon, client) => {
    does(daemon, "ask");
    const began = performance.now();
    const running = client.run("! echo agreed");
    const { id } = await client.event("ui_request", ({ title }) => title === "Sure?");
    // The handler gets its full time after the answer, whenever that comes.
    await until(() => performance.now() > began + 5_900, "most of the time to pass");
    client.tell("ui_answer", { id, value: true });
    assert.equal((await running).text, "agreed\n");
  }));
