import { expect, test } from 'vitest';
import { delayBefore } from './backoff';

test('the first try is at once, later ones wait twice as long each, up to a limit', () => {
  expect(delayBefore(0, 0.999)).toBe(0);
  expect([1, 2, 3, 4].map((attempt) => delayBefore(attempt, 1))).toEqual([250, 500, 1000, 2000]);
  expect(delayBefore(50, 1)).toBe(15_000);
});

test('jitter takes up to half of it away', () => {
  for (const attempt of [1, 3, 10]) {
    expect(delayBefore(attempt, 0)).toBe(delayBefore(attempt, 1) / 2);
    expect(delayBefore(attempt, 0.5)).toBeLessThan(delayBefore(attempt, 1));
  }
});
