// Where xterm.js remembers, after a resize, what lies outside the screen. No snapshot can carry that, and it shows only
// when the terminal grows again, so the oracle forgets it. README.md lists these amendments.

export function amendResize({ buffers, cols }) {
  for (const buffer of [buffers.normal, buffers.alt]) {
    dropTabStopsBeyond(buffer, cols);
    for (let y = 0; y < buffer.lines.length; y++) {
      const line = buffer.lines.get(y);
      dropColumnsBeyond(line, cols, buffer);
      emptyHalvedCharacter(line);
    }
  }
}

function dropTabStopsBeyond(buffer, cols) {
  for (const column of Object.keys(buffer.tabs)) {
    if (Number(column) >= cols) delete buffer.tabs[column];
  }
}

// Only the primary buffer's lines are cut when the terminal gets narrower.
function dropColumnsBeyond(line, cols, buffer) {
  if (line.length > cols) line.resize(cols, buffer.getNullCell());
}

function emptyHalvedCharacter(line) {
  const last = line.length - 1;
  if (line.getWidth(last) !== 2) return;
  const attributes = { fg: line.getFg(last), bg: line.getBg(last), extended: line._extendedAttrs[last] };
  line.setCellFromCodepoint(last, 0, 1, attributes);
}
