// Agents of sessions, over the native protocol: what extensions decide about them and ask of them.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import { limit, theRunner, times, until, withDaemon } from "./fixture.mjs";

const gate = `export default (pi) => {
  pi.registerTool({ name: "deploy", description: "Deploys", execute: async () => "deployed" });
  pi.registerCommand("say", { handler: async (args) => { pi.sendUserMessage(args); } });
  pi.registerCommand("fork", { handler: async (args, ctx) => JSON.stringify(await ctx.fork("e1")) });
  pi.registerCommand("idle", { handler: (args, ctx) => String(ctx.isIdle()) });
  pi.on("tool_call", async (event, ctx) => {
    const { command = "" } = event.input;
    if (command === "crash") process.kill(process.pid, "SIGKILL");
    if (command === "throw") throw new Error("oops");
    if (command === "hang") await new Promise((resolve) => ctx.signal.addEventListener("abort", resolve));
    if (command === "ask" && !(await ctx.ui.confirm("May it?"))) return { block: true, reason: "no" };
    if (command.startsWith("rm")) return { block: true, reason: "That removes everything." };
    event.input.command = command + " --safe";
  });
};`;

const toolCall = (command) => ({ session: "main", name: "tool_call", event: { toolCallId: "1", toolName: "bash", input: { command } } });
const attach = (client, more = {}) => client.ask("agent_attach", { session: "main", name: "test", calls: ["sendUserMessage"], state: { isIdle: false }, ...more });
const decide = async (client, command) => (await client.ask("agent_event", toolCall(command))).decision;

test("extensions decide about tool calls", limit, () =>
  withDaemon({ gate }, async (daemon, connect) => {
    const person = await connect();
    const agent = await connect(null);
    await person.ok("/help");
    const offer = await attach(agent);
    assert.deepEqual(
      offer.tools.map(({ name, extension }) => [name, extension]),
      [["deploy", "gate"]],
    );
    assert.deepEqual(offer.events, ["tool_call"]);
    await person.event("status", ({ key, text }) => key === "holdfast.agent" && text === "agent: test");
    assert.deepEqual(await decide(agent, "rm -rf /"), { block: true, reason: "That removes everything." });
    assert.deepEqual(await decide(agent, "ls"), { input: { command: "ls --safe" } });
    await assert.rejects(decide(agent, "throw"), /gate must decide about this tool call .*oops.* The tool was not called/);
    const asked = decide(agent, "ask");
    const { id } = await person.event("ui_request");
    person.tell("ui_answer", { id, value: true });
    assert.deepEqual(await asked, { input: { command: "ask --safe" } });
    assert.equal((await agent.ask("agent_event", { session: "main", name: "turn_start" })).decision, null);
    await assert.rejects(agent.ask("agent_event", { session: "main", name: "user_bash" }), /is no event of an agent/);
    const { content } = await agent.ask("tool", { session: "main", name: "deploy", arguments: {} });
    assert.equal(content[0].text, "deployed");
    const { request, answer } = agent.begin("agent_event", toolCall("hang"));
    agent.tell("cancel", { request });
    await assert.rejects(answer, /the call was cancelled/);
  }),
);

test("extensions ask the agent, and are told what it does not offer", limit, () =>
  withDaemon({ gate }, async (daemon, connect) => {
    const person = await connect();
    const agent = await connect(null);
    await person.ok("/say without");
    await person.note("gate: sendUserMessage needs an agent, and none is attached to this session");
    assert.equal(await person.ok("/idle"), "true");
    await attach(agent);
    assert.equal(await person.ok("/idle"), "false");
    await person.ok("/say hello");
    const { id, params } = await agent.event("agent_call", ({ name }) => name === "sendUserMessage");
    assert.deepEqual(params, { content: "hello" });
    agent.tell("agent_result", { session: "main", id, result: null });
    assert.equal(await person.ok("/fork"), '{"cancelled":true}');
    await agent.ask("agent_detach", { session: "main" });
    assert.equal(await person.ok("/idle"), "true");
    await assert.rejects(agent.ask("agent_event", toolCall("ls")), /you are not the agent of session main/);
  }),
);

test("a session has one agent, and a new one can take its place", limit, () =>
  withDaemon({ gate }, async (_daemon, connect) => {
    const [first, second] = [await connect(null), await connect(null)];
    await attach(first, { name: "first" });
    await assert.rejects(attach(second), /session main has an agent: first/);
    await attach(second, { name: "second", takeover: true });
    assert.equal((await first.event("agent_detached")).reason, "takeover");
    second.close();
    await until(async () => attach(first).then(() => true, () => false), "the place of one that is gone");
    await first.ask("session_create", { name: "lab" });
    await first.ask("agent_attach", { session: "lab", name: "first" });
    await first.ask("session_close", { name: "lab" });
    assert.equal((await first.event("agent_detached", ({ session }) => session === "lab")).reason, "closed");
  }),
);

test("an agent is told when a reload changes what there is for it", limit, () =>
  withDaemon({ gate }, async (daemon, connect) => {
    const person = await connect();
    const agent = await connect(null);
    await person.ok("/help");
    await attach(agent);
    writeFileSync(join(daemon.home, ".config/holdfast/extensions/gate.ts"), 'export default (pi) => { pi.on("turn_end", () => ({ continue: true })); };');
    await person.ok("/reload");
    await agent.event("agent_offer", ({ tools, events }) => tools.length === 0 && events.join() === "turn_end");
    const { decision } = await agent.ask("agent_event", { session: "main", name: "turn_end" });
    assert.deepEqual(decision, { continue: true });
  }),
);

test("whatever dies over a tool call, it is decided by its successor, or refused", limit, () =>
  withDaemon({ gate }, async (daemon, connect) => {
    const person = await connect();
    await person.ok("/help");
    for (let round = 0; round < times(2, 50); round += 1) {
      let agent = await connect(null);
      await attach(agent, { takeover: true });
      const hanging = agent.begin("agent_event", toolCall("hang")).answer;
      if (round % 2 === 0) {
        const runner = await theRunner(daemon);
        process.kill(runner, "SIGKILL");
        await until(async () => (await theRunner(daemon)) !== runner, "the next runner");
        agent.close();
        await assert.rejects(hanging, /ended/);
      } else {
        await daemon.kill();
        await assert.rejects(hanging, /ended/);
        await daemon.run();
      }
      agent = await connect(null);
      await attach(agent, { takeover: true });
      assert.deepEqual(await decide(agent, "ls"), { input: { command: "ls --safe" } });
      assert.equal((await decide(agent, "rm x")).block, true);
      agent.close();
    }
  }),
);

test("the example of docs/agents.md runs as it stands", limit, () =>
  withDaemon({ gate }, async (daemon, connect) => {
    await (await connect()).ok("/help");
    const page = readFileSync(fileURLToPath(new URL("../../docs/agents.md", import.meta.url)), "utf8");
    const [, code] = /^```js\n(.*?)^```$/ms.exec(page);
    const path = join(daemon.home, "demo-agent.mjs");
    writeFileSync(path, code);
    const { stdout } = await promisify(execFile)(process.execPath, [path, `ws://127.0.0.1:${daemon.port}`, daemon.token]);
    assert.equal(stdout, "listened to: tool_call\nblocked: That removes everything.\n");
  }),
);
