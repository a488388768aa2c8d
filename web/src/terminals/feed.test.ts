import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { FakeScreen } from '../testing/fakeScreen';
import { Feed } from './feed';

const size = { rows: 24, cols: 80 };
let screen: FakeScreen;
let acks: [number, number][];
let feed: Feed;

beforeEach(() => {
  vi.useFakeTimers();
  screen = new FakeScreen();
  acks = [];
  feed = new Feed(screen, { ack: (channel, offset) => acks.push([channel, offset]) });
});
afterEach(() => vi.useRealTimers());

function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

test('what was received is where to go on from; what was rendered is acked', () => {
  screen.isSlow = true;
  feed.attached(3, 100, size);
  feed.bytes(200, bytes('x'.repeat(100)));
  vi.advanceTimersByTime(1000);
  expect(feed.since).toBe(200);
  expect(acks).toEqual([]);
  screen.catchUp();
  vi.advanceTimersByTime(1000);
  expect(acks).toEqual([[3, 200]]);
});

test('many small outputs are acked together, a large one at once', () => {
  feed.attached(3, 0, size);
  for (let offset = 1; offset <= 500; ++offset) feed.bytes(offset, bytes('x'));
  expect(acks).toEqual([]);
  vi.advanceTimersByTime(100);
  expect(acks).toEqual([[3, 500]]);
  feed.bytes(65_500, bytes('x'.repeat(65_000)));
  expect(acks).toEqual([
    [3, 500],
    [3, 65_500],
  ]);
});

test('a resize takes effect between what came before it and what comes after', async () => {
  screen.isSlow = true;
  feed.attached(3, 0, size);
  feed.bytes(1, bytes('before'));
  feed.resize({ rows: 30, cols: 100 });
  feed.bytes(2, bytes('after'));
  expect(screen.log).toEqual(['80x24']);
  screen.catchUp();
  await vi.advanceTimersByTimeAsync(0);
  screen.catchUp();
  expect(screen.log).toEqual(['80x24', 'before', '100x30', 'after']);
});

test('nothing is acked on a channel that has ended, though it is still shown', () => {
  screen.isSlow = true;
  feed.attached(3, 0, size);
  feed.bytes(5, bytes('hello'));
  feed.detached();
  screen.catchUp();
  vi.advanceTimersByTime(1000);
  expect(screen.log).toEqual(['80x24', 'hello']);
  expect(acks).toEqual([]);
  feed.attached(1, 5, size);
  feed.bytes(6, bytes('!'));
  screen.catchUp();
  vi.advanceTimersByTime(1000);
  expect(acks).toEqual([[1, 6]]);
});

test('a screen that shows something else needs a snapshot', () => {
  feed.attached(3, 0, size);
  feed.bytes(5, bytes('hello'));
  feed.forget();
  expect(feed.since).toBeUndefined();
});

test('what comes between two pieces of output is done when the first is processed', () => {
  screen.isSlow = true;
  const done: string[] = [];
  feed.attached(3, 0, size);
  feed.bytes(1, bytes('a'));
  feed.between(() => done.push('between'));
  feed.bytes(2, bytes('b'));
  expect(done).toEqual([]);
  screen.catchUp();
  vi.advanceTimersByTime(0);
  expect(done).toEqual([]);
  return Promise.resolve().then(() => {
    expect(done).toEqual(['between']);
    screen.catchUp();
    expect(screen.log.slice(-1)).toEqual(['b']);
  });
});

test('a snapshot is told when it is processed, and output is not', () => {
  let replaced = 0;
  feed = new Feed(screen, { ack: () => {}, replaced: () => ++replaced });
  feed.attached(3, 0, size);
  feed.bytes(1, bytes('a'));
  expect(replaced).toBe(0);
  feed.bytes(2, bytes('b'), true);
  expect(replaced).toBe(1);
});
