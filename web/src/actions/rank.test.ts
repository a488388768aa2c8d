import { expect, test } from 'vitest';
import { ranked, score } from './rank';

const found = (typed: string, ...labels: string[]) =>
  ranked(
    typed,
    labels.map((label) => ({ label })),
  ).map(({ label }) => label);

test('the beginning is best, then a word, then anywhere, then the letters', () => {
  expect(found('term', 'Find in the terminal', 'Determine', 'Terminal', 'the errands of me')).toEqual([
    'Terminal',
    'Find in the terminal',
    'Determine',
    'the errands of me',
  ]);
});

test('the first letters of words are enough', () => {
  expect(found('nt', 'Sent', 'Next terminal', 'Unit')).toEqual(
    ['Sent', 'Next terminal', 'Unit'].sort((a, b) => score('nt', b) - score('nt', a)),
  );
  expect(found('nts', 'mountains', 'New terminal: server')[0]).toBe('New terminal: server');
});

test('every word has to be there, in any order', () => {
  expect(found('terminal new', 'New terminal', 'Close terminal')).toEqual(['New terminal']);
  expect(found('new zebra', 'New terminal')).toEqual([]);
});

test('nothing typed finds everything in its order', () => {
  expect(found('', 'b', 'a')).toEqual(['b', 'a']);
  expect(found('  ', 'b', 'a')).toEqual(['b', 'a']);
});

test('what is known besides counts less than the name', () => {
  const all = [{ label: 'zsh', hint: 'in build' }, { label: 'rebuild' }, { label: 'build' }];
  expect(ranked('build', all).map(({ label }) => label)).toEqual(['build', 'rebuild', 'zsh']);
  // Stray letters of a path find nothing.
  expect(ranked('mzq', [{ label: 'x', hint: '/home/z/quiet' }])).toEqual([]);
});
