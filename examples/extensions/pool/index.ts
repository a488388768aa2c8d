// A pool of connections to Redis that stays open across reloads: the new code gets the same
// sockets. Sockets cannot outlive their process, so after a restart of the runner the pool is
// reopened with the address in `session.state`.

import type { ExtensionAPI, SessionContext } from "@holdfast/extension";

import { Pool, type Reply } from "./redis.ts";

interface Address {
  host: string;
  port: number;
  size: number;
}

const key = "redis";

export default function (pi: ExtensionAPI, session: SessionContext) {
  const { resources, state } = session;

  const open = ({ host, port, size }: Address) =>
    resources.getOrCreate(key, () => Pool.open(host, port, size), {
      close: (pool) => pool.close(),
      describe: (pool) => `${pool.size} connections to ${pool.host}:${pool.port}`,
    });

  function pool(): Pool {
    const there = resources.get<Pool>(key);
    if (!there) throw new Error("There is no pool. Open one with /pool open [HOST:]PORT [SIZE].");
    return there;
  }

  pi.on("session_start", async (_event, ctx) => {
    const address = await state.get<Address>("address");
    if (!address) return;
    try {
      await open(address);
    } catch (error) {
      ctx.ui.notify(`Cannot reopen the pool: ${error}`, "error");
    }
  });

  // The example `guard` asks for this before the user leaves the session.
  pi.events.on("held", (list) => {
    const there = resources.get<Pool>(key);
    if (there) (list as string[]).push(`${there.size} connections to Redis`);
  });

  pi.registerCommand("open", {
    description: "[HOST:]PORT [SIZE]: open a pool",
    handler: async (args, ctx) => {
      const [, host = "127.0.0.1", port, size = "4"] = /^(?:(\S+):)?(\d+)(?:\s+(\d+))?\s*$/.exec(args) ?? [];
      if (!port || Number(size) < 1) throw new Error("Usage: /pool open [HOST:]PORT [SIZE]");
      if (resources.get(key)) throw new Error("A pool is already open. Close it with /pool close.");
      const address = { host, port: Number(port), size: Number(size) };
      const { size: connections } = await open(address);
      await state.set("address", address);
      ctx.ui.notify(`Opened ${connections} connections to ${host}:${port}`, "success");
    },
  });

  pi.registerCommand("status", {
    description: "show the connections' ids in Redis",
    handler: async () => `Connections: ${(await pool().ids()).join(" ")}`,
  });

  pi.registerCommand("redis", {
    description: "COMMAND…: send a command to Redis",
    handler: async (args) => text(await pool().send(...args.trim().split(/\s+/))),
  });

  pi.registerCommand("close", {
    description: "close the pool",
    handler: async (_args, ctx) => {
      await state.delete("address");
      const closed = await resources.close(key);
      ctx.ui.notify(closed ? "Closed the pool" : "There is no pool", closed ? "success" : "info");
    },
  });
}

function text(reply: Reply): string {
  if (Array.isArray(reply)) return reply.map(text).join("\n");
  return reply === null ? "(nil)" : String(reply);
}
