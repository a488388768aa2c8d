// The state of an xterm.js terminal as README.md specifies it.

import { cellStyle, penStyle, savedStyle } from "./style.mjs";
import { OracleTerminal } from "./terminal.mjs";

const DESIGNATORS = "0AB45RQKY6Z7=";
const MOUSE_PROTOCOLS = { NONE: "none", X10: "x10", VT200: "vt200", DRAG: "drag", ANY: "any" };
const MOUSE_ENCODINGS = { DEFAULT: "default", SGR: "sgr", SGR_PIXELS: "sgrPixels" };

const designatorByCharset = learnCharsets();

export function stateOf(terminal) {
  const { core } = terminal;
  const handler = core._inputHandler;
  const { normal, alt, active } = core.buffers;
  const alternateActive = active === alt;
  return {
    size: [core.cols, core.rows],
    active: alternateActive ? "alternate" : "primary",
    primary: bufferState(core, normal),
    alternate: alternateActive ? bufferState(core, alt) : { saved: savedCursor(core, alt) },
    pen: penStyle(handler._curAttrData, core._oscLinkService),
    // xterm.js packs the character's width above the lowest bit, which says whether it joined.
    preceding: handler._parser.precedingJoinState >> 1,
    charset: charsetState(core._charsetService),
    modes: modesState(core),
    cursorStyle: [
      core.coreService.decPrivateModes.cursorStyle ?? "default",
      core.coreService.decPrivateModes.cursorBlink ?? null,
    ],
    mouse: [
      MOUSE_PROTOCOLS[core.coreMouseService.activeProtocol],
      MOUSE_ENCODINGS[core.coreMouseService.activeEncoding],
    ],
    title: handler._windowTitle,
    icon: handler._iconName,
    titleStack: handler._windowTitleStack,
    iconStack: handler._iconNameStack,
    palette: Object.fromEntries(terminal.palette),
  };
}

function bufferState(core, buffer) {
  const rows = [];
  for (let y = 0; y < buffer.lines.length; y++) rows.push(rowState(core, buffer.lines.get(y)));
  // A combining character that is lost at the pending wrap moves xterm.js's cursor beyond `cols`.
  const x = buffer === core.buffers.active ? Math.min(buffer.x, core.cols) : 0;
  return {
    cursor: [x, buffer.y],
    margins: [buffer.scrollTop, buffer.scrollBottom],
    tabs: Object.keys(buffer.tabs)
      .map(Number)
      .filter((x) => x < core.cols),
    saved: savedCursor(core, buffer),
    ...(buffer === core.buffers.normal && { scrollback: rows.slice(0, buffer.ybase) }),
    screen: rows.slice(buffer.ybase),
  };
}

function savedCursor(core, buffer) {
  const x = Math.min(buffer.savedX, core.cols - 1);
  const y = Math.min(Math.max(buffer.savedY - buffer.ybase, 0), core.rows - 1);
  const charset = designatorByCharset.get(buffer.savedCharset);
  return [x, y, savedStyle(buffer.savedCurAttrData), charset];
}

function charsetState({ charset, glevel, _charsets }) {
  const g = [0, 1, 2, 3].map((level) => designatorByCharset.get(_charsets[level]));
  return { active: designatorByCharset.get(charset), level: glevel, g: g.join("") };
}

function modesState({ coreService, options }) {
  const { decPrivateModes } = coreService;
  return {
    applicationCursorKeys: decPrivateModes.applicationCursorKeys,
    applicationKeypad: decPrivateModes.applicationKeypad,
    bracketedPaste: decPrivateModes.bracketedPasteMode,
    convertEol: options.convertEol,
    cursorBlink: options.cursorBlink,
    cursorVisible: !coreService.isCursorHidden,
    insert: coreService.modes.insertMode,
    origin: decPrivateModes.origin,
    reverseWraparound: decPrivateModes.reverseWraparound,
    sendFocus: decPrivateModes.sendFocus,
    synchronizedOutput: decPrivateModes.synchronizedOutput,
    wraparound: decPrivateModes.wraparound,
  };
}

function rowState(core, line) {
  const cells = [];
  for (let x = 0; x < core.cols; x++) cells.push(readCell(core, line, x));
  const runs = foldRuns(joinSpacers(cells)).map(compactRun);
  return line.isWrapped ? ["wrapped", ...runs] : runs;
}

function readCell(core, line, x) {
  return {
    text: line.getString(x),
    width: line.getWidth(x),
    style: cellStyle(line, x, core._oscLinkService),
  };
}

// Folds a wide cell and its spacer into one item; a wide cell that lacks it gets width -2.
function joinSpacers(cells) {
  const items = [];
  for (let x = 0; x < cells.length; x++) {
    const cell = cells[x];
    const next = cells[x + 1];
    if (cell.width !== 2) {
      items.push(cell);
    } else if (next && next.width === 0 && next.text === "" && next.style === cell.style) {
      items.push(cell);
      x++;
    } else {
      items.push({ ...cell, width: -2 });
    }
  }
  return items;
}

function foldRuns(items) {
  const runs = [];
  for (const { text, width, style } of items) {
    const cluster = [...text].length > 1;
    const last = runs.at(-1);
    const kind = cluster ? "cluster" : text === "" ? "empty" : "text";
    if (last && !cluster && last.kind === kind && last.width === width && last.style === style) {
      last.content += text === "" ? 1 : text;
    } else {
      runs.push({ kind, content: cluster ? [text] : text === "" ? 1 : text, style, width });
    }
  }
  const last = runs.at(-1);
  if (last?.kind === "empty" && last.width === 1 && last.style === "") runs.pop();
  return runs;
}

function compactRun({ content, style, width }) {
  if (width !== 1) return [content, style, width];
  return style === "" ? [content] : [content, style];
}

// Charsets are tables inside xterm.js without a name: designate each once and see which it is.
function learnCharsets() {
  const terminal = new OracleTerminal({ cols: 2, rows: 1, amended: false });
  const known = new Map();
  for (const designator of DESIGNATORS) {
    terminal.write(`\x1b(${designator}`);
    const charset = terminal.core._charsetService.charset;
    if (!known.has(charset)) known.set(charset, designator);
  }
  terminal.dispose();
  return known;
}
