// pi itself, with a scripted model, as the agent of a session: in a terminal, with Holdfast's
// extensions. Needs bridge/pi/node_modules (`npm ci --prefix bridge/pi`).

import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { fileURLToPath } from "node:url";

import { theRunner, until, withDaemon } from "../extensions/fixture.mjs";

const root = fileURLToPath(new URL("../../", import.meta.url));
const modules = join(root, "bridge/pi/node_modules");
const limit = { timeout: 300_000 };

const gate = `export default (pi, session) => {
  const seen = [];
  pi.registerTool({
    name: "lookup", description: "Looks up",
    parameters: { type: "object", properties: { key: { type: "string" } }, required: ["key"] },
    execute: async (id, { key }) => "found " + key,
  });
  pi.registerCommand("say", { handler: async (args) => { pi.sendUserMessage(args); } });
  pi.registerCommand("seen", { handler: () => seen.splice(0).join(" ") });
  pi.registerCommand("idle", { handler: (args, ctx) => ctx.isIdle() + " " + ctx.model?.id });
  for (const name of ["agent_start", "turn_start", "turn_end", "agent_end", "tool_result"])
    pi.on(name, () => { seen.push(name); });
  pi.on("before_agent_start", async ({ prompt }) => {
    if (prompt.includes("note")) return { message: { customType: "gate", content: "noted by the gate" } };
  });
  pi.on("input", async ({ text }) => {
    if (text === "swallow") return { action: "handled" };
    if (text === "shout") return { action: "transform", text: "SHOUTED" };
  });
  pi.on("tool_call", async (event, ctx) => {
    const { command = "" } = event.input;
    if (command.includes("throw")) throw new Error("oops");
    if (command.includes("rm ")) return { block: true, reason: "closed: " + command };
    if (command === "ask" && !(await ctx.ui.confirm("May it?"))) return { block: true, reason: "nobody agreed" };
    if (event.toolName === "bash") event.input.command = "echo gated; " + command;
  });
  pi.on("user_bash", async ({ command }) => ({ argv: ["echo", "routed", command] }));
};`;

// A session in which pi runs. `say` types a line; `shows` waits for a text.
async function withPi(use, extensions = { gate }) {
  await withDaemon(extensions, async (daemon, connect) => {
    const person = await connect();
    await person.ok("/help");
    mkdirSync(join(daemon.home, "agent"), { recursive: true });
    writeFileSync(join(daemon.home, "agent/settings.json"), JSON.stringify({ defaultProvider: "scripted", defaultModel: "script", quietStartup: true }));
    const scripted = join(root, "tests/bridge/scripted.ts");
    const extensions = [join(root, "bridge/pi/src/index.ts"), scripted].flatMap((path) => ["--extension", path]);
    const command = [process.execPath, join(modules, "@earendil-works/pi-coding-agent/dist/cli.js"), "--no-extensions", ...extensions, "--provider", "scripted", "--model", "script", "--offline", "--no-session"];
    const env = { PI_CODING_AGENT_DIR: join(daemon.home, "agent"), PI_OFFLINE: "1", TERM: "xterm-256color" };
    await person.ask("create", { terminalId: "pi", command, env, rows: 60, cols: 120 });
    const screen = async () => (await daemon.shell("capture", "pi", "--history", "all")).stdout;
    const shows = (text) => until(async () => (await screen()).includes(text), `${text} on the screen`, 60_000).catch(async (error) => {
        throw new Error(`${error.message}:\n${await screen()}`);
      });
    const say = async (text) => {
      const { code, stderr } = await daemon.shell("send", "pi", text, "--enter");
      assert.equal(code, 0, stderr);
    };
    await person.event("status", ({ text }) => text === "agent: pi", 60_000);
    await use({ daemon, person, say, shows, screen });
  });
}

test("Holdfast's extensions decide about pi's tools, input and commands", limit, () =>
  withPi(async ({ person, say, shows }) => {
    await say("hello");
    await shows("user said: hello;");
    assert.match(await person.ok("/seen"), /^agent_start turn_start turn_end agent_end/);
    await until(async () => (await person.ok("/idle")) === "true script", "pi to be idle");
    await say("shout");
    await shows("user said: SHOUTED;");
    await say("swallow");
    await say('call bash {"command":"echo it-ran"}');
    await shows("it-ran;");
    await say('call bash {"command":"rm -rf x"}');
    await shows("closed: rm -rf x");
    await say('call bash {"command":"throw"}');
    await shows("gate must decide about this tool call");
    await say('call lookup {"key":"k1"}');
    await shows("toolResult said: found k1;");
    await say("!pwd");
    await shows("routed pwd");
    await person.ok("/say from the page");
    await shows("user said: from the page;");
  }),
);

test("pi survives the daemon and the runner", limit, () =>
  withPi(async ({ daemon, say, shows }) => {
    await say("one");
    await shows("user said: one;");
    const killDaemon = async () => {
      await daemon.kill();
      await daemon.run();
    };
    const killRunner = async () => {
      const runner = await theRunner(daemon);
      process.kill(runner, "SIGKILL");
      await until(async () => (await theRunner(daemon)) !== runner, "the next runner");
    };
    for (const [round, kill] of [killDaemon, killRunner, killDaemon].entries()) {
      await kill();
      await say(`call bash {"command":"rm -rf ${round}"}`);
      await shows(`closed: rm -rf ${round}`);
      await say(`call lookup {"key":"r${round}"}`);
      await shows(`toolResult said: found r${round};`);
    }
  }),
);

test("a tool call while there is no daemon waits for the next one to decide", limit, () =>
  withPi(async ({ daemon, say, shows }) => {
    const [go, went, passed] = ["go", "went", "passed"].map((name) => join(daemon.home, name));
    const wait = { command: `until [ -e ${go} ]; do sleep 0.05; done; touch ${went}` };
    const risky = { command: `rm -f x; touch ${passed}` };
    await say(`call bash ${JSON.stringify(wait)} then call bash ${JSON.stringify(risky)}`);
    await shows("sleep 0.05");
    await daemon.kill();
    writeFileSync(go, "");
    await until(() => existsSync(went), "the first tool to end");
    await daemon.run();
    await shows("closed: rm -f x");
    assert.ok(!existsSync(passed));
  }),
);

test("pi's own examples are Holdfast's extensions, unmodified", limit, () =>
  withPi(
    async ({ daemon, say, shows }) => {
      const path = join(daemon.home, ".env");
      await say(`call write ${JSON.stringify({ path, content: "secret" })}`);
      await shows("is protected");
      assert.ok(!existsSync(path));
    },
    { protect: readFileSync(join(modules, "@earendil-works/pi-coding-agent/examples/extensions/protected-paths.ts"), "utf8") },
  ),
);
