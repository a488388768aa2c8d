// Rows of a state, unfolded into one item per cell (a wide cell and its spacer count as one), so that
// two rows can be compared cell by cell however they were folded.

export function unfoldRow(row) {
  const wrapped = row[0] === "wrapped";
  return { wrapped, cells: row.slice(wrapped ? 1 : 0).flatMap(unfoldRun) };
}

function unfoldRun([content, style = "", width = 1]) {
  if (typeof content === "number") return Array.from({ length: content }, () => ({ text: "", style, width }));
  const texts = Array.isArray(content) ? content : [...content];
  return texts.map((text) => ({ text, style, width }));
}
