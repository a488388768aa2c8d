// A viewer that never left, to compare with viewers that came back.

import assert from "node:assert/strict";

import { until } from "../node/until.mjs";
import { Screen } from "./screen.mjs";

const header = 13;

export class Witness {
  screen;
  // The offset of the output seen so far.
  offset;
  #socket;
  // xterm.js processes writes later. A resize must not overtake them.
  #shown = Promise.resolve();

  // Attaches over the native protocol, which reports resizes at their offset. Its own size does not
  // count.
  static async of(daemon, terminalId) {
    const witness = new Witness();
    const socket = new WebSocket(`ws://127.0.0.1:${daemon.port}/ws?token=${daemon.token}`, "holdfast.v1");
    socket.binaryType = "arraybuffer";
    socket.onopen = () => socket.send(JSON.stringify({ type: "attach", request: 1, data: { terminalId, role: "view" } }));
    socket.onmessage = ({ data }) => witness.#received(data);
    witness.#socket = socket;
    await until(() => witness.screen, "the witness to look");
    return witness;
  }

  #received(data) {
    const message = typeof data === "string" ? JSON.parse(data) : undefined;
    if (!message) this.#show(data);
    else if (message.type === "attached") this.screen = new Screen(message.data);
    else if (message.type === "resized") this.#shown = this.#shown.then(() => this.screen.resize(message.data));
  }

  #show(data) {
    const offset = Number(new DataView(data).getBigUint64(5, true));
    this.#shown = this.#shown.then(() => this.screen.write(new Uint8Array(data, header))).then(() => {
      this.offset = offset;
    });
  }

  // Both show the same, at once or as soon as the program has redrawn itself.
  async agrees(screen) {
    const compare = async () => {
      await this.#shown;
      await screen.write("");
      assert.deepEqual(screen.picture(), this.screen.picture());
      return true;
    };
    await until(compare, "the terminal to look as it does to someone who never left", 5_000);
  }

  close() {
    this.#socket.close();
  }
}
