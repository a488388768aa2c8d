// The official clients of the Model Context Protocol.

import assert from "node:assert/strict";

import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

export const revisions = [
  ["2026-07-28", { versionNegotiation: { mode: { pin: "2026-07-28" } } }],
  ["2025-11-25", { supportedProtocolVersions: ["2025-11-25"] }],
  ["2025-06-18", { supportedProtocolVersions: ["2025-06-18"] }],
];

export async function overHttp(daemon, options, token = daemon.token, query = "") {
  const client = new Client({ name: "test", version: "1" }, options);
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${daemon.address}/mcp${query}`), {
      requestInit: { headers: { Authorization: `Bearer ${token}` } },
    }),
  );
  return client;
}

export async function overStdio(daemon, options, token = daemon.token, args = []) {
  const client = new Client({ name: "test", version: "1" }, options);
  await client.connect(new StdioClientTransport({ command: daemon.program, args: ["--no-start", "mcp", ...args], env: { ...daemon.environment, HOLDFAST_TOKEN: token }, stderr: "inherit" }));
  return client;
}

// The text of a result that must not be an error.
export async function use(client, name, args = {}) {
  const result = await client.callTool({ name, arguments: args });
  assert.ok(!result.isError, `${name}: ${result.content[0].text}`);
  return result.content[0].text;
}
export const offset = (text) => Number(/^offset: (\d+)$/m.exec(text)[1]);
export const id = (text) => /^Created terminal (\S+)$/m.exec(text)[1];

const transports = [
  ["over HTTP", overHttp],
  ["over stdio", overStdio],
];
export const ways = revisions.flatMap(([revision, options]) => transports.map(([how, connect]) => [`${revision} ${how}`, (daemon) => connect(daemon, options)]));
