// What a person looks for, and where it is in a line.

export interface Find {
  text: string;
  matchCase: boolean;
  word: boolean;
  regex: boolean;
}

export const nothing: Find = { text: '', matchCase: false, word: false, regex: false };

export interface Span {
  from: number;
  to: number;
}

/** Next to a word. */
const outside = '[\\s~!@#$%^&*()+`\\-=[\\]{}|\\\\;:"\',./<>?]';

/** The same as a regular expression, without its flags. */
export function sourceOf({ text, word, regex }: Find): string {
  const source = regex ? text : text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return word && text !== '' ? `(?<=^|${outside})(?:${source})(?=$|${outside})` : source;
}

/** Finds all matches in a line; `undefined` if the text is no regular expression. */
export function finder(find: Find): ((line: string) => Span[]) | undefined {
  const flags = find.matchCase ? 'g' : 'gi';
  let pattern: RegExp;
  try {
    // By itself first: brackets could close what is put around it.
    new RegExp(sourceOf({ ...find, word: false }));
    pattern = new RegExp(sourceOf(find), flags);
  } catch {
    return undefined;
  }
  return (line) => {
    if (find.text === '') return [];
    const spans = [...line.matchAll(pattern)].map(({ index, 0: { length } }) => ({
      from: index,
      to: index + length,
    }));
    return spans.filter(({ from, to }) => to > from);
  };
}
