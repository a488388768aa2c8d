import { expect, test } from 'vitest';
import { actionOf, defaultCommandKeys, keysOf, problemWith } from './shortcuts';

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

function act(...pressed: Parameters<typeof key>) {
  return actionOf(key(...pressed), defaultCommandKeys);
}

test('the page has its keys, and the shell keeps the rest', () => {
  expect(act('K', ['ctrl', 'shift'])).toBe('command_bar');
  expect(act('k', ['meta', 'shift'])).toBe('command_bar');
  expect(act('+', ['ctrl', 'shift'])).toBe('larger');
  expect(act('=', ['ctrl'])).toBe('larger');
  expect(act('-', ['ctrl'])).toBe('smaller');
  expect(act('?', ['ctrl', 'shift'])).toBe('help');
  expect(act('3', ['alt'], 'Digit3')).toBe('terminal_3');
  expect(act('ArrowRight', ['ctrl', 'shift', 'alt'])).toBe('move_right');
  for (const own of ['c', 'd', 'r', 'w', 'f', 'p', 'a', 'e', 'k', 'z'])
    expect(act(own, ['ctrl']), own).toBeUndefined();
  expect(act('_', ['ctrl', 'shift'])).toBeUndefined();
  expect(act('b', ['alt'], 'KeyB')).toBeUndefined();
  expect(act('Enter')).toBeUndefined();
});

test('the command bar has the key that the person chose', () => {
  expect(keysOf(key('J', ['ctrl', 'shift']))).toBe('Ctrl+Shift+J');
  expect(actionOf(key('J', ['ctrl', 'shift']), 'Ctrl+Shift+J')).toBe('command_bar');
  expect(actionOf(key('K', ['ctrl', 'shift']), 'Ctrl+Shift+J')).toBeUndefined();
});

test('a key of the browser, of the page or of the shell is not to be chosen', () => {
  expect(problemWith('Ctrl+Shift+J')).toBeUndefined();
  expect(problemWith('Ctrl+Alt+Space')).toBeUndefined();
  expect(problemWith('Ctrl+Shift+P')).toContain('belongs to the browser');
  expect(problemWith('Ctrl+Shift+S')).toContain('already does something');
  for (const plain of ['K', 'Ctrl+K', 'Shift+K', 'Alt+K']) expect(problemWith(plain)).toBeDefined();
});
