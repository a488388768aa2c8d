// The host's end of a VM's second serial port. guest/agent is at the other end.
//   node agent.mjs SOCKET COMMAND    runs the command in the VM, passing on output and exit code

import { randomBytes } from "node:crypto";
import { connect } from "node:net";
import { pathToFileURL } from "node:url";

const piece = 1500; // Bytes sent at once: the guest's line buffer holds 4,096.
const interrupt = "\x03";

// Whether the VM answers within this time.
export async function answers(path, milliseconds) {
  const socket = connect(path);
  const ended = new Promise((resolve) => socket.once("close", () => resolve(false)).on("error", () => {}));
  socket.setTimeout(milliseconds, () => socket.destroy());
  try {
    return await Promise.race([
      ended,
      hear(socket)
        .ready()
        .then(() => true),
    ]);
  } finally {
    socket.destroy();
  }
}

// Runs a command. `write` gets its output. Resolves to the exit code; rejects if the VM ends.
export async function run(socket, command, write) {
  const ended = new Promise((_, reject) => {
    socket.on("error", () => {}).once("close", () => reject(new Error("the VM has ended")));
  });
  return await Promise.race([ended, converse(hear(socket), command, write)]);
}

async function converse(agent, command, write) {
  const id = await agent.ready();
  const bytes = Buffer.from(command);
  for (let begin = 0; begin < bytes.length; begin += piece) {
    agent.say(`+ ${bytes.subarray(begin, begin + piece).toString("base64")}\n`);
    await agent.line("ok");
  }
  agent.say(`run ${id}\n`);
  return await agent.output(id, write);
}

function hear(socket) {
  let buffer = Buffer.alloc(0);
  let more = () => {};
  socket.on("data", (bytes) => {
    buffer = Buffer.concat([buffer, bytes]);
    more();
  });
  const data = () => new Promise((resolve) => (more = resolve));
  const say = (text) => socket.write(text);

  // Skips everything up to this line: answers to an earlier client may still arrive.
  async function line(wanted) {
    for (;;) {
      const end = buffer.indexOf("\n");
      if (end < 0) {
        await data();
        continue;
      }
      const found = buffer.subarray(0, end).toString();
      buffer = buffer.subarray(end + 1);
      if (found === wanted) return;
    }
  }

  // Ends a command that an earlier client left running, and waits for its turn: QEMU serves one
  // client at a time.
  async function ready() {
    const id = randomBytes(12).toString("hex");
    let pause = 250;
    let again;
    const ping = () => {
      say(`ping ${id}\n`);
      pause *= 2;
      again = setTimeout(ping, pause); // The interrupt may have swallowed the first one.
    };
    say(`${interrupt}\n`);
    ping();
    socket.once("close", () => clearTimeout(again));
    await line(`pong ${id}`);
    clearTimeout(again);
    return id;
  }

  async function output(id, write) {
    const mark = Buffer.from(`\n${id} `);
    for (;;) {
      const end = buffer.indexOf(mark);
      const code = end < 0 ? null : /^(\d+)\n/.exec(buffer.subarray(end + mark.length).toString("latin1"));
      const sure = end < 0 ? buffer.length - beginningAtTheEnd(buffer, mark) : end;
      if (sure > 0) {
        write(buffer.subarray(0, sure));
        buffer = buffer.subarray(sure);
      }
      if (code) return Number(code[1]);
      await data();
    }
  }
  return { say, line, ready, output };
}

// How many bytes at the end could be the start of the mark.
function beginningAtTheEnd(bytes, mark) {
  const from = Math.max(0, bytes.length - mark.length + 1);
  for (let at = bytes.indexOf(mark[0], from); at >= 0; at = bytes.indexOf(mark[0], at + 1))
    if (mark.subarray(0, bytes.length - at).equals(bytes.subarray(at))) return bytes.length - at;
  return 0;
}

// QEMU serves one client at a time, and lets only few wait.
async function dial(path) {
  for (;;) {
    const socket = connect(path);
    const error = await new Promise((resolve) => socket.once("connect", () => resolve()).once("error", resolve));
    if (!error) return socket;
    if (error.code !== "EAGAIN") throw error;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

async function main(path, command) {
  try {
    const socket = await dial(path);
    const leave = () => socket.end(interrupt, () => process.exit(130));
    for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"]) process.on(signal, leave);
    process.exitCode = await run(socket, command, (bytes) => process.stdout.write(bytes));
    socket.destroy();
  } catch (error) {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 125;
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href)
  await main(process.argv[2], process.argv[3]);
