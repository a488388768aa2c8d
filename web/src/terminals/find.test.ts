import { expect, test } from 'vitest';
import { type Find, finder, nothing } from './find';

function found(find: Partial<Find>, line: string): string[] | undefined {
  return finder({ ...nothing, ...find })?.(line).map(({ from, to }) => line.slice(from, to));
}

test('plain text is found whatever its case, unless the case counts', () => {
  expect(found({ text: 'a.b' }, 'A.B axb a.b')).toEqual(['A.B', 'a.b']);
  expect(found({ text: 'a.b', matchCase: true }, 'A.B a.b')).toEqual(['a.b']);
  expect(found({ text: '' }, 'anything')).toEqual([]);
});

test('a word stands alone', () => {
  expect(found({ text: 'fail', word: true }, 'fail failed, to-fail')).toEqual(['fail', 'fail']);
  expect(found({ text: 'fail', word: true }, 'äfail')).toEqual([]);
});

test('an expression may have brackets of its own', () => {
  expect(found({ text: 'a|b', word: true, regex: true }, 'ab a b')).toEqual(['a', 'b']);
  expect(found({ text: 'a)(b', word: true, regex: true }, 'ab')).toBeUndefined();
});

test('a regular expression, or what is none', () => {
  expect(found({ text: 'a.', regex: true }, 'ab ac')).toEqual(['ab', 'ac']);
  expect(found({ text: 'x*', regex: true }, 'ab')).toEqual([]);
  expect(found({ text: '(', regex: true }, 'ab')).toBeUndefined();
});
