import { expect, test } from 'vitest';
import { actionOf } from './shortcuts';

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
