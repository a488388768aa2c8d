// Extensions that were written for pi, unmodified: five that are here, and in a soak those that
// people install from npm. They load, their commands answer, they are reloaded again and again, and
// two sessions notice nothing of each other.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { limit, rows, times, until, withDaemon } from "./fixture.mjs";

const selection = fileURLToPath(new URL("pi/", import.meta.url));
const peek = `
  export default (pi, session) => {
    const find = async () => (await session.terminals.list())[0];
    pi.registerCommand("screen", { handler: async () => (await find())?.text() ?? "none" });
    pi.registerCommand("keys", { handler: async (args) => (await find()).write(JSON.parse(args)) });
    pi.registerCommand("close", { handler: async () => (await find()).close() });
  };`;

// Not in an ordinary run, because it installs packages.
const soakTest = (name, run) => process.env.HOLDFAST_SOAK && test(name, { timeout: 1_800_000 }, run);

const all = readdirSync(selection).map((name) => join(selection, name));
const using = (paths) => ({ args: ["--extensions", paths.join()] });

// Waits until the session's terminal shows this.
const shows = (client, text) =>
  until(async () => (await client.ok("/peek screen")).includes(text), async () => `${text} on the screen, which shows ${await client.ok("/peek screen")}`);
const gone = (client) => until(async () => (await client.ok("/peek screen")) === "none", "the terminal to be closed");

test("a component is drawn in a terminal of the session, takes keys, and is gone when it is done", limit, async () => {
  await withDaemon({ peek }, async (_daemon, connect) => {
    const client = await connect();
    const counting = client.ok("/count sheep");
    await shows(client, "sheep: 0 (ticking, ");
    for (let n = 1; n <= 3; n += 1) {
      await client.ok(String.raw`/peek keys "\u001b[A"`);
      await shows(client, `sheep: ${n} `);
    }
    await client.ok(String.raw`/peek keys "\r"`);
    await counting;
    await client.note("counted 3");
    await gone(client);
    // Its terminal is closed by hand.
    const closed = client.ok("/count wolves");
    await shows(client, "wolves: 0");
    await client.ok("/peek close");
    await closed;
    await client.note("gave up");
    // Its code is replaced.
    client.forget();
    const replaced = client.run("/count bears");
    await shows(client, "bears: 0");
    await client.ok("/reload");
    assert.match((await replaced).error, /generation/);
    await gone(client);
    // The command is cancelled.
    const { request, answer } = client.begin("run", { session: client.session, line: "/count foxes" });
    await shows(client, "foxes: 0");
    client.tell("cancel", { request });
    await answer;
    await gone(client);
  }, using(all));
});

test("a list drawn by pi's own components is picked from", limit, async () => {
  await withDaemon({ peek }, async (_daemon, connect) => {
    const client = await connect();
    for (const text of ["one", "two", "three"]) await client.ok(`/todo todo ${text}`);
    await client.note("#1 one, #2 two, #3 three");
    const picking = client.ok("/todos");
    await shows(client, "What next?");
    await client.ok(String.raw`/peek keys "\u001b[B\u001b[B"`);
    await shows(client, "→ three");
    await client.ok(String.raw`/peek keys "\r"`);
    await picking;
    await client.note("picked 3");
  }, using(all));
});

test("text of several lines is edited in a terminal", limit, async () => {
  await withDaemon({ peek }, async (_daemon, connect) => {
    const client = await connect();
    const writing = client.ok("/write first");
    await shows(client, "Write something");
    await client.ok(String.raw`/peek keys "\u001b[13;2usecond"`);
    await shows(client, "second");
    await client.ok(String.raw`/peek keys "\r"`);
    await writing;
    await client.note('wrote "first\\nsecond"');
    client.forget();
    const left = client.ok("/write again");
    await shows(client, "again");
    await client.ok(String.raw`/peek keys "\u001b"`);
    await left;
    await client.note("wrote undefined");
    await gone(client);
  }, using(all));
});

test("the selection loads, answers, is reloaded, and two sessions keep apart", limit, async () => {
  await withDaemon({}, async (daemon, connect) => {
    const main = await connect();
    await main.ask("session_create", { name: "b" });
    const clients = { main, b: await connect("b") };
    const each = (use) => Promise.all(Object.entries(clients).map(([mark, client]) => use(client, mark)));
    await each(async (client, mark) => {
      await client.ok(`/todo todo ${mark} one`);
      await client.ok(`/remote remote ${mark}`);
      await client.ok(`/remote flags place ${mark}-flag`);
      assert.equal((await client.run("! echo here")).text, `${mark}\nhere\n`);
      const asking = client.ok(`/ask ${mark}`);
      await client.answer(`Name of ${mark}?`, mark);
      await client.answer(`Kind of ${mark}?`, "large");
      await asking;
      await client.note(`${mark} (large)`);
    });
    for (let n = 2; n <= times(3, 20) + 1; n += 1)
      await each(async (client, mark) => {
        assert.match(await client.ok("/reload"), /^Reloaded 5 extensions/);
        client.forget();
        await client.ok("/keeper");
        await client.note(`loads ${n}, served ${n - 1}`);
        assert.equal((await client.run("! echo here")).text, `${mark}-flag\nhere\n`);
        const { content } = await client.ask("tool", { session: mark, name: "todo", arguments: { action: "list" } });
        assert.deepEqual(content, [{ type: "text", text: `#1 ${mark} one` }]);
        await client.ok("/guard key:ctrl+alt+g");
        await client.note("seen 0");
      });
    for (const { name, value } of rows(daemon, "SELECT name, value FROM state JOIN sessions ON sessions.id = state.session"))
      for (const other of Object.keys(clients).filter((mark) => mark !== name)) assert.doesNotMatch(value, new RegExp(`"${other}( one|-flag)`));
  }, using(all));
});

const npm = (folder, ...args) => execFileSync("npm", [...args, "--ignore-scripts", "--no-audit", "--no-fund"], { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });

// Installs the newest version that can be installed. Of some, packages that they need are missing.
function installNewest(folder, name) {
  const versions = JSON.parse(npm(folder, "view", name, "versions", "--json")).reverse();
  for (const version of versions)
    try {
      npm(folder, "install", `${name}@${version}`);
      return version;
    } catch (error) {
      if (!/ETARGET|notarget/.test(error.stderr)) throw error;
    }
  throw new Error(`no version of ${name} can be installed`);
}

// Uses a folder that has what `install` has installed.
async function installed(install, use) {
  const folder = mkdtempSync(join(tmpdir(), "holdfast-pi-"));
  try {
    writeFileSync(join(folder, "package.json"), '{ "private": true }');
    install(folder);
    await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

// Every command answers, if need be once it is cancelled. Returns those that failed.
async function runAll(client) {
  await client.ok("/help"); // Waits until they are loaded.
  const { commands } = await client.ask("commands", { session: client.session });
  const failed = [];
  for (const { extension, name } of commands.filter((each) => each.extension !== "holdfast" && each.name !== "reload-runtime")) {
    const { request, answer } = client.begin("run", { session: client.session, line: `/${extension} ${name}` });
    const cancel = setTimeout(() => client.tell("cancel", { request }), 3000);
    const { error } = await answer;
    clearTimeout(cancel);
    if (error !== undefined && !/was cancelled|aborted/i.test(error)) failed.push(`/${extension} ${name}: ${error}`);
  }
  return { count: commands.length, failed };
}

// Loads, runs and reloads these extensions in two sessions.
async function lives(paths, context, mayFail = []) {
  const marker = `export default (pi, session) => {
    globalThis.mark ??= session.name;
    pi.registerCommand("mark", { handler: () => globalThis.mark + " " + process.cwd() });
  };`;
  await withDaemon({ marker }, async (_daemon, connect) => {
    const main = await connect();
    const began = performance.now();
    const help = await main.ok("/help");
    context.diagnostic(`${paths.length} extensions loaded in ${Math.round(performance.now() - began)} ms`);
    const notRunning = [...help.matchAll(/^(\S+) \((?:not running|disabled)\)\n {4}(.*)/gm)].map(([, name, why]) => [name, why]);
    assert.deepEqual(notRunning.filter(([, why]) => !mayFail.some((reason) => reason.test(why))), []);
    await main.ask("session_create", { name: "b" });
    const clients = [main, await connect("b")];
    const counts = [];
    for (const client of clients) {
      const { count, failed } = await runAll(client);
      context.diagnostic(`${client.session}: ${count} commands`);
      assert.deepEqual(failed, []);
      counts.push(count);
    }
    assert.equal(counts[0], counts[1]);
    for (let n = 0; n < 20; n += 1)
      await Promise.all(clients.map(async (client) => {
        await client.run("/reload");
        assert.match(await client.ok("/mark"), new RegExp(`^${client.session} `));
      }));
    const again = await main.ok("/help");
    assert.equal([...again.matchAll(/\((?:not running|disabled)\)/g)].length, notRunning.length);
  }, using(paths));
}

soakTest("all examples of the newest pi that can be installed live here", async (context) => {
  await installed(
    (folder) => context.diagnostic(`pi ${installNewest(folder, "@earendil-works/pi-coding-agent")}`),
    async (folder) => {
      // Without pi beside them.
      const examples = join(folder, "examples");
      cpSync(join(folder, "node_modules/@earendil-works/pi-coding-agent/examples/extensions"), examples, { recursive: true });
      rmSync(join(folder, "node_modules"), { recursive: true });
      const paths = readdirSync(examples).filter((name) => name !== "README.md").map((name) => join(examples, name));
      // Four need packages that are not pi's.
      await lives(paths, context, [/cannot find (ms|@anthropic-ai\/\S+|@earendil-works\/gondolin)$/]);
    },
  );
});

for (const name of ["pi-subagents", "pi-mcp-adapter", "pi-lens"])
  soakTest(`${name} from npm lives here, unmodified`, async (context) => {
    await installed(
      (folder) => npm(folder, "install", "--legacy-peer-deps", name),
      (folder) => lives([join(folder, "node_modules", name)], context),
    );
  });
