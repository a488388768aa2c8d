import { beforeEach, expect, test } from 'vitest';
import { layoutOf, recallRoom, rememberRoom } from './room';

beforeEach(() => sessionStorage.clear());

test('a window that looks as it did has the room it had', () => {
  rememberRoom(sessionStorage, layoutOf(14), { rows: 30, cols: 100 });
  expect(recallRoom(sessionStorage, layoutOf(14))).toEqual({ rows: 30, cols: 100 });
  expect(recallRoom(sessionStorage, layoutOf(15))).toBeUndefined();
});

test('what is stored may be anything', () => {
  for (const stored of [
    '',
    '{',
    'null',
    '[]',
    '{"layout":"x"}',
    '{"layout":"x","rows":0,"cols":80}',
    '{"layout":"x","rows":"24","cols":80}',
  ]) {
    sessionStorage.setItem('holdfast:room', stored);
    expect(recallRoom(sessionStorage, 'x'), stored).toBeUndefined();
  }
});
