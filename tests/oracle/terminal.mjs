// xterm.js as the web client runs it, without a page: fed synchronously, with what it tells only by
// events (the palette) written down. Reaches into xterm.js's internals, hence the pinned version.

import unicode11 from "@xterm/addon-unicode11";
import headless from "@xterm/headless";

import { amendResize } from "./amendments.mjs";

const SPECIAL_COLOURS = { 256: "foreground", 257: "background", 258: "cursor" };
const COLOUR_REQUEST = { SET: 1, RESTORE: 2 };

export class OracleTerminal {
  #terminal;
  palette = new Map();

  constructor({ cols, rows, scrollback }) {
    this.#terminal = new headless.Terminal({
      cols,
      rows,
      scrollback,
      allowProposedApi: true,
      logLevel: "off",
      windowOptions: { pushTitle: true, popTitle: true },
    });
    this.#terminal.loadAddon(new unicode11.Unicode11Addon());
    this.#terminal.unicode.activeVersion = "11";
    this.core._inputHandler.onColor((requests) => requests.forEach((r) => this.#recordColour(r)));
  }

  get core() {
    return this.#terminal._core;
  }

  write(bytes) {
    this.core.writeSync(bytes);
  }

  resize(cols, rows) {
    this.#terminal.resize(cols, rows);
    amendResize(this.core);
  }

  play(events) {
    for (const event of events) {
      if (event.output) this.write(event.output);
      else this.resize(event.cols, event.rows);
    }
    return this;
  }

  dispose() {
    this.#terminal.dispose();
  }

  #recordColour({ type, index, color }) {
    if (type === COLOUR_REQUEST.SET) {
      const hex = color.map((channel) => channel.toString(16).padStart(2, "0")).join("");
      this.palette.set(SPECIAL_COLOURS[index] ?? String(index), `#${hex}`);
    } else if (type === COLOUR_REQUEST.RESTORE) {
      this.#restoreColour(index);
    }
  }

  // Without an index, OSC 104 restores the 256 indexed colours and leaves the special ones alone.
  #restoreColour(index) {
    if (index !== undefined) {
      this.palette.delete(SPECIAL_COLOURS[index] ?? String(index));
      return;
    }
    for (const name of this.palette.keys()) {
      if (/^\d+$/.test(name)) this.palette.delete(name);
    }
  }
}
