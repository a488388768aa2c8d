// Where the oracle is not xterm.js as it is: corners in which xterm.js fails, or gets into states that
// no bytes can rebuild. README.md lists these amendments; `src/vt` behaves as xterm.js with them.

import { emptyHalves, isErasedThroughout, isSpacer, keepOnePlain } from "./lines.mjs";

export function amend(core) {
  amendClasses(core);
  printWithoutHalves(core);
  eraseAboveTheRightLine(core);
  keepSavedRowWhenHistoryGoes(core);
  restorePenAsAWhole(core);
  settleOnSwitch(core);
  afterEachControl(core, () => settlePendingWrap(core));
}

// A resize with nothing remembered from outside the screen, and no halves of characters left.
export function amendedResize(core, cols, rows) {
  if (cols === core.cols && rows === core.rows) return;
  const buffers = [core.buffers.normal, core.buffers.alt];
  for (const buffer of buffers) {
    bringSavedCursorOnScreen(buffer, core);
    dropTabStopsFrom(buffer, cols);
  }
  core.resize(cols, rows);
  dropCapacityOfUnusedAlternate(core);
  core._inputHandler._parser.precedingJoinState = 0;
  for (const buffer of buffers) {
    bringSavedCursorOnScreen(buffer, core);
    for (let y = 0; y < buffer.lines.length; y++) {
      const line = buffer.lines.get(y);
      if (line.length > cols) line.resize(cols, buffer.getNullCell());
      emptyHalves(line);
      keepOnePlain(line);
    }
  }
}

// While the alternate buffer is not in use, a smaller size does not reach its capacity, and so it would
// later keep a history.
function dropCapacityOfUnusedAlternate({ buffers, rows }) {
  if (buffers.alt.lines.length === 0) buffers.alt.lines.maxLength = rows;
}

function bringSavedCursorOnScreen(buffer, { cols, rows }) {
  buffer.savedX = Math.min(buffer.savedX, cols - 1);
  buffer.savedY = Math.min(Math.max(buffer.savedY, buffer.ybase), buffer.ybase + rows - 1);
}

function dropTabStopsFrom(buffer, cols) {
  for (const column of Object.keys(buffer.tabs)) {
    if (Number(column) >= cols) delete buffer.tabs[column];
  }
}

// Without wraparound, what does not fit goes to the last column. xterm.js drops a wide character there
// but lets a later combining one join it, and leaves the left half of a wide one whose right half is
// overwritten. A combining character with nothing to join, while the wrap is pending, is lost in
// xterm.js and moves the cursor beyond the edge; the next one then wraps. Here it is just dropped.
function printWithoutHalves(core) {
  const handler = core._inputHandler;
  const parser = handler._parser;
  override(handler, "print", (print, data, start, end) => {
    for (let position = start; position < end; position++) {
      const width = core.unicodeService.wcwidth(data[position]);
      if (width === 0 && parser.precedingJoinState === 0 && core.buffer.x >= core.cols) continue;
      const fits = core.buffer.x + width <= core.cols;
      const { wraparound } = core.coreService.decPrivateModes;
      const line = cursorLine(core);
      if (!fits && !wraparound) core.buffer.x = core.cols - 1;
      print(data, position, position + 1);
      if (!fits && !wraparound && width === 2) parser.precedingJoinState = 0;
      if (!fits) keepOnePlain(line);
    }
  });
}

// The classes of lines and attributes are shared by all terminals, so these come once.
let classesAmended = false;

function amendClasses(core) {
  if (classesAmended) return;
  classesAmended = true;
  const line = Object.getPrototypeOf(core.buffer.lines.get(0));
  insertWithoutHalves(line);
  copyOnlyWhatWasAskedFor(line);
  reflowOnlyWhatIsThere(Object.getPrototypeOf(core.buffer.lines));
  resetUnderlineColour(Object.getPrototypeOf(core._inputHandler._curAttrData.extended));
}

// xterm.js moves the right half of a wide character on when cells are inserted in its middle.
function insertWithoutHalves(line) {
  const insertCells = line.insertCells;
  line.insertCells = function (position, count, fill) {
    const x = position % this.length;
    if (x > 0 && this.getWidth(x - 1) === 2) this.setCell(x, fill);
    insertCells.call(this, position, count, fill);
  };
}

// Reflow copies cells, and with them the texts of all cells of several code points further right, over
// those that are there.
function copyOnlyWhatWasAskedFor(line) {
  const copyCellsFrom = line.copyCellsFrom;
  line.copyCellsFrom = function (source, from, to, count, ...rest) {
    const kept = Object.entries(this._combined).filter(([x]) => x < to || x >= to + count);
    const copied = Object.entries(source._combined).filter(([x]) => x >= from && x < from + count);
    copyCellsFrom.call(this, source, from, to, count, ...rest);
    this._combined = Object.fromEntries([...kept, ...copied.map(([x, text]) => [x - from + to, text])]);
  };
}

// When a narrower screen needs more lines, reflow drops some below the cursor, and then goes on to reflow
// those, because they can still be found in the list. Lines that do not fit into the history any more it
// puts before the first one, which is the last one in a ring.
function reflowOnlyWhatIsThere(list) {
  list.pop = function () {
    const last = this.get(this.length - 1);
    this.set(this.length - 1, undefined);
    this.length--;
    return last;
  };
  const set = list.set;
  list.set = function (index, line) {
    if (index >= 0) set.call(this, index, line);
  };
}

// SGR 59 makes xterm.js's underline white: the -1 that should mean "none" is stored as a colour.
function resetUnderlineColour(attributes) {
  const { get, set } = Object.getOwnPropertyDescriptor(attributes, "underlineColor");
  Object.defineProperty(attributes, "underlineColor", {
    get,
    set(value) {
      set.call(this, value === -1 ? 0 : value);
    },
  });
}

// `CSI 1 J` in the last column unwraps the line below the cursor. xterm.js forgets to add the history's
// length when it looks for that line, so it changes a line of the history, or throws because there is
// none.
function eraseAboveTheRightLine(core) {
  override(core._inputHandler, "eraseInDisplay", (erase, params, ...rest) => {
    const { buffer, cols, rows } = core;
    if (params.params[0] !== 1 || buffer.x + 1 < cols) return erase(params, ...rest);
    const { lines, ybase, y } = buffer;
    const wrong = lines.get(y + 1);
    const wasWrapped = wrong?.isWrapped;
    const get = lines.get.bind(lines);
    lines.get = (index) => get(index) ?? {};
    const result = erase(params, ...rest);
    delete lines.get;
    if (wrong && y + 1 < ybase) wrong.isWrapped = wasWrapped;
    if (y + 1 < rows) lines.get(ybase + y + 1).isWrapped = false;
    return result;
  });
}

// The saved cursor has a row of the screen, also when `CSI 3 J` takes the history away above it.
function keepSavedRowWhenHistoryGoes(core) {
  override(core._inputHandler, "eraseInDisplay", (erase, params, ...rest) => {
    bringSavedCursorOnScreen(core.buffer, core);
    const row = core.buffer.savedY - core.buffer.ybase;
    const result = erase(params, ...rest);
    core.buffer.savedY = core.buffer.ybase + row;
    return result;
  });
}

// xterm.js restores whether the pen underlines and whether it links, but neither how nor to what, and
// then contradicts itself.
function restorePenAsAWhole(core) {
  const handler = core._inputHandler;
  override(handler, "restoreCursor", (restore, params) => {
    restore(params);
    const pen = handler._curAttrData;
    pen.extended = pen.extended.clone();
    const kind = (pen.extended._ext >> 26) & 7;
    pen.extended.underlineStyle = pen.fg & (1 << 28) ? kind || 1 : 0;
    pen.updateExtended();
    return true;
  });
}

// A change of screens brings the cursor within its margins, and the shifted-in character set back.
function settleOnSwitch(core) {
  core.buffers.onBufferActivate(() => {
    core._charsetService.setgLevel(core._charsetService.glevel);
    core._inputHandler._restrictCursor(core.cols);
  });
}

// A snapshot rebuilds a pending wrap by printing the last cell again. Where that cell is empty, or the
// active set cannot print its character, there are other ways on the primary screen, unless the active
// set came from DECRC; and everywhere for a row that is empty throughout. Elsewhere the cursor goes
// back onto the last column.
function settlePendingWrap(core) {
  const { buffer, buffers, cols } = core;
  dropTabStopsFrom(buffer, cols);
  const { charset, glevel, _charsets } = core._charsetService;
  const isRestoredSet = charset !== _charsets[glevel];
  if (buffer.x < cols || !(buffer === buffers.alt || isRestoredSet)) return;
  const line = cursorLine(core);
  const last = cols - 1;
  const canBeRebuilt = line.hasContent(last)
    ? !(isRestoredSet && charset?.[line.getString(last)[0]])
    : isSpacer(line, last) || isErasedThroughout(line);
  if (!canBeRebuilt) buffer.x = last;
}

const cursorLine = ({ buffer }) => buffer.lines.get(buffer.ybase + buffer.y);

function override(object, name, replacement) {
  const original = object[name].bind(object);
  object[name] = (...parameters) => replacement(original, ...parameters);
}

function afterEachControl(core, action) {
  const { _csiHandlers, _escHandlers, _executeHandlers } = core._inputHandler._parser;
  const followed =
    (handler) =>
    (...parameters) => {
      const result = handler(...parameters);
      action();
      return result;
    };
  for (const lists of [_csiHandlers, _escHandlers]) {
    for (const ident of Object.keys(lists)) lists[ident] = lists[ident].map(followed);
  }
  for (const code of Object.keys(_executeHandlers)) _executeHandlers[code] = followed(_executeHandlers[code]);
}
