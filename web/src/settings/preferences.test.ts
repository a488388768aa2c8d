import { expect, test } from 'vitest';
import { defaultExtraKeys } from '../actions/extraKeys';
import { colours } from '../xterm/themes';
import { BrowserStore } from './keep';
import { defaultPreferences, fieldNames, ofTheDevice, parseField, parsePreferences } from './preferences';
import { Settings } from './settings';

const scheme = { name: 'Mine', colours: colours.dark };

test('what is stored may be anything, and each field falls back by itself', () => {
  const odd: unknown[] = [
    null,
    undefined,
    '',
    'pink',
    Number.NaN,
    -1,
    {},
    [],
    [null, 3],
    () => 1,
    { name: 7 },
  ];
  for (const value of odd)
    for (const name of fieldNames) {
      const parsed = parseField(name, value);
      expect(typeof parsed, `${name} of ${String(value)}`).toBe(typeof defaultPreferences[name]);
      expect(Array.isArray(parsed)).toBe(Array.isArray(defaultPreferences[name]));
    }
  const stored: Record<string, unknown> = { theme: 'pink', fontSize: 400, bell: 'sound', cursorBlink: 'yes' };
  expect(parsePreferences((name) => stored[name])).toEqual({
    ...defaultPreferences,
    fontSize: 32,
    bell: 'sound',
  });
});

test('in a list only what is broken is left out', () => {
  expect(parseField('schemes', [{ name: 'bad' }, scheme, scheme])).toEqual([scheme]);
  expect(parseField('extraKeys', ['Esc', 'Hyper', '^C'])).toEqual(['Esc', '^C']);
  expect(parseField('extraKeys', 'Esc')).toEqual(defaultExtraKeys);
  const profile = {
    name: ' ssh ',
    command: 'ssh build',
    environment: { A: '1', 'B C': '2', D: 3 },
    later: true,
  };
  expect(parseField('profiles', [7, profile, { name: '' }])).toEqual([
    { name: 'ssh', command: 'ssh build', directory: '', environment: { A: '1' }, colours: '' },
  ]);
  expect(parseField('profileOf', [['t1', 'ssh'], ['t2'], 'x'])).toEqual([['t1', 'ssh']]);
});

test('a font that would be more than a font is none', () => {
  expect(parseField('fontFamily', '"Fira Code", Iosevka')).toBe('"Fira Code", Iosevka');
  for (const evil of ['x;}body{display:none', 'url(//x)', 'a\nb', 'x'.repeat(300)])
    expect(parseField('fontFamily', evil)).toBe('');
});

test('numbers keep to their limits and steps', () => {
  expect(parseField('lineHeight', 1.2)).toBe(1.2);
  expect(parseField('lineHeight', 1.33)).toBe(1.35);
  expect(parseField('lineHeight', 9)).toBe(2);
  expect(parseField('scrollback', -5)).toBe(0);
});

function memory(initial = '{}') {
  const kept = { text: initial };
  return {
    kept,
    getItem: () => kept.text,
    setItem(_: string, text: string) {
      kept.text = text;
    },
  };
}

test('what this version does not know stays stored', () => {
  const storage = memory('{"theme":"light","later":[1]}');
  const store = new BrowserStore(() => storage);
  store.set('theme', 'dark');
  expect(JSON.parse(storage.kept.text)).toEqual({ theme: 'dark', later: [1] });
});

test('a browser that forbids storage, or has damaged it, has what is usual', () => {
  const forbidden = new BrowserStore(() => {
    throw new Error('forbidden');
  });
  forbidden.set('theme', 'light');
  expect(forbidden.get('theme')).toBe('light');
  for (const damaged of ['', '[', 'null', '[]'])
    expect(new BrowserStore(() => memory(damaged)).get('theme')).toBeUndefined();
});

test('another window changes what this one shows, and only that', () => {
  const storage = memory('{"theme":"light","bell":"none"}');
  const store = new BrowserStore(() => storage);
  const heard: string[] = [];
  for (const name of ['theme', 'bell']) store.subscribe(name, () => heard.push(name));
  const end = store.watch();
  storage.kept.text = '{"theme":"dark","bell":"none"}';
  dispatchEvent(new StorageEvent('storage', { key: 'holdfast:preferences' }));
  dispatchEvent(new StorageEvent('storage', { key: 'another' }));
  end();
  expect(heard).toEqual(['theme']);
  expect(store.get('theme')).toBe('dark');
});

test("the user's preferences and the device's are kept apart", () => {
  const [user, device] = [new BrowserStore(() => memory()), new BrowserStore(() => memory())];
  const settings = new Settings(user, device);
  let heard = 0;
  settings.subscribe(() => ++heard);
  settings.change({ fontSize: 20, bell: 'none' });
  expect(settings.get()).toMatchObject({ fontSize: 20, bell: 'none' });
  expect(heard).toBe(2);
  expect([user.get('fontSize'), user.get('bell')]).toEqual([undefined, 'none']);
  expect([device.get('fontSize'), device.get('bell')]).toEqual([20, undefined]);
  expect(ofTheDevice).toContain('fontSize');
  // What comes from elsewhere is not trusted, and what did not change stays the same object.
  const { schemes } = settings.get();
  user.set('bell', 'gong');
  expect(settings.get().bell).toBe('visual');
  expect(settings.get().schemes).toBe(schemes);
  // What the user never chose is as this browser has it.
  device.set('cursorStyle', 'bar');
  expect(settings.get().cursorStyle).toBe('bar');
  user.set('cursorStyle', 'underline');
  expect(settings.get().cursorStyle).toBe('underline');
  settings.update('profileOf', (old) => [...old, ['t1', 'ssh']]);
  expect(user.get('profileOf')).toEqual([['t1', 'ssh']]);
});
