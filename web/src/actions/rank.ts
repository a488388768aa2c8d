// How well a text matches what somebody typed. The beginning of the text is best, then the beginning of
// one of its words, then anything within it, then its letters in this order.

const scores = { start: 1000, word: 700, within: 400, letters: 100 };

/** 0: it does not match. */
function scoreWord(text: string, word: string): number {
  if (text.startsWith(word)) return scores.start;
  const at = text.indexOf(word);
  if (at < 0) return scoreLetters(text, word);
  for (let found = at; found >= 0; found = text.indexOf(word, found + 1))
    if (isStart(text, found)) return scores.word;
  return scores.within;
}

function isStart(text: string, at: number): boolean {
  return at === 0 || /[^\p{L}\p{N}]/u.test(text.charAt(at - 1));
}

/** Letters that begin words count more: "nt" is New terminal. */
function scoreLetters(text: string, letters: string): number {
  let score = scores.letters;
  let from = 0;
  for (const letter of letters) {
    const at = text.indexOf(letter, from);
    if (at < 0) return 0;
    if (isStart(text, at)) score += 20;
    from = at + letter.length;
  }
  return score;
}

/** Every word that was typed has to match the text, or at least what is known besides. */
export function score(typed: string, text: string, besides = ''): number {
  const [low, lowBesides] = [text.toLowerCase(), besides.toLowerCase()];
  let total = 1;
  for (const word of typed.toLowerCase().split(/\s+/).filter(Boolean)) {
    const found = Math.max(scoreWord(low, word), scoreWord(lowBesides, word) / 10);
    if (found < 30) return 0;
    total += found;
  }
  // Of two that match alike, the shorter one is nearer.
  return total > 1 ? total - Math.min(20, low.length / 5) : total;
}

export interface Rankable {
  label: string;
  /** What it is found by as well. */
  hint?: string | undefined;
}

/** Those that match, the best first; in their own order if they match alike. */
export function ranked<T extends Rankable>(typed: string, all: readonly T[]): T[] {
  return all
    .map((each, order) => ({ each, order, score: score(typed, each.label, each.hint) }))
    .filter((found) => found.score > 0)
    .sort((a, b) => b.score - a.score || a.order - b.order)
    .map(({ each }) => each);
}
