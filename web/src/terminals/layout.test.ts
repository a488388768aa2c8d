import { describe, expect, test } from 'vitest';
import {
  grown,
  keptLayout,
  type Layout,
  type Pane,
  parseLayout,
  placed,
  pruned,
  type Side,
  shareOf,
  tabPlaced,
  tabWith,
  terminalsIn,
  without,
  withShare,
} from './layout';

const sides: Side[] = ['left', 'right', 'up', 'down'];

/** As a person would write it: `a|b` side by side, `a/b` one above the other. */
function drawn(pane: Pane): string {
  if (typeof pane === 'string') return pane;
  return `(${pane.parts.map(drawn).join(pane.along === 'row' ? '|' : '/')})`;
}

const show = (layout: Layout) => layout.map(drawn).join(' ');

function check(layout: Layout): void {
  const all = layout.flatMap(terminalsIn);
  const isGood = new Set(all).size === all.length && layout.every(isGoodPane);
  expect(isGood, JSON.stringify(layout)).toBe(true);
}

function isGoodPane(pane: Pane): boolean {
  if (typeof pane === 'string') return true;
  const { along, parts, sizes } = pane;
  const sum = sizes.reduce((total, size) => total + size, 0);
  return (
    parts.length >= 2 &&
    sizes.length === parts.length &&
    Math.abs(sum - 1) < 1e-9 &&
    sizes.every((size) => size > 0) &&
    parts.every((part) => (typeof part === 'string' || part.along !== along) && isGoodPane(part))
  );
}

test('terminals are put beside one another, and leave where they were', () => {
  let layout = placed([], 'b', 'a', 'right');
  expect(show(layout)).toBe('(a|b)');
  layout = placed(layout, 'c', 'b', 'down');
  expect(show(layout)).toBe('(a|(b/c))');
  layout = placed(layout, 'd', 'a', 'left');
  expect(show(layout)).toBe('(d|a|(b/c))');
  expect(layout[0]?.sizes).toEqual([0.25, 0.25, 0.5]);
  layout = placed(layout, 'a', 'c', 'up');
  expect(show(layout)).toBe('(d|(b/a/c))');
  layout = without(layout, 'd');
  expect(show(layout)).toBe('(b/a/c)');
  layout = without(without(layout, 'a'), 'c');
  expect(layout).toEqual([]);
});

test('a whole tab is put beside a terminal', () => {
  let layout = placed(placed([], 'b', 'a', 'right'), 'd', 'c', 'down');
  expect(show(layout)).toBe('(a|b) (c/d)');
  layout = tabPlaced(layout, 'd', 'a', 'up');
  expect(show(layout)).toBe('((c/d/a)|b)');
  expect(show(tabPlaced(layout, 'd', 'e', 'right'))).toBe('(e|(c/d/a)|b)');
  expect(tabPlaced(layout, 'c', 'b', 'left')).toBe(layout);
});

test('what is not there changes nothing', () => {
  const layout = placed([], 'b', 'a', 'right');
  expect(show(without(layout, 'x'))).toBe('(a|b)');
  expect(withShare(layout, 'a', 'x', 0.2)).toBe(layout);
  expect(withShare(layout, 'b', 'a', 0.2)).toBe(layout);
  expect(placed(layout, 'a', 'a', 'left')).toBe(layout);
  expect(show(grown(layout, 'x', 0.1))).toBe('(a|b)');
  expect(tabWith(layout, 'x')).toBeUndefined();
});

test('a divider moves between its two parts alone', () => {
  const layout = placed(placed(placed([], 'b', 'a', 'right'), 'c', 'b', 'right'), 'd', 'c', 'down');
  expect(show(layout)).toBe('(a|b|(c/d))');
  expect(shareOf(layout, 'b', 'd')).toBeCloseTo(0.5);
  const next = withShare(layout, 'b', 'd', 0.8);
  expect(next[0]?.sizes.map((size) => size.toFixed(2))).toEqual(['0.50', '0.40', '0.10']);
  expect(shareOf(next, 'b', 'c')).toBeCloseTo(0.8);
  expect(shareOf(withShare(layout, 'c', 'd', 0), 'c', 'd')).toBeCloseTo(0.05);
  expect(shareOf(withShare(layout, 'c', 'd', 7), 'c', 'd')).toBeCloseTo(0.95);
  check(next);
});

test('a pane grows in each direction, and never pushes the others out', () => {
  let layout = placed(placed([], 'b', 'a', 'right'), 'c', 'b', 'down');
  layout = grown(layout, 'c', 0.1);
  expect(layout[0]?.sizes[1]).toBeCloseTo(0.6);
  expect(shareOf(layout, 'b', 'c')).toBeCloseTo(0.4);
  for (let i = 0; i < 50; ++i) layout = grown(layout, 'c', 0.1);
  check(layout);
  expect(shareOf(layout, 'b', 'c')).toBeCloseTo(0.05);
  for (let i = 0; i < 50; ++i) layout = grown(layout, 'c', -0.1);
  check(layout);
});

describe('every sequence of small changes keeps the invariants', () => {
  const ids = ['a', 'b', 'c'];
  const changes: ((layout: Layout) => Layout)[] = [
    ...ids.flatMap((id) =>
      ids.flatMap((other) => sides.map((side) => (layout: Layout) => placed(layout, id, other, side))),
    ),
    ...ids.map((id) => (layout: Layout) => without(layout, id)),
    ...ids.map((id) => (layout: Layout) => grown(layout, id, 0.3)),
    ...ids.map((id) => (layout: Layout) => tabPlaced(layout, id, 'c', 'up')),
    (layout) => withShare(layout, 'a', 'b', 0.9),
    (layout) => pruned(layout, (id) => id > 'b'),
  ];
  test('from every layout that can be reached', () => {
    const seen = new Map<string, Layout>([['', []]]);
    const todo: Layout[] = [[]];
    for (let layout = todo.pop(); layout; layout = todo.pop())
      for (const change of changes) {
        const next = change(layout);
        // The sizes differ without end: each shape is looked at once, and each result is checked.
        if (!seen.has(show(next))) {
          seen.set(show(next), next);
          todo.push(next);
        }
        checkOnce(next);
      }
    expect(seen.size).toBeGreaterThan(30);
  });
  const checked = new Set<string>();
  function checkOnce(layout: Layout): void {
    const key = JSON.stringify(layout);
    if (checked.has(key)) return;
    checked.add(key);
    check(layout);
    expect(show(parseLayout(JSON.parse(JSON.stringify(keptLayout(layout, null) ?? null))))).toBe(
      show(layout),
    );
  }
});

test('what is kept is repaired', () => {
  const repaired = (tabs: unknown) => {
    const layout = parseLayout({ tabs });
    check(layout);
    return show(layout);
  };
  for (const bad of [null, 5, 'a', [], {}, { tabs: 5 }]) expect(parseLayout(bad)).toEqual([]);
  const split = (along: unknown, parts: unknown, sizes: unknown) => ({ along, parts, sizes });
  expect(repaired([split('row', ['a', 'b'], [0.3, 0.7])])).toBe('(a|b)');
  expect(repaired([split('row', ['a', 'a', 'b'], [0.3, 0.3, 0.4])])).toBe('(a|b)');
  expect(repaired([split('row', ['a', 'b'], [-1, Number.NaN])])).toBe('(a|b)');
  expect(repaired([split('row', ['a', 'b'], [])])).toBe('(a|b)');
  expect(repaired([split('row', ['a', 5], [0.5, 0.5]), 'c', split('diagonal', ['d', 'e'], [0.5, 0.5])])).toBe(
    '',
  );
  expect(repaired([split('row', ['a', split('row', ['b', 'c'], [0.5, 0.5])], [0.5, 0.5])])).toBe('(a|b|c)');
  expect(repaired([split('row', ['a', 'b'], [0.5, 0.5]), split('row', ['b', 'c'], [0.5, 0.5])])).toBe(
    '(a|b)',
  );
  let deep: unknown = 'z';
  for (let i = 0; i < 1000; ++i) deep = split(i % 2 ? 'row' : 'column', [`t${i}`, deep], [0.5, 0.5]);
  expect(terminalsIn(parseLayout({ tabs: [deep] })[0] ?? '').length).toBeLessThanOrEqual(17);
  const wide = Array.from({ length: 5000 }, (_, i) => `t${i}`);
  expect(terminalsIn(parseLayout({ tabs: [split('row', wide, [])] })[0] ?? '').length).toBe(200);
});
