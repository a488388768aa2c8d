import { expect, test } from 'vitest';
import { bytesOf, withControl } from './extraKeys';

test('the extra keys send what a keyboard would', () => {
  expect(bytesOf('Esc', false)).toBe('\x1b');
  expect(bytesOf('↑', false)).toBe('\x1b[A');
  expect(bytesOf('↑', true)).toBe('\x1bOA');
  expect(bytesOf('PgDn', true)).toBe('\x1b[6~');
  expect(bytesOf('|', false)).toBe('|');
});

test('a held Ctrl makes control characters of letters and leaves the rest alone', () => {
  expect(withControl('c')).toBe('\x03');
  expect(withControl('C')).toBe('\x03');
  expect(withControl('[')).toBe('\x1b');
  expect(withControl(' ')).toBe('\x00');
  expect(withControl('1')).toBe('1');
  expect(withControl('\x1b[A')).toBe('\x1b[A');
});
