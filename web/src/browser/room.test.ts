import { beforeEach, expect, test } from 'vitest';
import { layoutOf, recallRoom, rememberRoom } from './room';

beforeEach(() => sessionStorage.clear());

test('a window that looks as it did has the room it had', () => {
  const measured = { area: { width: 1000, height: 600 }, cell: { width: 8.5, height: 17 } };
  rememberRoom(sessionStorage, layoutOf(14), measured);
  expect(recallRoom(sessionStorage, layoutOf(14))).toEqual(measured);
  expect(recallRoom(sessionStorage, layoutOf(15))).toBeUndefined();
});

test('what is stored may be anything', () => {
  for (const stored of [
    '',
    '{',
    'null',
    '[]',
    '{"layout":"x"}',
    '{"layout":"x","area":{"width":1,"height":1}}',
    '{"layout":"x","area":{"width":1,"height":1},"cell":{"width":0,"height":1}}',
    '{"layout":"x","area":{"width":1,"height":1},"cell":{"width":"8","height":1}}',
    '{"layout":"x","area":5,"cell":{"width":8,"height":17}}',
  ]) {
    sessionStorage.setItem('holdfast:room', stored);
    expect(recallRoom(sessionStorage, 'x'), stored).toBeUndefined();
  }
});
