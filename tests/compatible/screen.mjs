// A tab's xterm.js, as a browser page creates it: 24x80 until fitted, 1000 lines of scrollback.

import headless from "@xterm/headless";

export class Screen {
  #terminal;
  #answer;

  // `answer` gets xterm.js's own answers to programs. `focused` says whether the tab has the focus:
  // programs that asked for focus reports are told at once, as in a browser.
  constructor({ rows = 24, cols = 80, answer = () => {}, focused = () => false } = {}) {
    this.#terminal = new headless.Terminal({ rows, cols, scrollback: 1000, cursorBlink: true, allowProposedApi: true, logLevel: "off" });
    this.#answer = answer;
    this.#terminal.onData(answer);
    this.#terminal.parser.registerCsiHandler({ prefix: "?", final: "h" }, (parameters) => {
      if (parameters.includes(1004)) answer(focused() ? "\x1b[I" : "\x1b[O");
      return false;
    });
  }

  focus() {
    if (this.#terminal.modes.sendFocusMode) this.#answer("\x1b[I");
  }

  blur() {
    if (this.#terminal.modes.sendFocusMode) this.#answer("\x1b[O");
  }

  get rows() {
    return this.#terminal.rows;
  }

  get cols() {
    return this.#terminal.cols;
  }

  get blinks() {
    return this.#terminal.options.cursorBlink;
  }

  // Resolves when it is on the screen.
  write(data) {
    return new Promise((resolve) => this.#terminal.write(data, resolve));
  }

  resize({ rows, cols }) {
    this.#terminal.resize(cols, rows);
  }

  dispose() {
    this.#terminal.dispose();
  }

  // The whole scrollback and screen, with wrapped rows joined and trailing blank rows removed.
  lines() {
    const { active } = this.#terminal.buffer;
    const lines = [];
    for (let row = 0; row < active.length; ++row) {
      const line = active.getLine(row);
      if (line.isWrapped && lines.length > 0) lines.push(lines.pop() + line.translateToString(false));
      else lines.push(line.translateToString(false));
    }
    while (lines.length > 0 && lines.at(-1).trim() === "") lines.pop();
    return lines.map((line) => line.trimEnd());
  }

  // The text before the cursor in its row.
  get beforeCursor() {
    const { active } = this.#terminal.buffer;
    return active.getLine(active.baseY + active.cursorY).translateToString(false, 0, active.cursorX);
  }

  // How many rows below the cursor's have text.
  get belowCursor() {
    const { active } = this.#terminal.buffer;
    let below = 0;
    for (let row = active.baseY + active.cursorY + 1; row < active.length; ++row) if (active.getLine(row).translateToString(true).trim() !== "") ++below;
    return below;
  }

  // Everything on the screen that a person could see, or that changes what keys do.
  picture() {
    const { buffer, rows, cols, modes } = this.#terminal;
    const { active } = buffer;
    const lines = [];
    for (let row = 0; row < rows; ++row) lines.push(drawn(active.getLine(active.baseY + row), cols, active.getNullCell()));
    return { buffer: active.type, size: `${rows}x${cols}`, cursor: [active.cursorY, active.cursorX], modes: { ...modes }, lines };
  }
}

// A row's text, with its colours and attributes where they are not the default.
function drawn(line, cols, cell) {
  let text = "";
  let last = "";
  for (let column = 0; column < cols; ++column) {
    line.getCell(column, cell);
    if (cell.getWidth() === 0) continue;
    const style = styleOf(cell);
    if (style !== last) text += `{${style}}`;
    last = style;
    text += cell.getChars() || " ";
  }
  return text.trimEnd();
}

function styleOf(cell) {
  const flags = [cell.isBold(), cell.isDim(), cell.isItalic(), cell.isUnderline(), cell.isInverse(), cell.isInvisible(), cell.isStrikethrough()];
  const names = "bdiurhs";
  const foreground = cell.isFgDefault() ? "" : `f${cell.getFgColorMode()}.${cell.getFgColor()}`;
  const background = cell.isBgDefault() ? "" : `g${cell.getBgColorMode()}.${cell.getBgColor()}`;
  return flags.map((flag, index) => (flag ? names[index] : "")).join("") + foreground + background;
}
