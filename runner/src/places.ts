// Finds the place in a source that a place in compiled code comes from. The compiler that jiti has
// makes no source maps. It keeps most lines, but not columns; it keeps the text of expressions.

const lengths = [60, 40, 20, 10, 5];
/** What the compiler writes before a name that was imported, or that is a generation's own. */
const added = /^(\(0,\s*)?(_\w+\.|__holdfast\.)?/;

/** `text`: the compiled line from the place on. Undefined if the source has nothing like it. */
export function originalPlace(
  source: string,
  text: string,
  line: number,
): { line: number; column: number } | undefined {
  const plain = text.replace(added, '');
  const [name = ''] = /^[\w$]+/.exec(plain) ?? [];
  const pieces = [
    ...lengths.filter((length) => length > name.length).map((length) => plain.slice(0, length)),
    name,
  ];
  const lines = source.split('\n');
  for (const piece of pieces.filter((each) => each !== '')) {
    const found = lines.flatMap((each, at) => {
      const column = each.indexOf(piece);
      return column < 0 ? [] : [{ line: at + 1, column: column + 1 }];
    });
    const [nearest] = found.sort((a, b) => Math.abs(a.line - line) - Math.abs(b.line - line));
    if (nearest) return nearest;
  }
  return undefined;
}
