// Somebody who looked at a terminal all the time: what a viewer that came back shows is compared with what they see.

import assert from "node:assert/strict";

import { until } from "../node/until.mjs";
import { Screen } from "./screen.mjs";

const header = 13;

export class Witness {
  screen;
  // How far into the output it has seen.
  offset;
  #socket;
  // xterm.js takes its time over what is written; a resize must not overtake it.
  #shown = Promise.resolve();

  // Looks at the terminal over the native protocol, which tells of resizes where they happened; its own size does not count.
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

  // Both see the same, now or as soon as a program that redraws itself has done so.
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
