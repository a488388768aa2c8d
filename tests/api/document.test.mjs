// The API does what its document says, and answers everything else with a problem.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Validator } from "@seriousme/openapi-schema-validator";

import { another, asQuery, limit, numbers, times, until, withApi } from "./fixture.mjs";

const each = (document) => Object.entries(document.paths).flatMap(([path, methods]) => Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })));

// A good value for a parameter.
const values = { terminal: "t", session: "main", name: "another", command: ["cat"], keys: ["Enter"], text: "x", exit: true, timeout: 0, quiet: 1, rows: 30, cols: 90, format: "text", history: 3, since: 0, env: { A: "b" }, workDir: "/tmp", enter: true, line: "/help", pattern: "x" };

test("the document is OpenAPI 3.1", limit, () =>
  withApi(async (api) => {
    const validator = new Validator();
    const { valid, errors } = await validator.validate(structuredClone(api.document));
    assert.ok(valid, JSON.stringify(errors));
    assert.equal(validator.version, "3.1");
  }));

const adder = `export default (pi) => pi.registerTool({ name: "add", execute: (id, { a, b }) => String(a + b) });`;

test("every operation answers as documented", limit, () =>
  withApi(async (api, daemon) => {
    await api.ok("GET", "/openapi.json");
    await api.ok("POST", "/terminals", { terminalId: "t", name: "one", command: ["cat"] });
    assert.deepEqual(
      (await api.ok("GET", "/terminals")).terminals.map(({ terminalId, name }) => [terminalId, name]),
      [["t", "one"]],
    );
    assert.equal((await api.ok("GET", "/terminals/t")).status, "running");
    assert.equal((await api.ok("PATCH", "/terminals/t", { name: "two" })).name, "two");
    const resized = await api.ok("POST", "/terminals/two/resize", { rows: 10, cols: 40 });
    assert.deepEqual([resized.rows, resized.cols], [10, 40]);
    const { offset } = await api.ok("POST", "/terminals/t/send", { text: "hello", enter: true });
    const waited = await api.wait("t", { text: "^hello$", since: offset });
    assert.equal(waited.line, "hello");
    // First the echo, then what the program prints.
    assert.equal((await api.wait("t", { text: "^hello$", since: waited.offset })).outcome, "matched");
    assert.equal((await api.ok("POST", "/terminals/t/notify", { state: "working", progress: 40 })).terminalId, "t");
    const { lease } = await api.ok("POST", "/terminals/t/lease", { seconds: 10, holder: "test" });
    assert.equal((await api.ok("DELETE", `/terminals/t/lease?lease=${lease}`)).lease, lease);
    for (const format of ["text", "ansi"]) assert.match((await api.ok("GET", `/terminals/t/capture?format=${format}`)).text, /^hello\nhello\n/);
    assert.deepEqual((await api.ok("GET", "/terminals/t/capture?format=json")).screen.size, [40, 10]);
    assert.deepEqual(await api.ok("GET", "/terminals/t/commands?since=0&limit=1"), { state: "unknown", commands: [] });
    assert.equal((await api.call("GET", "/terminals/t/capture?lastCommand=true")).status, 404);
    assert.equal((await api.call("POST", "/terminals/t/exec", { text: "ls" })).status, 409);
    assert.equal((await api.ok("POST", "/sessions", { name: "other" })).name, "other");
    assert.equal((await api.ok("PATCH", "/sessions/other", { name: "third" })).name, "third");
    assert.deepEqual((await api.ok("GET", "/sessions")).sessions.map(({ name }) => name).sort(), ["main", "third"]);
    assert.equal((await api.ok("DELETE", "/sessions/third")).name, "third");
    assert.equal((await api.call("POST", "/terminals/t/restore")).status, 409);
    await api.ok("POST", "/terminals", { terminalId: "shell", command: ["bash"], env: { TERM: "xterm-256color" } });
    const ran = await api.ok("POST", "/terminals/shell/exec", { text: "echo found; false" });
    assert.deepEqual([ran.outcome, ran.exitCode, ran.output], ["ended", 1, "found\n"]);
    assert.equal((await api.ok("GET", `/terminals/shell/exec?since=${ran.offset}`)).outcome, "ended");
    const early = await api.ok("POST", "/terminals/shell/exec", { text: "echo early; read x", untilOutput: true });
    assert.deepEqual([early.outcome, early.output], ["running", "early\n"]);
    await api.send("shell", { enter: true });
    // The echo of Enter is output, too.
    let news = early;
    while (news.outcome === "running") news = await api.ok("GET", `/terminals/shell/exec?since=${early.offset}&from=${news.next}`);
    assert.equal(news.outcome, "ended");
    assert.equal((await api.ok("GET", "/search?pattern=^found$")).matches[0].terminalId, "shell");
    assert.match((await api.call("GET", "/events?past=true&follow=false")).text, /terminal_created/);
    assert.equal((await api.ok("POST", "/sessions/main/run", { line: "! exit 3" })).exitCode, 3);
    assert.equal((await api.ok("GET", "/sessions/main/tools")).tools[0].name, "add");
    assert.deepEqual(await api.ok("POST", "/sessions/main/tools/add", { arguments: { a: 40, b: 2 } }), { result: { content: [{ type: "text", text: "42" }] } });
    assert.deepEqual(await api.ok("GET", "/sessions/main/resources"), { resources: [] });
    await daemon.killKeeper();
    await until(async () => (await api.ok("GET", "/terminals/shell")).status === "restorable", "the terminal to be lost");
    assert.equal((await api.ok("POST", "/terminals/shell/restore", { rows: 20, cols: 70 })).status, "running");
    assert.equal((await api.ok("DELETE", "/terminals/shell")).terminalId, "shell");
    assert.equal((await api.call("GET", "/terminals/shell")).status, 404);
    assert.deepEqual(
      each(api.document)
        .map(({ path, method }) => `${method} ${path}`)
        .filter((name) => !api.succeeded.has(name)),
      [],
    );
  }, { extensions: { adder } }));

// Values of the wrong kind, out of range, too long, not in the list.
function badValues({ type, minimum, maximum, maxLength, enum: listed }) {
  if (type === "integer") return ["x", "1.5", "", "99999999999999999999", minimum - 1, maximum + 1];
  if (type === "boolean") return ["x", "", 1];
  if (type === "array") return ["x", 1, [1], { a: "b" }];
  if (type === "object") return ["x", 1, ["a"], { a: 1 }];
  return [...(listed ? ["x"] : []), ...(maxLength < 100_000 ? ["x".repeat(maxLength + 1)] : [])];
}

test("bad values of every parameter are refused with a problem", limit, () =>
  withApi(async (api) => {
    await api.ok("POST", "/terminals", { terminalId: "t", command: ["cat"] });
    let tried = 0;
    const refused = async (method, target, body) => {
      const answer = await api.call(method, target, body);
      tried += 1;
      assert.ok(answer.status >= 400 && answer.status < 500, `${method} ${target} ${JSON.stringify(body)}: ${answer.status} ${answer.text}`);
    };
    for (const { path, method, operation } of each(api.document)) {
      const target = path.replace("{terminal}", "t").replace("{session}", "main").replace("{tool}", "none");
      const query = operation.parameters.filter((parameter) => parameter.in === "query");
      for (const { name, schema } of query)
        for (const value of badValues(schema)) {
          const others = method === "GET" && path.endsWith("/wait") && name !== "exit" ? { exit: true } : {};
          await refused(method, `${target}?${asQuery({ ...others, [name]: value })}`);
        }
      await refused(method, `${target}?unknown=1`);
      const schema = operation.requestBody?.content["application/json"].schema;
      if (!schema) continue;
      const good = Object.fromEntries((schema.required ?? []).map((name) => [name, values[name]]));
      for (const [name, property] of Object.entries(schema.properties)) {
        for (const value of [null, ...badValues(property)]) {
          if (property.type === "string" && typeof value === "string" && value.length < 100 && !property.enum) continue;
          await refused(method, target, { ...good, [name]: value });
        }
        if (schema.required?.includes(name)) await refused(method, target, { ...good, [name]: undefined });
      }
      for (const body of ["", "{", "[]", "null", '"x"', '{"a":1}', `{"a":${"[".repeat(5000)}`]) if (body) await refused(method, target, body);
      assert.equal((await api.call(method, target, JSON.stringify(good), { "Content-Type": "text/plain" })).status, 415);
    }
    assert.ok(tried > 100, `${tried} were tried`);
  }));

test("what is not there is refused with a problem", limit, () =>
  withApi(async (api) => {
    for (const target of ["/", "/nothing", "/terminals/", "/terminals/x/y/z", "/terminals/%00", "/terminals/%ff", "/sessions/nobody/x"]) assert.equal((await api.call("GET", target)).status, 404, target);
    assert.equal((await api.call("PUT", "/terminals")).status, 405);
    assert.equal((await api.call("GET", "/sessions/main")).status, 405);
    for (const keys of [["nokey"], [""], ["C-é"]]) assert.equal((await api.call("POST", "/terminals/none/send", { keys })).status, 404);
  }));

test("only who may is answered", limit, () =>
  withApi(async (api, daemon) => {
    await api.ok("POST", "/terminals", { terminalId: "t", command: ["cat"] });
    const nobody = await fetch(`${daemon.address}/api/v1/terminals`);
    assert.equal(nobody.status, 401);
    assert.equal(nobody.headers.get("content-type"), "application/problem+json");
    const large = await fetch(`${daemon.address}/api/v1/terminals`, { method: "POST", body: "x".repeat(100_000) });
    assert.equal(large.status, 401);

    const { api: viewer } = await another(daemon, "--user", "default", "--view");
    const { api: other } = await another(daemon, "--user", "somebody");
    const own = (await api.ok("GET", "/terminals")).terminals.length;
    assert.equal(own, 1);
    assert.equal((await other.ok("GET", "/terminals")).terminals.length, 0);
    for (const { path, method, operation } of each(api.document)) {
      if (!path.startsWith("/terminals/")) continue;
      const target = path.replace("{terminal}", "t");
      const schema = operation.requestBody?.content["application/json"].schema;
      const needed = path.endsWith("/send") ? ["enter"] : (schema?.required ?? []);
      const body = schema && Object.fromEntries(needed.map((name) => [name, values[name]]));
      const queries = { "GET wait": "?exit=true&timeout=0", "GET exec": "?since=0&timeout=0", "DELETE lease": "?lease=x" };
      const query = queries[`${method} ${path.split("/").at(-1)}`] ?? "";
      assert.equal((await other.call(method, target + query, body)).status, 404, `${method} ${path}`);
      assert.equal((await viewer.call(method, target + query, body)).status, method !== "GET" ? 403 : path.endsWith("/exec") ? 409 : 200, `${method} ${path}`);
    }
    assert.equal((await viewer.call("POST", "/terminals", {})).status, 403);
    assert.equal((await viewer.call("POST", "/sessions", { name: "new" })).status, 403);
    assert.equal((await api.ok("GET", "/terminals/t")).status, "running");
  }));

test("a body that is too large is refused", limit, () =>
  withApi(async (api) => {
    await api.ok("POST", "/terminals", { terminalId: "t", command: ["cat"] });
    assert.equal((await api.call("POST", "/terminals/t/send", { text: "x".repeat(1 << 20) })).status, 413);
  }));

test("whatever is asked, the answer is one of the document's", limit, () =>
  withApi(async (api) => {
    await api.ok("POST", "/terminals", { terminalId: "t", command: ["cat"] });
    const next = numbers(15);
    const any = (list) => list[next(list.length)];
    const words = ["t", "terminals", "sessions", "main", "send", "wait", "capture", "exec", "lease", "search", "commands", "events", "resize", "restore", "run", "tools", "resources", "none", "", "%00", "%ff", "%F0%9F%8E%89", "%", "%zz", "{terminal}", "x".repeat(300)];
    const names = ["text", "since", "timeout", "exit", "quiet", "history", "format", "session", "pattern", "limit", "from", "at", "lastCommand", "lease", "follow", "prompt", "x", "", "%00"];
    const scalars = ["", "0", "-1", "1e9", "true", "(", "[", ".*", "a{1000}{1000}", "%ff", "text", "9007199254740993"];
    const values = [null, true, 0, -1, 1.5, 1e300, "", "\u0000", "\ud800", [], ["a"], [1], {}, { a: "b" }, "x".repeat(5000)];
    const fields = ["text", "idempotencyKey", "paste", "keys", "enter", "name", "rows", "cols", "command", "env", "workDir", "terminalId", "session", "lease", "seconds", "holder", "ifIdle", "timeout", "untilOutput", "line", "arguments", "x"];
    for (let i = 0; i < times(1500, 30_000); i += 1) {
      const path = Array.from({ length: 1 + next(4) }, () => `/${any(words)}`).join("");
      const query = Array.from({ length: next(4) }, () => `${any(names)}=${any(scalars)}`).join(any(["&", "&&", ";"]));
      const method = any(["GET", "POST", "PATCH", "PUT", "HEAD", "DELETE"]);
      const body = any([undefined, "{", "[]", Object.fromEntries(Array.from({ length: next(4) }, () => [any(fields), any(values)]))]);
      // Waiting is for other tests.
      const waits = { wait: "timeout=0&", exec: "timeout=0&", events: "follow=false&" };
      const target = `${path}?${waits[Object.keys(waits).find((word) => path.endsWith(word))] ?? ""}${query}`;
      const answer = await api.raw(method, target, method === "GET" || method === "HEAD" ? undefined : body);
      if (method === "DELETE" && answer.status === 200) await api.call("POST", "/terminals", { terminalId: "t", command: ["cat"] });
      assert.ok(answer.status < 500, `${method} ${target} ${JSON.stringify(body)}: ${answer.status} ${answer.text}`);
      if (method !== "HEAD" && answer.status >= 400) assert.equal(answer.type, "application/problem+json", `${method} ${target}: ${answer.text}`);
    }
    // Whatever was closed meanwhile, it serves.
    await api.call("DELETE", "/terminals/t");
    await api.ok("POST", "/terminals", { terminalId: "t", command: ["cat"] });
  }));
