import { expect, test } from 'vitest';
import { parsePreferences } from './preferences';

test('stored preferences may be anything', () => {
  const standard = { theme: 'system', fontSize: 14, screenReader: false, commandKeys: 'Ctrl+Shift+K' };
  for (const stored of [null, '', '[]', 'null', '{"theme":"pink","fontSize":"big"}'])
    expect(parsePreferences(stored), String(stored)).toEqual(standard);
  expect(parsePreferences('{"theme":"light","fontSize":400,"screenReader":true}')).toEqual({
    theme: 'light',
    fontSize: 32,
    screenReader: true,
    commandKeys: 'Ctrl+Shift+K',
  });
  expect(parsePreferences('{"commandKeys":"Ctrl+Shift+J"}').commandKeys).toBe('Ctrl+Shift+J');
  expect(parsePreferences('{"commandKeys":"Ctrl+Shift+P"}').commandKeys).toBe('Ctrl+Shift+K');
});
