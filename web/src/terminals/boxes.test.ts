import { expect, test } from 'vitest';
import { dividerWidth, neighbour, place, roomIn, sideAt } from './boxes';
import { placed } from './layout';

const area = { left: 0, top: 0, width: 1005, height: 605 };
const layout = placed(placed(placed([], 'b', 'a', 'right'), 'c', 'b', 'down'), 'd', 'c', 'right');
const tree = layout[0] ?? 'none';

test('panes and dividers fill the area, in whole pixels', () => {
  for (let width = 300; width < 340; ++width) {
    const { boxes, dividers } = place(tree, { ...area, width });
    let pixels = 0;
    for (const { left, top, width, height } of [...boxes.values(), ...dividers.map(({ box }) => box)]) {
      for (const side of [left, top, width, height]) expect(Number.isInteger(side)).toBe(true);
      pixels += width * height;
    }
    expect(pixels).toBe(width * area.height);
  }
});

test('a divider knows what it is between', () => {
  const { dividers } = place(tree, area);
  expect(dividers.map(({ before, after, along }) => `${before}${after} ${along}`)).toEqual([
    'ab row',
    'bc column',
    'cd row',
  ]);
  expect(dividers[0]?.box).toEqual({ left: 500, top: 0, width: dividerWidth, height: 605 });
  expect(dividers[0]?.both).toEqual(area);
  expect(dividers[1]?.both).toEqual({ left: 505, top: 0, width: 500, height: 605 });
});

test('the pane beside a pane is found', () => {
  // a │ b
  //   ├──┬──
  //   │ c│ d
  const { boxes } = place(tree, area);
  expect(neighbour(boxes, 'a', 'right')).toBe('b');
  expect(neighbour(boxes, 'b', 'down')).toBe('c');
  expect(neighbour(boxes, 'd', 'up')).toBe('b');
  expect(neighbour(boxes, 'd', 'left')).toBe('c');
  expect(neighbour(boxes, 'c', 'left')).toBe('a');
  expect(neighbour(boxes, 'a', 'left')).toBeUndefined();
  expect(neighbour(boxes, 'b', 'up')).toBeUndefined();
  expect(neighbour(boxes, 'none', 'up')).toBeUndefined();
});

test('rooms are in whole characters', () => {
  const cell = { width: 8, height: 17 };
  expect(roomIn({ width: 826, height: 480 }, cell, false)).toEqual({ rows: 28, cols: 100 });
  expect(roomIn({ width: 825, height: 479 }, cell, false)).toEqual({ rows: 27, cols: 99 });
  expect(roomIn({ width: 826, height: 480 }, cell, true)).toEqual({ rows: 26, cols: 100 });
  expect(roomIn({ width: 1, height: 1 }, cell, true)).toEqual({ rows: 2, cols: 2 });
});

test('what is dropped goes to the nearest edge', () => {
  expect(sideAt({ width: 100, height: 50 }, 5, 25)).toBe('left');
  expect(sideAt({ width: 100, height: 50 }, 95, 25)).toBe('right');
  expect(sideAt({ width: 100, height: 50 }, 50, 2)).toBe('up');
  expect(sideAt({ width: 100, height: 50 }, 45, 45)).toBe('down');
});
