import { expect, test } from 'vitest';
import { actionOf, keysFor, keysOf, parseKeys, problemWith } from './shortcuts';

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
  return actionOf(key(...pressed), {});
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

test('an action has the key that the person chose, and not its usual one', () => {
  const chosen = { command_bar: 'Ctrl+Shift+J' };
  expect(keysOf(key('J', ['ctrl', 'shift']))).toBe('Ctrl+Shift+J');
  expect(actionOf(key('J', ['ctrl', 'shift']), chosen)).toBe('command_bar');
  expect(actionOf(key('K', ['ctrl', 'shift']), chosen)).toBeUndefined();
  expect(actionOf(key('F', ['ctrl', 'shift']), { search: '' })).toBeUndefined();
});

test('a usual key that was chosen for something else is its alone', () => {
  const chosen = { command_bar: 'Ctrl+Shift+F' };
  expect(actionOf(key('F', ['ctrl', 'shift']), chosen)).toBe('command_bar');
  expect(keysFor('search', chosen)).toBe('');
});

test('a key of the browser, of another action or of the shell is not to be chosen', () => {
  const wrong = (keys: string, chosen = {}) => problemWith(keys, 'command_bar', chosen);
  expect(wrong('Ctrl+Shift+J')).toBeUndefined();
  expect(wrong('Ctrl+Alt+Space')).toBeUndefined();
  expect(wrong('Ctrl+Shift+K')).toBeUndefined();
  expect(wrong('Ctrl+Shift+P')).toContain('belongs to the browser');
  expect(wrong('Ctrl+Shift+S')).toContain('already the key for “Sessions”');
  expect(wrong('Ctrl+Shift+S', { sessions: 'Ctrl+Shift+U' })).toBeUndefined();
  expect(wrong('Ctrl+Shift+U', { sessions: 'Ctrl+Shift+U' })).toContain('“Sessions”');
  for (const plain of ['K', 'Ctrl+K', 'Shift+K', 'Alt+K']) expect(wrong(plain), plain).toBeDefined();
});

test('going to a terminal by its number has the keys that were chosen', () => {
  const three = (modifiers: string[]) => key('3', modifiers, 'Digit3');
  expect(actionOf(three(['ctrl', 'alt']), { digits: 'Ctrl+Alt' })).toBe('terminal_3');
  expect(actionOf(three(['alt']), { digits: 'Ctrl+Alt' })).toBeUndefined();
  expect(actionOf(three(['alt']), { digits: '' })).toBeUndefined();
  expect(actionOf(three(['ctrl', 'alt']), {})).toBeUndefined();
  expect(parseKeys({ digits: 'Ctrl+Alt' })).toEqual({ digits: 'Ctrl+Alt' });
  expect(parseKeys({ digits: 'Hyper' })).toEqual({});
});

test('of what is stored, only what can be a key is taken', () => {
  const stored = {
    search: 'Ctrl+Shift+U',
    copy: 'Ctrl+C',
    paste: 7,
    help: 'Ctrl+Shift+W',
    sessions: '',
    split: 'Ctrl+Shift+L',
    larger: 'Ctrl+Shift+U',
  };
  expect(parseKeys(stored)).toEqual({ search: 'Ctrl+Shift+U', sessions: '' });
  for (const broken of [null, 'Ctrl+Shift+U', []]) expect(parseKeys(broken)).toBeUndefined();
});
