// A typical terminal server in Node: node-pty behind ws, one terminal for each connection.
//
//   node server.mjs binary|json PROGRAM [ARGUMENT…]
//
// `binary` sends plain bytes; `json` sends messages like those of the compatible protocol. Prints
// its port.
import { spawn } from "node-pty";
import { WebSocketServer } from "ws";

const [form, program, ...args] = process.argv.slice(2);
const binary = form === "binary";

// Pauses the program while more than this waits in the socket, as a robust server does.
const MOST_WAITING = 1024 * 1024;

function serve(socket) {
  const terminal = spawn(program, args, { cols: 80, rows: 24, encoding: binary ? null : "utf8" });
  let offset = 0;
  let paused = false;
  const sent = () => {
    if (!paused || socket.bufferedAmount > MOST_WAITING / 2) return;
    paused = false;
    terminal.resume();
  };
  terminal.onData((data) => {
    offset += data.length;
    const message = binary ? data : JSON.stringify({ type: "output", sessionId: "t", data: { data, offset } });
    socket.send(message, { binary }, sent);
    if (socket.bufferedAmount <= MOST_WAITING || paused) return;
    paused = true;
    terminal.pause();
  });
  socket.on("message", (message) => terminal.write(binary ? message : JSON.parse(message.toString()).data.data));
  socket.on("close", () => terminal.kill());
}

const server = new WebSocketServer({ host: "127.0.0.1", port: 0, perMessageDeflate: false }, () =>
  console.log(server.address().port),
);
server.on("connection", serve);
