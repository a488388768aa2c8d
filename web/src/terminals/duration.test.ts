import { expect, test } from 'vitest';
import { durationOf, saidDuration } from './duration';

test('durations are said shortly', () => {
  expect([40, 9_940, 10_000, 59_400, 61_000, 3_599_000, 7_380_000].map(saidDuration)).toEqual([
    '0.0 s',
    '9.9 s',
    '10 s',
    '59 s',
    '1 min 1 s',
    '59 min 59 s',
    '2 h 3 min',
  ]);
});

test('a time that nobody saw gives none', () => {
  expect(durationOf('2026-11-15T04:12:07.123Z', '2026-11-15T04:12:09.000Z')).toBe(1877);
  expect(durationOf(null, '2026-11-15T04:12:09.000Z')).toBeUndefined();
  expect(durationOf('2026-11-15T04:12:09.000Z', '2026-11-15T04:12:07.000Z')).toBeUndefined();
});
