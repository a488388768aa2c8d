// xterm.js as the web client runs it, without a page. It is fed synchronously, and what it reports
// only by events (the palette) is recorded. Uses xterm.js's internals, hence the pinned version.

import unicode11 from "@xterm/addon-unicode11";
import headless from "@xterm/headless";

import { amend, amendedResize } from "./amendments.mjs";

const SPECIAL_COLOURS = { 256: "foreground", 257: "background", 258: "cursor" };
// Our history is limited in bytes, and never reaches that limit here.
const ROOM_FOR_EVERY_LINE = 20_000;
const COLOUR_REQUEST = { REPORT: 0, SET: 1, RESTORE: 2 };

export class OracleTerminal {
  #terminal;
  #amended;
  #decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  palette = new Map();
  // Its answers to the program, with colours by request.
  answers = [];

  // With `amended: false` it is plain xterm.js.
  constructor({ cols, rows, amended = true }) {
    this.#amended = amended;
    this.#terminal = new headless.Terminal({
      cols,
      rows,
      scrollback: ROOM_FOR_EVERY_LINE,
      allowProposedApi: true,
      logLevel: "off",
      windowOptions: { pushTitle: true, popTitle: true },
    });
    this.#terminal.loadAddon(new unicode11.Unicode11Addon());
    this.#terminal.unicode.activeVersion = "11";
    if (amended) amend(this.core);
    this.core.coreService.onData((text) => this.answers.push(text));
    this.core._inputHandler.onColor((requests) => requests.forEach((r) => this.#recordColour(r)));
  }

  get core() {
    return this.#terminal._core;
  }

  // Invalid UTF-8 becomes U+FFFD before it reaches xterm.js, whose decoder would drop it.
  write(output) {
    this.core.writeSync(this.#decoder.decode(Buffer.from(output), { stream: true }));
  }

  resize(cols, rows) {
    if (this.#amended) amendedResize(this.core, cols, rows);
    else this.#terminal.resize(cols, rows);
  }

  // Outputs in a row are written at once: where xterm.js is handed a new piece, a run of text ends for
  // it, and that shows in rare cases (it clears a wide cell to the left of the cursor).
  play(events) {
    for (const event of joinOutputs(events)) {
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
    } else if (type === COLOUR_REQUEST.REPORT) {
      this.answers.push(`colour ${index}`);
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

function joinOutputs(events) {
  const joined = [];
  for (const event of events) {
    const last = joined.at(-1);
    if (event.output && last?.output) last.output = Buffer.concat([last.output, Buffer.from(event.output)]);
    else joined.push(event.output ? { output: Buffer.from(event.output) } : event);
  }
  return joined;
}
