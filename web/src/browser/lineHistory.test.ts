import { expect, test } from 'vitest';
import { addLine, parseHistory } from './lineHistory';

test('the history has each line once, the newest last, and survives what is no history', () => {
  expect(addLine(['a', 'b'], 'a')).toEqual(['b', 'a']);
  for (const stored of [null, '', '{', '7', '{"a":1}']) expect(parseHistory(stored)).toEqual([]);
  expect(parseHistory('["a",1,"b"]')).toEqual(['a', 'b']);
});
