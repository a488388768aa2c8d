// Questions about a line of xterm.js's buffer, which its own API does not answer.

const ATTRIBUTE_FLAGS = ~0x3ffffff;

export function isSpacer(line, x) {
  return line.getWidth(x) === 0 && !line.hasContent(x);
}

// Erased cells have a background at most.
export function isErasedThroughout(line) {
  for (let x = 0; x < line.length; x++) {
    if (
      line.hasContent(x) ||
      line.getWidth(x) !== 1 ||
      line.getFg(x) !== 0 ||
      line.getBg(x) !== line.getBg(0)
    )
      return false;
  }
  return (line.getBg(0) & ATTRIBUTE_FLAGS) === 0;
}

// An empty cell with more than a background: the rest of a partly overwritten wide character.
function isOdd(line, x) {
  if (line.hasContent(x) || line.getWidth(x) !== 1) return false;
  return line.getFg(x) !== 0 || (line.getBg(x) & ATTRIBUTE_FLAGS) !== 0;
}

// If all cells of a row are odd, its last one keeps its background only.
export function keepOnePlain(line) {
  for (let x = 0; x < line.length; x++) {
    if (!isOdd(line, x)) return;
  }
  const last = line.length - 1;
  line.setCellFromCodepoint(last, 0, 1, { fg: 0, bg: line.getBg(last) & ~ATTRIBUTE_FLAGS });
}

// A wide character without its spacer, or a spacer without its wide character, becomes an empty cell in
// the same style.
export function emptyHalves(line) {
  for (let x = 0; x < line.length; x++) {
    const lacksSpacer = line.getWidth(x) === 2 && (x + 1 === line.length || !isSpacer(line, x + 1));
    const lacksHead = isSpacer(line, x) && (x === 0 || line.getWidth(x - 1) !== 2);
    if (lacksSpacer || lacksHead) line.setCellFromCodepoint(x, 0, 1, attributesAt(line, x));
  }
}

const attributesAt = (line, x) => ({
  fg: line.getFg(x),
  bg: line.getBg(x),
  extended: line._extendedAttrs[x],
});
