// The network between browser and daemon: a TCP relay that can be cut. Chromium's own "offline"
// mode does not affect open WebSockets, unlike a pulled cable.

import { connect, createServer } from "node:net";

export class Link {
  #server;
  #pairs = new Set();
  #state = "up";
  port;

  static async to(port) {
    const link = new Link();
    link.#server = createServer((near) => link.#join(near, port));
    await new Promise((resolve) => link.#server.listen(0, "127.0.0.1", resolve));
    link.port = link.#server.address().port;
    return link;
  }

  get address() {
    return `http://127.0.0.1:${this.port}`;
  }

  // Connections break, and new ones are refused.
  cut() {
    this.#state = "cut";
    for (const pair of this.#pairs) for (const socket of pair) socket.resetAndDestroy();
    this.#pairs.clear();
  }

  // Nothing breaks and nothing arrives, as on a dead network.
  swallow() {
    this.#state = "swallowing";
    for (const pair of this.#pairs) for (const socket of pair) socket.pause();
  }

  mend() {
    if (this.#state === "swallowing") this.cut();
    this.#state = "up";
  }

  async close() {
    this.cut();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #join(near, port) {
    near.on("error", () => {});
    if (this.#state === "cut") return near.resetAndDestroy();
    if (this.#state === "swallowing") {
      this.#pairs.add([near]);
      return near.pause();
    }
    const far = connect(port, "127.0.0.1");
    const pair = [near, far];
    this.#pairs.add(pair);
    for (const [from, to] of [pair, [far, near]]) {
      from.on("error", () => {});
      from.pipe(to);
      from.on("close", () => {
        to.destroy();
        this.#pairs.delete(pair);
      });
    }
  }
}
