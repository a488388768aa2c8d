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

/** Next to a word; as the search addon has it. */
const outside = ' ~!@#$%^&*()+`-=[]{}|\\;:"\',./<>?';

/** Finds all matches in a line; `undefined` if the text is no regular expression. */
export function finder({ text, matchCase, word, regex }: Find): ((line: string) => Span[]) | undefined {
  let pattern: RegExp;
  try {
    pattern = new RegExp(regex ? text : text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'), matchCase ? 'g' : 'gi');
  } catch {
    return undefined;
  }
  const stands = (line: string, { from, to }: Span) =>
    (from === 0 || outside.includes(line.charAt(from - 1))) &&
    (to === line.length || outside.includes(line.charAt(to)));
  return (line) => {
    if (text === '') return [];
    const spans = [...line.matchAll(pattern)].map(({ index, 0: { length } }) => ({
      from: index,
      to: index + length,
    }));
    return spans.filter((span) => span.to > span.from && (!word || stands(line, span)));
  };
}
