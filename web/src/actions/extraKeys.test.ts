import { expect, test } from 'vitest';
import { bytesOf, defaultExtraKeys, phoneKeys, withHeld } from './extraKeys';

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

test('every key of the row sends something, or is one that acts', () => {
  const acting = ['Ctrl', 'Alt', 'Copy', 'Paste'];
  const sent = phoneKeys.filter((key) => !acting.includes(key)).map((key) => bytesOf(key, false));
  expect(new Set(sent).size).toBe(sent.length);
  for (const bytes of sent) expect(bytes.length === 1 || bytes.startsWith('\x1b'), bytes).toBe(true);
  expect([bytesOf('^C', false), bytesOf('^Z', true), bytesOf('⇧Tab', false)]).toEqual([
    '\x03',
    '\x1a',
    '\x1b[Z',
  ]);
  expect(defaultExtraKeys.filter((key) => !phoneKeys.includes(key))).toEqual([]);
});
