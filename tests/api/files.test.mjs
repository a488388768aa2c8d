// Files: what arrives in a session's folder and what is taken out of it, and everything that must not.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, linkSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { test } from "node:test";

import { limit, times, until, withApi } from "./fixture.mjs";

const idOf = (name) => name.replace(/[^a-z0-9]/gi, "").padEnd(16, "0").slice(0, 64);
const content = (size) => Buffer.from(Uint8Array.from({ length: size }, (_, i) => (i * 7) % 251));
const names = (daemon) => readdirSync(daemon.home).filter((name) => !/^(rc|shell|run|state)$/.test(name));

class Files {
  constructor(daemon, token = daemon.token, terminal = "t") {
    Object.assign(this, { daemon, token, terminal });
  }

  async ask(method, path, { query = {}, body, headers = {}, signal } = {}) {
    const asked = new URLSearchParams({ terminal: this.terminal, ...query }).toString().replaceAll("+", "%20");
    const response = await fetch(`${this.daemon.address}${path}?${asked}`, { method, body, signal, headers: { Authorization: `Bearer ${this.token}`, ...headers } });
    const bytes = Buffer.from(await response.arrayBuffer());
    const said = /json/.test(response.headers.get("content-type")) && bytes.length > 0 ? JSON.parse(bytes) : undefined;
    return { status: response.status, headers: response.headers, bytes, said };
  }

  add(name, bytes, { offset = 0, size = bytes.length, id = idOf(name) } = {}) {
    return this.ask("PUT", `/files/${id}`, { query: { name, size, offset }, body: bytes });
  }

  received(name) {
    return this.ask("GET", `/files/${idOf(name)}`);
  }

  get(path, headers) {
    return this.ask("GET", "/files", { query: { path }, headers });
  }
}

const withFiles = (use, options) =>
  withApi(async (api, daemon) => {
    await api.ok("POST", "/terminals", { terminalId: "t", command: ["cat"] });
    await use(new Files(daemon), daemon, api);
  }, options);

const tokenWith = async (daemon, ...args) => (await daemon.shell("token", "new", ...args)).stdout.trim();

test("a file goes up in pieces and comes down whole, in parts, and only if it is the same", limit, () =>
  withFiles(async (files, daemon) => {
    const bytes = content(2_500_000);
    const piece = 1024 * 1024;
    let answer;
    for (let offset = 0; offset < bytes.length; offset += piece)
      answer = await files.add("a b.bin", bytes.subarray(offset, offset + piece), { offset, size: bytes.length });
    assert.deepEqual(answer.said, { offset: bytes.length, path: join(daemon.home, "a b.bin") });
    assert.ok(readFileSync(answer.said.path).equals(bytes));
    assert.equal(statSync(answer.said.path).mode & 0o777, 0o600);
    // A client that lost the answer asks again.
    assert.deepEqual((await files.received("a b.bin")).said, answer.said);
    assert.deepEqual((await files.add("a b.bin", content(10), { size: bytes.length })).said, answer.said);
    assert.deepEqual(names(daemon), ["a b.bin"]);

    const whole = await files.get("a b.bin");
    assert.equal(whole.status, 200);
    assert.ok(whole.bytes.equals(bytes));
    assert.equal(whole.headers.get("content-type"), "application/octet-stream");
    assert.equal(whole.headers.get("content-disposition"), "attachment");
    assert.match(whole.headers.get("content-security-policy"), /sandbox/);
    assert.equal(whole.headers.get("x-content-type-options"), "nosniff");
    const version = whole.headers.get("etag");
    const part = await files.get("a b.bin", { Range: "bytes=1000000-", "If-Match": version });
    assert.deepEqual([part.status, part.headers.get("content-range")], [206, "bytes 1000000-2499999/2500000"]);
    assert.ok(part.bytes.equals(bytes.subarray(1_000_000)));
    assert.ok((await files.get("a b.bin", { Range: "bytes=5-9" })).bytes.equals(bytes.subarray(5, 10)));
    assert.equal((await files.get("a b.bin", { Range: "bytes=2500000-" })).status, 416);
    const head = await files.ask("HEAD", "/files", { query: { path: "a b.bin" } });
    assert.deepEqual([head.status, head.headers.get("content-length"), head.bytes.length], [200, "2500000", 0]);
    writeFileSync(join(daemon.home, "a b.bin"), "other");
    assert.equal((await files.get("a b.bin", { Range: "bytes=1-", "If-Match": version })).status, 412);
  }));

test("nothing outside of the folder is read or written, and no file is replaced", limit, () =>
  withFiles(async (files, daemon, api) => {
    const inside = join(daemon.home, "inside");
    mkdirSync(inside);
    await api.ok("POST", "/sessions", { name: "s" });
    writeFileSync(join(daemon.home, "mine"), "mine");
    symlinkSync("/etc", join(inside, "etc"));
    symlinkSync("../..", join(inside, "up"));
    symlinkSync("/proc/self/environ", join(inside, "environ"));
    execFileSync("mkfifo", [join(inside, "fifo")]);
    const refused = [
      ...["/etc/passwd", "../etc/passwd", "inside/../../../../../../../../etc/passwd", "inside/etc/passwd", "inside/up/x", "inside/environ", "/proc/self/environ", "/dev/zero"],
      ...["inside", "inside/fifo", ".", "/", "", "none", "a\0b", "x".repeat(5000), "inside/fifo/x", "%2e%2e/etc/passwd", "..%2fetc/passwd"],
    ];
    for (const path of refused) {
      const answer = await files.get(path);
      assert.ok(answer.status >= 400 && answer.status < 500, `${path}: ${answer.status}`);
      assert.match(answer.headers.get("content-type"), /problem/);
    }
    for (const name of ["", ".", "..", "../x", "/x", "a/b", "a\\b", ".bashrc", ".ssh", "a\nb", "a\x1b[201~b", "a\x7f", "a\0b", "a\u202eb", "a\u0085", "x".repeat(256)]) {
      const answer = await files.add(name, Buffer.from("x"), { id: idOf("refused") });
      assert.equal(answer.status, 400, JSON.stringify(name));
    }
    for (const id of ["", "short", "../../../../../../etc/x", "..%2f..%2f..%2f..%2fetc%2fx", "x".repeat(65), "aaaaaaaaaaaaaaaa%00", "aaaaaaaaaaaaaaa.", ".holdfast-upload-"])
      for (const method of ["PUT", "GET", "DELETE"]) {
        const answer = await files.ask(method, `/files/${id}`, { query: { name: "x", size: 1, offset: 0 }, body: method === "PUT" ? "x" : undefined });
        assert.ok(answer.status >= 400 && answer.status < 500, `${method} ${id}: ${answer.status}`);
      }
    for (const [offset, size] of [["", 1], ["x", 1], [-1, 1], [0, -1], [0, "x"], ["1e3", 2], ["18446744073709551616", 1], ["18446744073709551615", 1], [1, 1], [2, 1], [0, 0]]) {
      const answer = await files.add("lies", Buffer.from("xx"), { offset, size });
      assert.ok(answer.status >= 400 && answer.status < 500, `${offset} of ${size}: ${answer.status}`);
    }
    assert.deepEqual(names(daemon).sort(), ["inside", "mine"]);
    assert.equal((await files.add("mine", Buffer.from("new"))).said.path, join(daemon.home, "mine-2"));
    assert.equal(readFileSync(join(daemon.home, "mine"), "utf8"), "mine");
    // A link or a second name in the place of an upload is not written to.
    symlinkSync(join(daemon.home, "mine"), join(daemon.home, `.holdfast-upload-${idOf("linked")}`));
    linkSync(join(daemon.home, "mine"), join(daemon.home, `.holdfast-upload-${idOf("second")}`));
    execFileSync("mkfifo", [join(daemon.home, `.holdfast-upload-${idOf("fifo")}`)]);
    for (const name of ["linked", "second", "fifo"]) {
      assert.ok((await files.add(name, Buffer.from("x"))).status >= 400, name);
      assert.ok((await files.ask("DELETE", `/files/${idOf(name)}`)).status >= 400, name);
    }
    assert.equal(readFileSync(join(daemon.home, "mine"), "utf8"), "mine");
  }));

test("what a program says of its directory is no way out, and a relative path begins there", limit, () =>
  withFiles(async (files, daemon, api) => {
    mkdirSync(join(daemon.home, "src"));
    writeFileSync(join(daemon.home, "src/a"), "a");
    await api.ok("POST", "/terminals", { terminalId: "u", workDir: join(daemon.home, "src"), command: ["sh", "-c", "read go; printf '\\033]7;file:///etc\\033\\\\moved'; cat"] });
    const there = new Files(daemon, daemon.token, "u");
    assert.equal((await there.get("a")).bytes.toString(), "a");
    assert.equal((await there.get("../src/a")).bytes.toString(), "a");
    await api.send("u", { text: "", enter: true });
    await api.wait("u", { text: "moved", since: 0 });
    assert.equal((await there.get("passwd")).status, 404);
    assert.equal((await there.get("../etc/passwd")).status, 403);
    assert.equal((await there.get("src/a")).bytes.toString(), "a");
    assert.equal((await there.add("b", Buffer.from("b"))).said.path, join(daemon.home, "b"), "uploads go to the session's folder");
  }));

test("only who may type into all terminals of a session has its files", limit, () =>
  withFiles(async (files, daemon, api) => {
    await api.ok("POST", "/sessions", { name: "other" });
    await api.ok("POST", "/terminals", { terminalId: "o", session: "other", command: ["cat"] });
    writeFileSync(join(daemon.home, "secret"), "secret");
    const tries = async (token, terminal, message) => {
      const as = new Files(daemon, token, terminal);
      const answers = [await as.get("secret"), await as.add(`by${message}`, Buffer.from("x")), await as.received("x"), await as.ask("DELETE", `/files/${idOf("x")}`)];
      for (const { bytes } of answers) assert.ok(!bytes.includes("secret\n"));
      return answers.map(({ status }) => status);
    };
    assert.deepEqual(await tries("", "t", "nobody"), [401, 401, 401, 401]);
    assert.deepEqual(await tries("wrong".repeat(10), "t", "wrong"), [401, 401, 401, 401]);
    assert.deepEqual(await tries(await tokenWith(daemon, "--user", "bob"), "t", "bob"), [404, 404, 404, 404]);
    assert.deepEqual(await tries(await tokenWith(daemon, "--view"), "t", "view"), [403, 403, 403, 403]);
    assert.deepEqual(await tries(await tokenWith(daemon, "--terminal", "t"), "t", "terminal"), [403, 403, 403, 403]);
    assert.deepEqual(await tries(await tokenWith(daemon, "--session", "other"), "t", "elsewhere"), [404, 404, 404, 404]);
    assert.deepEqual(names(daemon), ["secret"]);
    assert.deepEqual(await tries(await tokenWith(daemon, "--session", "other"), "o", "session"), [200, 200, 200, 204]);
    assert.equal((await files.ask("POST", "/files")).status, 405);
    assert.equal((await files.ask("PUT", "/files", { body: "x" })).status, 405);
    assert.equal((await files.ask("POST", `/files/${idOf("x")}`, { body: "x" })).status, 405);
    // A page of another origin, and one that has the cookie alone.
    for (const headers of [{ Origin: "https://evil.example" }, { Host: "evil.example" }]) {
      const refused = await files.get("secret", headers).catch(() => undefined);
      if (headers.Origin) assert.equal(refused.status, 403);
    }
  }));

test("files can be turned off, and their size is limited", limit, async () => {
  await withFiles(async (files, daemon) => {
    writeFileSync(join(daemon.home, "a"), "a");
    for (const answer of [await files.get("a"), await files.add("b", Buffer.from("b")), await files.received("b")]) {
      assert.equal(answer.status, 403);
      assert.match(answer.said.detail, /turned off/);
    }
  }, { args: ["--files", "false"] });
  await withFiles(async (files, daemon) => {
    const answer = await files.add("large", content(10), { size: 1_000_001 });
    assert.equal(answer.status, 413);
    assert.match(answer.said.detail, /file_size_limit/);
    assert.equal((await files.add("piece", content(1024 * 1024 + 1), { size: 2_000_000 })).status, 413, "of a piece too");
    assert.equal((await files.add("small", content(1_000_000))).status, 200);
    assert.deepEqual(names(daemon), ["small"]);
  }, { args: ["--file-size-limit", "1000000"] });
});

test("a full disk is noticed before anything is sent", limit, () =>
  withFiles(async (files, daemon) => {
    const answer = await files.add("huge", content(10), { size: 2 ** 42 + 7 });
    // Some file systems cannot have such a file at all.
    assert.ok(answer.status === 507 || answer.status === 500, `${answer.status} ${answer.said.detail}`);
    assert.deepEqual(names(daemon), []);
  }, { args: ["--file-size-limit", "8192 GiB"] }));

test("an upload survives kill -9 of the daemon, again and again", limit, () =>
  withFiles(async (files, daemon) => {
    const bytes = content(3_000_000);
    const rounds = times(4, 30);
    let at = 0;
    for (let round = 0; round < rounds; ++round) {
      const sending = files.add("a", bytes.subarray(at, at + 700_000), { offset: at, size: bytes.length }).catch(() => {});
      // Sometimes before it arrives, sometimes after.
      if (round % 2 === 0) await sending;
      await daemon.kill();
      // A connection that comes meanwhile waits for the next daemon, so this may end only there.
      await daemon.run();
      await sending;
      const { said } = await files.received("a");
      assert.ok(said.offset >= at && said.path === undefined, JSON.stringify(said));
      assert.ok(readFileSync(join(daemon.home, `.holdfast-upload-${idOf("a")}`)).equals(bytes.subarray(0, said.offset)));
      at = said.offset;
      if (at > 2_200_000) break;
    }
    while (at < bytes.length) at = (await files.add("a", bytes.subarray(at, at + 900_000), { offset: at, size: bytes.length })).said.offset;
    assert.deepEqual(names(daemon), ["a"]);
    assert.ok(readFileSync(join(daemon.home, "a")).equals(bytes));
  }));

test("a piece whose connection breaks leaves nothing, and a cancelled upload neither", limit, () =>
  withFiles(async (files, daemon) => {
    await files.add("a", content(1000), { size: 5000 });
    const socket = connect(daemon.port, "127.0.0.1");
    socket.write(`PUT /files/${idOf("a")}?terminal=t&name=a&size=5000&offset=1000 HTTP/1.1\r\nHost: 127.0.0.1:${daemon.port}\r\nAuthorization: Bearer ${daemon.token}\r\nContent-Length: 2000\r\n\r\n`);
    socket.write(content(1500));
    await new Promise((resolve) => setImmediate(resolve));
    socket.destroy();
    assert.equal((await files.received("a")).said.offset, 1000);
    // Two at once: one of them is right, and it is there once.
    const both = await Promise.all([1, 2].map(() => files.add("a", content(1000), { offset: 1000, size: 5000 })));
    assert.deepEqual(both.map(({ status }) => status).sort(), [200, 409]);
    assert.equal((await files.received("a")).said.offset, 2000);
    assert.equal((await files.ask("DELETE", `/files/${idOf("a")}`)).status, 204);
    assert.deepEqual(names(daemon), []);
    assert.equal((await files.add("a", content(10), { offset: 2000, size: 5000 })).status, 404);
  }));

// The last piece's answer is lost, and the client sends it again while the first one is still being dealt with.
test("the same small file sent many times at once is there once", limit, () =>
  withFiles(async (files, daemon) => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => files.add("a", Buffer.from("once"))));
    assert.deepEqual([...new Set(answers.map(({ said }) => said.path))], [join(daemon.home, "a")]);
    assert.deepEqual(names(daemon), ["a"]);
  }));

test("a token that is withdrawn ends a download", limit, () =>
  withFiles(async (files, daemon) => {
    writeFileSync(join(daemon.home, "large"), "");
    truncateSync(join(daemon.home, "large"), 2 ** 31);
    const before = (await daemon.shell("token", "list")).stdout;
    const token = await tokenWith(daemon);
    const hash = (await daemon.shell("token", "list")).stdout.split("\n").find((line) => !before.includes(line)).split("\t")[0];
    const response = await fetch(`${daemon.address}/files?terminal=t&path=large`, { headers: { Authorization: `Bearer ${token}` } });
    const reader = response.body.getReader();
    await reader.read();
    assert.equal((await daemon.shell("token", "revoke", hash)).code, 0);
    let size = 0;
    const rest = async () => {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return;
        size += value.length;
      }
    };
    await assert.rejects(rest);
    assert.ok(size < 2 ** 31);
  }));

const memoryOf = (daemon) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${daemon.pid}/status`, "utf8"))[1]) * 1024;

test("large files cost no memory and hold nobody up", { timeout: 300_000 }, () =>
  withFiles(async (files, daemon) => {
    const size = 1.25 * 2 ** 30;
    writeFileSync(join(daemon.home, "large"), "");
    truncateSync(join(daemon.home, "large"), size);
    await files.get("rc");
    const before = memoryOf(daemon);
    let most = 0;
    let slowest = 0;
    let isDone = false;
    const watching = (async () => {
      while (!isDone) {
        const began = performance.now();
        await daemon.health();
        slowest = Math.max(slowest, performance.now() - began);
        most = Math.max(most, memoryOf(daemon));
      }
    })();
    const began = performance.now();
    const response = await fetch(`${daemon.address}/files?terminal=t&path=large`, { headers: { Authorization: `Bearer ${daemon.token}` } });
    // Somebody who takes nothing has all of it waiting.
    const idle = connect(daemon.port, "127.0.0.1");
    idle.write(`GET /files?terminal=t&path=large HTTP/1.1\r\nHost: 127.0.0.1:${daemon.port}\r\nAuthorization: Bearer ${daemon.token}\r\n\r\n`);
    idle.pause();
    let got = 0;
    for await (const part of response.body) got += part.length;
    const took = performance.now() - began;
    isDone = true;
    await watching;
    idle.destroy();
    assert.equal(got, size);
    console.log(`download: ${Math.round(size / took / 1000)} MB/s; memory +${((most - before) / 2 ** 20).toFixed(1)} MiB; slowest other answer ${Math.round(slowest)} ms`);
    assert.ok(most - before < 16 * 2 ** 20, `memory grew by ${most - before}`);
    assert.ok(existsSync(join(daemon.home, "large")));
  }));

test("an upload that is stopped for a day is removed by the next one", limit, () =>
  withFiles(async (files, daemon) => {
    await files.add("old", content(10), { size: 20 });
    const [hidden] = names(daemon);
    execFileSync("touch", ["-d", "25 hours ago", join(daemon.home, hidden)]);
    await files.add("new", content(10));
    await until(() => !existsSync(join(daemon.home, hidden)), "it to go");
    assert.deepEqual(names(daemon), ["new"]);
  }));
