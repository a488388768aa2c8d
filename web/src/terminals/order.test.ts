import { expect, test } from 'vitest';
import { moved } from './order';

test('a dragged tab lands before another, or at the end', () => {
  expect(moved(['a', 'b', 'c'], 'c', 'a')).toEqual(['c', 'a', 'b']);
  expect(moved(['a', 'b', 'c'], 'a', null)).toEqual(['b', 'c', 'a']);
  expect(moved(['a', 'b', 'c'], 'a', 'a')).toEqual(['a', 'b', 'c']);
  expect(moved(['a', 'b', 'c'], 'a', 'gone')).toEqual(['a', 'b', 'c']);
});
