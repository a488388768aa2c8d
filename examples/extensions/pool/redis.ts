// The part of Redis' protocol (RESP 2) that a pool needs.

import { connect, type Socket } from "node:net";

export type Reply = string | number | null | Reply[] | Error;

/** One connection. Commands are answered in order. */
class Connection {
  readonly #socket: Socket;
  readonly #waiting: { resolve(reply: Reply): void; reject(error: Error): void }[] = [];
  #received = Buffer.alloc(0);
  isOpen = true;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on("data", (bytes) => this.#take(bytes));
    socket.on("error", () => {});
    socket.on("close", () => {
      this.isOpen = false;
      for (const { reject } of this.#waiting.splice(0)) reject(new Error("Redis closed the connection"));
    });
  }

  static open(host: string, port: number): Promise<Connection> {
    return new Promise((resolve, reject) => {
      const socket = connect({ host, port, noDelay: true, keepAlive: true });
      socket.once("error", reject);
      socket.once("connect", () => {
        socket.off("error", reject);
        resolve(new Connection(socket));
      });
    });
  }

  send(words: string[]): Promise<Reply> {
    return new Promise((resolve, reject) => {
      if (!this.isOpen) return reject(new Error("the connection is closed"));
      this.#waiting.push({ resolve, reject });
      const parts = words.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`);
      this.#socket.write(`*${words.length}\r\n${parts.join("")}`);
    });
  }

  close() {
    this.#socket.destroy();
  }

  #take(bytes: Buffer) {
    this.#received = Buffer.concat([this.#received, bytes]);
    for (;;) {
      const parsed = parse(this.#received, 0);
      if (!parsed) return;
      this.#received = this.#received.subarray(parsed.end);
      this.#waiting.shift()?.resolve(parsed.reply);
    }
  }
}

/** The reply that starts here; undefined if it has not fully arrived. */
export function parse(bytes: Buffer, begin: number): { reply: Reply; end: number } | undefined {
  const lineEnd = bytes.indexOf("\r\n", begin);
  if (lineEnd < 0) return undefined;
  const text = bytes.toString("utf8", begin + 1, lineEnd);
  const end = lineEnd + 2;
  switch (String.fromCharCode(bytes[begin] ?? 0)) {
    case "+":
      return { reply: text, end };
    case "-":
      return { reply: new Error(text), end };
    case ":":
      return { reply: Number(text), end };
    case "$": {
      const size = Number(text);
      if (size < 0) return { reply: null, end };
      if (bytes.length < end + size + 2) return undefined;
      return { reply: bytes.toString("utf8", end, end + size), end: end + size + 2 };
    }
    case "*": {
      if (Number(text) < 0) return { reply: null, end };
      const items: Reply[] = [];
      let at = end;
      while (items.length < Number(text)) {
        const item = parse(bytes, at);
        if (!item) return undefined;
        items.push(item.reply);
        at = item.end;
      }
      return { reply: items, end: at };
    }
    default:
      throw new Error("invalid reply: this is not a Redis server");
  }
}

/** A fixed number of connections. A command takes the longest idle one, or waits for one. */
export class Pool {
  readonly host: string;
  readonly port: number;
  readonly #idle: Connection[] = [];
  readonly #all = new Set<Connection>();
  readonly #queue: ((connection: Connection) => void)[] = [];

  private constructor(host: string, port: number) {
    this.host = host;
    this.port = port;
  }

  static async open(host: string, port: number, size: number): Promise<Pool> {
    const pool = new Pool(host, port);
    try {
      for (let index = 0; index < size; ++index) pool.#give(await pool.#connect());
    } catch (error) {
      pool.close();
      throw error;
    }
    return pool;
  }

  async send(...words: string[]): Promise<Reply> {
    let connection = this.#idle.shift() ?? (await new Promise<Connection>((resolve) => this.#queue.push(resolve)));
    try {
      if (!connection.isOpen) connection = await this.#replace(connection);
      const reply = await connection.send(words);
      if (reply instanceof Error) throw reply;
      return reply;
    } finally {
      this.#give(connection);
    }
  }

  /** The connections' ids in Redis, which show whether they are still the same. */
  async ids(): Promise<number[]> {
    const replies = await Promise.all([...this.#all].map(() => this.send("CLIENT", "ID")));
    return replies.map(Number).sort((a, b) => a - b);
  }

  get size() {
    return this.#all.size;
  }

  close() {
    for (const connection of this.#all) connection.close();
  }

  async #connect(): Promise<Connection> {
    const connection = await Connection.open(this.host, this.port);
    this.#all.add(connection);
    return connection;
  }

  async #replace(broken: Connection): Promise<Connection> {
    const fresh = await this.#connect();
    this.#all.delete(broken);
    return fresh;
  }

  #give(connection: Connection) {
    const next = this.#queue.shift();
    if (next) next(connection);
    else this.#idle.push(connection);
  }
}
