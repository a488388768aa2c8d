import { expect, test } from 'vitest';
import { bytesOf, withHeld } from './extraKeys';

test('the extra keys send what a keyboard would', () => {
  expect(bytesOf('Esc', false)).toBe('\x1b');
  expect(bytesOf('↑', false)).toBe('\x1b[A');
  expect(bytesOf('↑', true)).toBe('\x1bOA');
  expect(bytesOf('PgDn', true)).toBe('\x1b[6~');
  expect(bytesOf('|', false)).toBe('|');
});

test('a held Ctrl makes control characters of letters and leaves the rest alone', () => {
  const withControl = (data: string) => withHeld(data, { control: true, alt: false });
  expect(withControl('c')).toBe('\x03');
  expect(withControl('C')).toBe('\x03');
  expect(withControl('[')).toBe('\x1b');
  expect(withControl(' ')).toBe('\x00');
  expect(withControl('1')).toBe('1');
});

test('a held Alt puts an escape before it, and cursor keys say what is held', () => {
  expect(withHeld('b', { control: false, alt: true })).toBe('\x1bb');
  expect(withHeld('c', { control: true, alt: true })).toBe('\x1b\x03');
  expect(withHeld('\x1b[D', { control: false, alt: true })).toBe('\x1b[1;3D');
  expect(withHeld('\x1bOC', { control: true, alt: false })).toBe('\x1b[1;5C');
  expect(withHeld('\x1b[D', { control: false, alt: false })).toBe('\x1b[D');
});
