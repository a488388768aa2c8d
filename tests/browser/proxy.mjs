// A reverse proxy between browser and daemon, which can send another host name to the daemon than
// the browser did.

import { createServer, request as ask } from "node:http";

export class Proxy {
  #server = createServer();
  #sockets = new Set();
  #renames = false;
  #port;

  static async to(port) {
    const proxy = new Proxy();
    proxy.#port = port;
    proxy.#server.on("request", (request, response) => proxy.#pass(request, response));
    proxy.#server.on("upgrade", (request, socket) => proxy.#join(request, socket));
    await new Promise((resolve) => proxy.#server.listen(0, "127.0.0.1", resolve));
    return proxy;
  }

  get address() {
    return `http://127.0.0.1:${this.#server.address().port}`;
  }

  // From now on uses the daemon's own name. Ends all connections.
  rename() {
    this.#renames = true;
    this.#drop();
  }

  async close() {
    this.#drop();
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #drop() {
    for (const socket of this.#sockets) socket.destroy();
    this.#sockets.clear();
  }

  #forward({ method, url, headers }) {
    const host = this.#renames ? `127.0.0.1:${this.#port}` : headers.host;
    return ask({ port: this.#port, method, path: url, headers: { ...headers, host } }).on("error", () => {});
  }

  #pass(request, response) {
    const forwarded = this.#forward(request);
    forwarded.on("response", (answer) => {
      response.writeHead(answer.statusCode, answer.headers);
      answer.pipe(response);
    });
    request.pipe(forwarded);
  }

  #join(request, near) {
    // A browser that leaves can reset the connection at any moment.
    near.on("error", () => {});
    const forwarded = this.#forward(request);
    const begin = ({ statusCode, statusMessage, rawHeaders }) => {
      const pairs = rawHeaders.flatMap((each, index) => (index % 2 === 0 ? [`${each}: ${rawHeaders[index + 1]}\r\n`] : []));
      near.write(`HTTP/1.1 ${statusCode} ${statusMessage}\r\n${pairs.join("")}\r\n`);
    };
    forwarded.on("response", (answer) => {
      begin(answer);
      answer.pipe(near);
    });
    forwarded.on("upgrade", (answer, far, first) => {
      begin(answer);
      near.write(first);
      for (const socket of [near, far.on("error", () => {})]) this.#sockets.add(socket);
      far.pipe(near).pipe(far);
    });
    forwarded.end();
  }
}
