// Where the oracle differs from plain xterm.js: corner cases in which xterm.js fails, or gets into
// states that no bytes can rebuild. README.md lists these amendments; `src/vt` behaves like
// xterm.js with them.

import { emptyHalves, isErasedThroughout, isSpacer, keepOnePlain } from "./lines.mjs";

const WINDOW_REPORTS = [14, 16, 18, 19, 20, 21];

export function amend(core) {
  amendClasses(core);
  printWithoutHalves(core);
  eraseAboveTheRightLine(core);
  keepSavedRowWhenHistoryGoes(core);
  alignOnlyTheScreen(core);
  restorePenAsAWhole(core);
  settleOnSwitch(core);
  keepPrecedingOverQueries(core);
  afterEachControl(core, () => settlePendingWrap(core));
}

// A resize that keeps nothing from outside the screen and leaves no half characters.
export function amendedResize(core, cols, rows) {
  const buffers = [core.buffers.normal, core.buffers.alt];
  buffers.forEach((buffer) => bringSavedCursorOnScreen(buffer, core));
  const narrows = cols < core.cols;
  const top = cols === core.cols ? undefined : resizeUpToReflow(core, rows);
  core.resize(cols, rows);
  if (top) top.isWrapped = true;
  if (narrows) endLinesWithTheirContent(core);
  dropCapacityOfUnusedAlternate(core);
  core._inputHandler._parser.precedingJoinState = 0;
  for (const buffer of buffers) {
    bringSavedCursorOnScreen(buffer, core);
    dropTabStopsFrom(buffer, cols);
    for (let y = 0; y < buffer.lines.length; y++) {
      const line = buffer.lines.get(y);
      if (line.length > cols) line.resize(cols, buffer.getNullCell());
      emptyHalves(line);
    }
    keepBottomPlain(buffer);
  }
}

// xterm.js changes the height first, then reflows. Returns the row that has to be wrapped again.
function resizeUpToReflow(core, rows) {
  const buffers = [core.buffers.normal, core.buffers.alt];
  const columns = buffers.map(({ x }) => x);
  core.resize(core.cols, rows);
  // That ended a pending wrap, which the width decides about.
  buffers.forEach((buffer, index) => (buffer.x = columns[index]));
  return endCursorLineAtTop(core.buffers.normal);
}

// Reflow leaves the line with the cursor to its program, but what of it has scrolled off is reflowed: the
// program cannot redraw that. Returns the row at the top if it continues such a line.
function endCursorLineAtTop({ lines, ybase, y }) {
  for (let row = ybase + y; row >= ybase; row--) {
    if (!lines.get(row).isWrapped) return undefined;
  }
  const top = lines.get(ybase);
  top.isWrapped = false;
  return top;
}

// When reflow makes a line narrower, nothing is left behind its content: xterm.js leaves backgrounds there
// in the columns in which they were.
function endLinesWithTheirContent({ buffers: { normal }, cols }) {
  const { lines, ybase, y } = normal;
  for (let end = lines.length; end > 0; ) {
    let first = end - 1;
    while (first > 0 && lines.get(first).isWrapped) first--;
    const hasCursor = first <= ybase + y && ybase + y < end;
    if (end - first > 1 && !hasCursor) {
      const last = lines.get(end - 1);
      for (let x = last.getTrimmedLength(); x < cols; x++) last.setCell(x, normal.getNullCell());
    }
    end = first;
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
// overwritten.
function printWithoutHalves(core) {
  const handler = core._inputHandler;
  override(handler, "print", (print, data, start, end) => {
    if (core.coreService.decPrivateModes.wraparound) return print(data, start, end);
    for (let position = start; position < end; position++) {
      const width = core.unicodeService.wcwidth(data[position]);
      const fits = core.buffer.x + width <= core.cols;
      if (!fits) core.buffer.x = core.cols - 1;
      print(data, position, position + 1);
      if (!fits && width === 2) handler._parser.precedingJoinState = 0;
    }
    keepBottomPlain(core.buffer);
  });
}

// Rebuilding a row of nothing but odd cells takes a row below it.
function keepBottomPlain({ lines }) {
  if (lines.length > 0) keepOnePlain(lines.get(lines.length - 1));
}

// The classes of lines and attributes are shared by all terminals, so these come once.
let classesAmended = false;

function amendClasses(core) {
  if (classesAmended) return;
  classesAmended = true;
  const line = Object.getPrototypeOf(core.buffer.lines.get(0));
  insertWithoutHalves(line);
  copyOnlyWhatWasAskedFor(line);
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
    const result = withLines(
      lines,
      (line) => line ?? {},
      () => erase(params, ...rest),
    );
    if (wrong && y + 1 < ybase) wrong.isWrapped = wasWrapped;
    if (y + 1 < rows) lines.get(ybase + y + 1).isWrapped = false;
    return result;
  });
}

// In origin mode, DECALN begins at the top margin and xterm.js goes on beyond the last line, which in a
// ring that is not full is somewhere above.
function alignOnlyTheScreen(core) {
  override(core._inputHandler, "screenAlignmentPattern", (align) => {
    const { lines } = core.buffer;
    return withLines(lines, (line, index) => (index < lines.length ? line : undefined), align);
  });
}

// Runs `action` while the list of lines hands out what `replacement` makes of each.
function withLines(lines, replacement, action) {
  const get = lines.get.bind(lines);
  lines.get = (index) => replacement(get(index), index);
  try {
    return action();
  } finally {
    delete lines.get;
  }
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
    // One beyond the pending wrap is where a lost combining character leaves the cursor.
    core._inputHandler._restrictCursor(core.cols + 1);
  });
}

// A snapshot rebuilds a pending wrap by printing the last cell again. Where that cell is empty, or the
// active set cannot print its character, there are other ways on the primary screen, unless the active
// set came from DECRC; and everywhere for a row that is empty throughout. Elsewhere the cursor goes
// back onto the last column.
function settlePendingWrap(core) {
  const { buffer, buffers, cols } = core;
  dropTabStopsFrom(buffer, cols);
  keepBottomPlain(buffer);
  const { charset, glevel, _charsets } = core._charsetService;
  const isRestoredSet = charset !== _charsets[glevel];
  if (buffer.x < cols || !(buffer === buffers.alt || isRestoredSet)) return;
  const line = cursorLine(core);
  const last = cols - 1;
  const canBeRebuilt = line.hasContent(last)
    ? !isRestoredSet || isPrintable(line.getString(last), charset)
    : isSpacer(line, last) || isErasedThroughout(line);
  if (!canBeRebuilt) buffer.x = last;
}

function isPrintable([first], charset) {
  if (first > "\x7e") return true;
  for (let code = 0x20; code < 0x7f; code++) {
    const character = String.fromCharCode(code);
    if ((charset?.[character] ?? character)[0] === first) return true;
  }
  return false;
}

const cursorLine = ({ buffer }) => buffer.lines.get(buffer.ybase + buffer.y);

// Viewers never get a query, so it does not come between a character and the mark that joins it. The
// parser clears `precedingJoinState` after every handler; after one that answered, it may not. Of a
// string that asks, viewers get an empty one.
function keepPrecedingOverQueries(core) {
  const handler = core._inputHandler;
  let preceding = handler._parser.precedingJoinState;
  let answered = false;
  Object.defineProperty(handler._parser, "precedingJoinState", {
    get: () => preceding,
    set(value) {
      if (!(answered && value === 0)) preceding = value;
      answered = false;
    },
  });
  core.coreService.onData(() => (answered = true));
  // Queries that xterm.js does not answer, or not with these options.
  const answer = () => (answered = true);
  const answerToNone = (params) => (answered = params.params[0] === 0);
  handler.registerCsiHandler({ prefix: "?", final: "u" }, answer);
  handler.registerCsiHandler({ prefix: "=", final: "c" }, answerToNone);
  handler.registerCsiHandler({ prefix: ">", final: "q" }, answerToNone);
  handler.registerDcsHandler({ intermediates: "$", final: "q" }, () => true);
  override(handler, "windowOptions", (perform, params) => {
    answered = WINDOW_REPORTS.includes(params.params[0]);
    return perform(params);
  });
}

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
