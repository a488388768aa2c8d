// What extensions offer, for programs and for models: tools, commands, what they hold.

import assert from "node:assert/strict";
import { test } from "node:test";

import { another, limit, withApi } from "./fixture.mjs";
import { overHttp, overStdio, revisions, use } from "./mcp.mjs";

const schema = { type: "object", properties: { a: { type: "number" }, b: { type: "number" } }, required: ["a", "b"], additionalProperties: false };
const extensions = {
  adder: `export default (pi, session) => {
    pi.registerTool({ name: "add", description: "Adds", parameters: ${JSON.stringify(schema)}, execute: async (id, { a, b }) => ({ content: [{ type: "text", text: String(a + b) }], details: { sum: a + b } }) });
    pi.registerTool({ name: "where", execute: () => session.name });
    pi.registerTool({ name: "fail", execute: () => { throw new Error("it does not work"); } });
    pi.registerTool({ name: "search", description: "Not the daemon's", execute: () => "the extension's" });
    pi.registerCommand("greet", { handler: (args) => "Hello " + args });
    pi.registerCommand("fail", { handler: () => { throw new Error("it does not work"); } });
    if (session.name === "other") pi.registerTool({ name: "only_other", execute: () => "here" });
  }`,
};
const withExtensions = (use) => withApi(use, { extensions });

// The tools of a session are there when its extensions have been loaded, which a command waits for.
async function loaded(api, session) {
  if (session !== "main") await api.ok("POST", "/sessions", { name: session });
  assert.equal((await api.ok("POST", `/sessions/${session}/run`, { line: "/greet you" })).text, "Hello you");
}

for (const [how, connect] of [
  ["over HTTP", (daemon, session, token) => overHttp(daemon, revisions[0][1], token, session && `?session=${session}`)],
  ["over stdio", (daemon, session, token) => overStdio(daemon, revisions[0][1], token, session && ["--session", session])],
])
  test(`MCP ${how}: the tools of the session's extensions`, limit, () =>
    withExtensions(async (api, daemon) => {
      await loaded(api, "main");
      await loaded(api, "other");
      const client = await connect(daemon);
      const { tools } = await client.listTools();
      const named = (name) => tools.filter((tool) => tool.name === name);
      assert.deepEqual(
        named("add").map(({ description, inputSchema }) => ({ description, inputSchema })),
        [{ description: "Adds", inputSchema: schema }],
      );
      assert.deepEqual(
        named("where").map(({ inputSchema }) => inputSchema),
        [{ type: "object" }],
      );
      assert.equal(await use(client, "add", { a: 40, b: 2 }), "42");
      assert.equal(await use(client, "where"), "main");
      const wrong = await client.callTool({ name: "add", arguments: { a: 40 } });
      assert.equal(wrong.isError, true, JSON.stringify(wrong));
      const failed = await client.callTool({ name: "fail", arguments: {} });
      assert.equal(failed.isError, true);
      assert.match(failed.content[0].text, /it does not work/);
      // A name of the daemon's is the daemon's.
      assert.deepEqual(
        named("search").map(({ description }) => description),
        ["Find lines in what all terminals show and remember."],
      );
      assert.equal(await use(client, "search", { pattern: "nothing" }), "No line matches.\n");
      assert.deepEqual(named("only_other"), []);
      await assert.rejects(client.callTool({ name: "only_other", arguments: {} }), /Unknown tool: only_other/);
      await client.close();

      const other = await connect(daemon, "other");
      assert.equal(await use(other, "only_other"), "here");
      assert.equal(await use(other, "where"), "other");
      await other.close();
    }));

test("MCP: a token gets the tools that its scope allows", limit, () =>
  withExtensions(async (api, daemon) => {
    await loaded(api, "main");
    await loaded(api, "other");
    await api.ok("POST", "/terminals", { terminalId: "t", command: ["cat"] });
    const token = async (...args) => (await daemon.shell("token", "new", ...args)).stdout.trim();
    const offered = async (client) => (await client.listTools()).tools.some(({ name }) => name === "add");
    const refused = async (client, expected) => {
      const result = await client.callTool({ name: "add", arguments: { a: 1, b: 2 } });
      assert.equal(result.isError, true);
      assert.match(result.content[0].text, expected);
      await client.close();
    };
    const viewer = await overHttp(daemon, revisions[0][1], await token("--view"));
    assert.ok(await offered(viewer));
    await refused(viewer, /view-only/);
    // Bound to one terminal, or to another session: there is no session whose tools these are.
    for (const args of [["--terminal", "t"], ["--session", "other"], ["--user", "eve"]]) {
      const client = await overHttp(daemon, revisions[0][1], await token(...args));
      assert.ok(!(await offered(client)), args.join(" "));
      await assert.rejects(client.callTool({ name: "add", arguments: { a: 1, b: 2 } }), /Unknown tool: add/);
      await client.close();
    }
    const bound = await overHttp(daemon, revisions[0][1], await token("--session", "other"), "?session=other");
    assert.equal(await use(bound, "add", { a: 1, b: 2 }), "3");
    await bound.close();
  }));

test("the same for programs", limit, () =>
  withExtensions(async (api, daemon) => {
    await loaded(api, "main");
    const { tools } = await api.ok("GET", "/sessions/main/tools");
    assert.deepEqual(
      tools.find(({ name }) => name === "add"),
      { name: "add", extension: "adder", description: "Adds", parameters: schema },
    );
    const call = (tool, args) => api.call("POST", `/sessions/main/tools/${tool}`, { arguments: args });
    assert.deepEqual((await call("add", { a: 1, b: 2 })).body, { result: { content: [{ type: "text", text: "3" }], details: { sum: 3 } } });
    assert.match((await call("fail", {})).body.error ?? (await call("fail", {})).body.detail, /it does not work/);
    assert.equal((await call("none", {})).status, 404);
    const bad = await call("add", { a: "x" });
    assert.ok(bad.body.error || bad.status < 500, bad.text);

    const run = (line, session = "main") => api.ok("POST", `/sessions/${session}/run`, { line });
    assert.equal((await run("! echo out; exit 3")).exitCode, 3);
    assert.equal((await run("/reload")).text, "Reloaded 1 extension.");
    assert.match((await run("/fail")).error, /it does not work/);
    const held = (await api.ok("GET", "/sessions/main/resources")).resources;
    assert.deepEqual(held, []);
    for (const path of ["tools", "resources"]) assert.equal((await api.call("GET", `/sessions/none/${path}`)).status, 404);

    const { api: viewer } = await another(daemon, "--user", "default", "--view");
    assert.ok((await viewer.ok("GET", "/sessions/main/tools")).tools.length > 0);
    assert.equal((await viewer.call("POST", "/sessions/main/run", { line: "/greet" })).status, 403);
    assert.equal((await viewer.call("POST", "/sessions/main/tools/add", { arguments: { a: 1, b: 2 } })).status, 403);
  }));
