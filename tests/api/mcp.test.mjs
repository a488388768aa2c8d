// The Model Context Protocol, spoken by the official client.

import assert from "node:assert/strict";
import { test } from "node:test";

import { limit, until, withApi } from "./fixture.mjs";
import { id, offset, overHttp, revisions, use, ways } from "./mcp.mjs";

for (const [way, connect] of ways) {
  test(`${way}: a terminal is created, used, read and closed`, limit, async () => {
    await withApi(async (api, daemon) => {
      const client = await connect(daemon);
      const { tools } = await client.listTools();
      assert.deepEqual(
        tools.map(({ name }) => name),
        ["terminal_list", "terminal_create", "terminal_send", "terminal_read", "terminal_wait", "terminal_run", "terminal_close", "commands", "search"],
      );
      assert.match(await use(client, "terminal_list"), /There are no terminals/);

      const terminal = id(await use(client, "terminal_create", { command: ["bash", "--norc"], name: "work" }));
      assert.match(await use(client, "terminal_list"), new RegExp(`^${terminal}  main:work  running  120x40`));

      const sent = offset(await use(client, "terminal_send", { terminal: "work", text: "echo $((6 * 7))", enter: true }));
      const waited = await use(client, "terminal_wait", { terminal, text: "^42$", since: sent });
      assert.match(waited, /^matched: 42$/m);
      const read = await use(client, "terminal_read", { terminal, since: sent });
      assert.match(read, /^42$/m);
      assert.match(await use(client, "terminal_read", { terminal }), /echo \$\(\(6 \* 7\)\)\n42\n/);

      await use(client, "terminal_send", { terminal, keys: ["C-d"] });
      assert.match(await use(client, "terminal_wait", { terminal, exit: true, since: sent }), /exit code 0/);
      assert.equal(await use(client, "terminal_close", { terminal }), `Closed terminal ${terminal}\n`);
      await client.close();
    });
  });

  test(`${way}: what goes wrong is told to the model`, limit, async () => {
    await withApi(async (api, daemon) => {
      const client = await connect(daemon);
      const wrong = async (name, args) => {
        const result = await client.callTool({ name, arguments: args });
        assert.equal(result.isError, true);
        return result.content[0].text;
      };
      assert.match(await wrong("terminal_read", {}), /"terminal" is missing/);
      assert.match(await wrong("terminal_read", { terminal: "nothing" }), /there is no terminal "nothing"/);
      assert.match(await wrong("terminal_read", { terminal: 7 }), /"terminal" must be a string/);
      assert.match(await wrong("terminal_read", { terminal: "x", colour: "red" }), /there is no field "colour"/);
      await assert.rejects(client.callTool({ name: "fly", arguments: {} }), /Unknown tool: fly/);
      await client.close();
    });
  });
}

test("a long output is read in pieces, and nothing is missing", limit, async () => {
  await withApi(async (api, daemon) => {
    const client = await overHttp(daemon, revisions[0][1]);
    const terminal = id(await use(client, "terminal_create", { command: ["seq", "20000"] }));
    await use(client, "terminal_wait", { terminal, exit: true, since: 0 });
    let text = "";
    for (let since = 0, follows = true; follows; ) {
      const read = await use(client, "terminal_read", { terminal, since, most: 10_000 });
      const [head, body] = [read.slice(0, read.indexOf("\n\n")), read.slice(read.indexOf("\n\n") + 2)];
      text += since > 0 && !text.endsWith("\n") ? `|${body}` : body;
      since = offset(head);
      follows = /bytes of output follow/.test(head);
    }
    // A line that a piece ends in is continued by the next.
    const lines = text.replaceAll("\n|", "").split("\n").filter(Boolean);
    assert.equal(lines.join(""), Array.from({ length: 20000 }, (_, i) => String(i + 1)).join(""));
    await client.close();
  });
});

// What an agent does, without the model: it makes a failing test pass, while the daemon is killed.
for (const [way, connect] of ways) {
  test(`${way}: an agent's work goes on while the daemon is killed`, limit, async () => {
    await withApi(async (api, daemon) => {
      const client = await connect(daemon);
      const terminal = id(await use(client, "terminal_create", { name: "agent", workDir: daemon.home, command: ["bash"], env: { TERM: "xterm-256color" } }));
      const run = async (command) => await use(client, "terminal_run", { terminal, command, key: command });
      assert.match(await run("echo 'test $(cat answer) = 42' > check"), /^exit code: 0$/m);
      assert.match(await run("echo 41 > answer"), /^exit code: 0$/m);
      assert.match(await run("sh check"), /^exit code: 1$/m);
      await daemon.kill();
      await daemon.run();
      assert.match(await run("echo 42 > answer; echo written"), /^exit code: 0$[^]*^written$/m);
      // This time while the command runs. Over stdio the call goes on; over HTTP it is repeated.
      const running = run("sleep 1; sh check && echo passed");
      const outcome = running.catch(() => undefined);
      await until(async () => /sh check && echo passed/.test(await use(client, "terminal_read", { terminal })), "the command to be typed");
      await daemon.kill();
      await daemon.run();
      const passed = (await outcome) ?? (await run("sleep 1; sh check && echo passed"));
      assert.match(passed, /^exit code: 0$[^]*^passed$/m);
      const listed = await use(client, "commands", { terminal });
      assert.equal(listed.match(/sh check && echo passed/g).length, 1);
      assert.match(await use(client, "search", { pattern: "^passed$" }), new RegExp(`^${terminal}.*: passed$`, "m"));
      await client.close();
    });
  });
}

test("an answer never has more than 64 KiB of text, and says what was left out", limit, async () => {
  await withApi(async (api, daemon) => {
    const client = await overHttp(daemon, revisions[0][1]);
    const terminal = id(await use(client, "terminal_create", { command: ["bash"], cols: 200, env: { TERM: "xterm-256color" } }));
    const ran = await use(client, "terminal_run", { terminal, command: "seq -f 'line %0100g' 1 3000; echo last" });
    assert.ok(ran.length < 66_000, `${ran.length}`);
    assert.match(ran, /^exit code: 0\n\d+ bytes at its beginning were left out: read them with terminal_read \{since: \d+\}\n/);
    assert.match(ran, /\n\nline 0+\d+\n[^]*line 0+3000\nlast\n$/);
    const read = await use(client, "terminal_read", { terminal, history: 2000 });
    assert.ok(read.length < 66_000, `${read.length}`);
    assert.match(read, /^offset: \d+\n\d+ bytes at the beginning were left out: ask for less history\.\n\nline 0+\d+\n[^]*\nlast\n/);
    await use(client, "terminal_run", { terminal, command: `: ${"x".repeat(2000)}` });
    const listed = await use(client, "commands", { terminal });
    assert.match(listed, /^\$ : x{498}…  exit code 0/m);
    await client.close();
  });
});

// tests/api/leases.test.mjs has the rules.
test("a lease is taken along by what types", limit, async () => {
  await withApi(async (api, daemon) => {
    const client = await overHttp(daemon, revisions[0][1]);
    const terminal = id(await use(client, "terminal_create", { command: ["bash"], env: { TERM: "xterm-256color" } }));
    const { lease } = await api.ok("POST", `/terminals/${terminal}/lease`, { seconds: 60, holder: "agent" });
    for (const [name, args] of [
      ["terminal_run", { command: "true" }],
      ["terminal_send", { text: "x" }],
    ]) {
      const refused = await client.callTool({ name, arguments: { terminal, ...args } });
      assert.match(refused.content[0].text, /"agent" holds the keyboard/);
      await use(client, name, { terminal, ...args, lease, ifIdle: 1000 });
    }
    await client.close();
  });
});

test("a view-only token reads and does nothing else", limit, async () => {
  await withApi(async (api, daemon) => {
    const { terminalId: terminal } = await api.ok("POST", "/terminals", { command: ["cat"] });
    const token = (await daemon.shell("token", "new", "--view")).stdout.trim();
    const client = await overHttp(daemon, revisions[0][1], token);
    assert.match(await use(client, "terminal_list"), new RegExp(terminal));
    for (const [name, args] of [
      ["terminal_create", {}],
      ["terminal_send", { terminal, text: "x" }],
      ["terminal_close", { terminal }],
    ]) {
      const result = await client.callTool({ name, arguments: args });
      assert.equal(result.isError, true);
      assert.match(result.content[0].text, /view-only/);
    }
    await client.close();
  });
});

// --- requests that the client would not send ---

const meta = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
};

async function post(daemon, body, headers = {}) {
  const response = await fetch(`${daemon.address}/mcp`, {
    method: "POST",
    headers: { Authorization: `Bearer ${daemon.token}`, "Content-Type": "application/json", ...headers },
    body: typeof body === "string" ? body : JSON.stringify({ jsonrpc: "2.0", ...body }),
  });
  const text = await response.text();
  return { status: response.status, body: text && JSON.parse(text) };
}

test("requests that break the protocol's rules are refused as it says", limit, async () => {
  await withApi(async (api, daemon) => {
    const modern = { "MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/list" };
    const list = { id: 1, method: "tools/list", params: { _meta: meta } };
    const refused = async (body, headers, status, code) => {
      const answer = await post(daemon, body, headers);
      assert.equal(answer.status, status, JSON.stringify(answer.body));
      assert.equal(answer.body.error.code, code, JSON.stringify(answer.body));
      return answer.body.error;
    };
    assert.equal((await post(daemon, list, modern)).status, 200);
    await refused("{", {}, 400, -32700);
    await refused("[]", {}, 400, -32600);
    await refused({ id: null, method: "tools/list" }, {}, 400, -32600);
    await refused({ id: {}, method: "tools/list" }, {}, 400, -32600);
    await refused({ ...list, params: [] }, modern, 400, -32602);
    // The headers must repeat the body.
    await refused(list, {}, 400, -32020);
    await refused(list, { ...modern, "Mcp-Method": "tools/call" }, 400, -32020);
    await refused(list, { ...modern, "MCP-Protocol-Version": "2025-11-25" }, 400, -32020);
    const call = { id: 2, method: "tools/call", params: { name: "terminal_list", _meta: meta } };
    const calling = { ...modern, "Mcp-Method": "tools/call" };
    await refused(call, calling, 400, -32020);
    await refused(call, { ...calling, "Mcp-Name": "terminal_close" }, 400, -32020);
    assert.equal((await post(daemon, call, { ...calling, "Mcp-Name": "terminal_list" })).status, 200);
    const encoded = `=?base64?${Buffer.from("terminal_list").toString("base64")}?=`;
    assert.equal((await post(daemon, call, { ...calling, "Mcp-Name": encoded })).status, 200);
    // Versions and methods that there are not.
    const other = { ...meta, "io.modelcontextprotocol/protocolVersion": "1900-01-01" };
    const error = await refused({ ...list, params: { _meta: other } }, { ...modern, "MCP-Protocol-Version": "1900-01-01" }, 400, -32022);
    assert.deepEqual(error.data, { supported: ["2026-07-28", "2025-11-25", "2025-06-18"], requested: "1900-01-01" });
    await refused({ ...list, params: { _meta: { [Object.keys(meta)[0]]: "2026-07-28" } } }, modern, 400, -32602);
    await refused({ id: 1, method: "tools/list" }, modern, 400, -32602);
    await refused({ id: 1, method: "fly", params: { _meta: meta } }, { ...modern, "Mcp-Method": "fly" }, 404, -32601);
    await refused({ id: 1, method: "fly" }, {}, 200, -32601);
    // Notifications are taken, and never answered.
    assert.deepEqual(await post(daemon, { method: "notifications/initialized" }), { status: 202, body: "" });
    for (const method of ["GET", "DELETE"]) {
      const response = await fetch(`${daemon.address}/mcp`, { method, headers: { Authorization: `Bearer ${daemon.token}` } });
      assert.equal(response.status, 405);
    }
    const response = await fetch(`${daemon.address}/mcp`, { method: "POST", body: "{}" });
    assert.equal(response.status, 401);
  });
});
