import { expect, test } from 'vitest';
import { bytesOf, withControl } from './KeyRow';
import { parsePreferences } from './preferences';
import { actionOf } from './shortcuts';
import { moved } from './TabBar';
import { scaleFor } from './TerminalView';

function key(name: string, modifiers: string[] = [], code = '') {
  return {
    key: name,
    code,
    ctrlKey: modifiers.includes('ctrl'),
    metaKey: modifiers.includes('meta'),
    shiftKey: modifiers.includes('shift'),
    altKey: modifiers.includes('alt'),
  };
}

test('the page has its keys, and the shell keeps the rest', () => {
  expect(actionOf(key('P', ['ctrl', 'shift']))).toBe('command_bar');
  expect(actionOf(key('p', ['meta', 'shift']))).toBe('command_bar');
  expect(actionOf(key('+', ['ctrl', 'shift']))).toBe('larger');
  expect(actionOf(key('3', ['alt'], 'Digit3'))).toBe('terminal_3');
  expect(actionOf(key('ArrowRight', ['ctrl', 'shift', 'alt']))).toBe('move_right');
  for (const own of ['c', 'd', 'r', 'w', 'f', 'p', 'a', 'e', 'z'])
    expect(actionOf(key(own, ['ctrl'])), own).toBeUndefined();
  expect(actionOf(key('_', ['ctrl', 'shift']))).toBeUndefined();
  expect(actionOf(key('b', ['alt'], 'KeyB'))).toBeUndefined();
  expect(actionOf(key('Enter'))).toBeUndefined();
});

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

test('a dragged tab lands before another, or at the end', () => {
  expect(moved(['a', 'b', 'c'], 'c', 'a')).toEqual(['c', 'a', 'b']);
  expect(moved(['a', 'b', 'c'], 'a', null)).toEqual(['b', 'c', 'a']);
  expect(moved(['a', 'b', 'c'], 'a', 'a')).toEqual(['a', 'b', 'c']);
  expect(moved(['a', 'b', 'c'], 'a', 'gone')).toEqual(['a', 'b', 'c']);
});

test('what another window made larger is scaled, but not beyond reading', () => {
  expect(scaleFor({ cols: 80, rows: 24 }, { cols: 100, rows: 30 })).toBe(1);
  expect(scaleFor({ cols: 100, rows: 24 }, { cols: 80, rows: 24 })).toBe(0.8);
  expect(scaleFor({ cols: 400, rows: 24 }, { cols: 80, rows: 24 })).toBe(0.5);
  expect(scaleFor(undefined, null)).toBe(1);
});

test('stored preferences may be anything', () => {
  const standard = { theme: 'system', fontSize: 14, screenReader: false };
  for (const stored of [null, '', '[]', 'null', '{"theme":"pink","fontSize":"big"}'])
    expect(parsePreferences(stored), String(stored)).toEqual(standard);
  expect(parsePreferences('{"theme":"light","fontSize":400,"screenReader":true}')).toEqual({
    theme: 'light',
    fontSize: 32,
    screenReader: true,
  });
});
