import { expect, test } from 'vitest';
import { scaleFor } from './scale';

test('what another window made larger is scaled, but not beyond reading', () => {
  expect(scaleFor({ cols: 80, rows: 24 }, { cols: 100, rows: 30 })).toBe(1);
  expect(scaleFor({ cols: 100, rows: 24 }, { cols: 80, rows: 24 })).toBe(0.8);
  expect(scaleFor({ cols: 400, rows: 24 }, { cols: 80, rows: 24 })).toBe(0.5);
  expect(scaleFor(undefined, null)).toBe(1);
});
