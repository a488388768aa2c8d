// The connection and its reconnects: when one is opened, when it is given up, and what is told.

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { FakeDaemon } from '../testing/fakeDaemon';
import { Connector } from './connector';
import type { Refusal } from './state';

let daemon: FakeDaemon;
let told: string[];
let refusal: Refusal | undefined;
/** Answers to the probes that are under way, if they are held. */
let held: ((answer: Refusal | undefined) => void)[] | undefined;
let connector: Connector;

beforeEach(() => {
  vi.useFakeTimers();
  daemon = new FakeDaemon();
  told = [];
  refusal = undefined;
  held = undefined;
  connector = new Connector({
    openSocket: daemon.openSocket,
    probe: () => (held ? new Promise((resolve) => held?.push(resolve)) : Promise.resolve(refusal)),
    random: () => 1,
    isOffline: () => false,
    events: {
      connected: () => told.push('welcome'),
      message: ({ type }) => told.push(type),
      frame: () => {},
      state: ({ kind }) => told.push(kind),
    },
  });
  connector.start();
});
afterEach(() => {
  connector.stop();
  vi.useRealTimers();
});

test('it is connected when the daemon has said welcome, not before', () => {
  expect(told).toEqual(['connecting']);
  daemon.socket.open();
  expect(told).toEqual(['connecting', 'connected', 'welcome']);
});

test('a socket that does not open in time is given up', async () => {
  await vi.advanceTimersByTimeAsync(9_999);
  expect(told).toEqual(['connecting']);
  await vi.advanceTimersByTimeAsync(1);
  expect(daemon.sockets[0]?.readyState).toBe(3);
  expect(told).toEqual(['connecting', 'waiting']);
});

test('the time to open does not run on once it is open', async () => {
  daemon.socket.open();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(daemon.sockets.length).toBe(1);
});

test('a daemon that stays away is tried ever later, and at once after it was there', async () => {
  const gaps: number[] = [];
  for (let n = 0; n < 8; ++n) {
    daemon.socket.end(1006);
    const before = Date.now();
    const { length } = daemon.sockets;
    while (daemon.sockets.length === length) await vi.advanceTimersByTimeAsync(50);
    gaps.push(Date.now() - before);
  }
  expect(gaps).toEqual([...gaps].sort((a, b) => a - b));
  expect(gaps.at(-1)).toBe(15_000);
  daemon.socket.open();
  daemon.socket.end(1012);
  expect(told.at(-1)).toBe('connecting');
});

test('a connection that has heard nothing for a while is asked; an answer keeps it', async () => {
  daemon.socket.open();
  await vi.advanceTimersByTimeAsync(30_000);
  expect(daemon.asked('ping').length).toBeGreaterThan(0);
  expect(daemon.sockets.length).toBe(1);
});

test('a connection that does not answer is replaced without being woken', async () => {
  daemon.socket.open();
  daemon.held.add('ping');
  await vi.advanceTimersByTimeAsync(30_000);
  expect(daemon.sockets.length).toBeGreaterThan(1);
});

test.each<[Refusal, boolean]>([
  ['sign_in', false],
  ['origin', false],
  ['host', false],
  ['too_many', true],
])('after a refusal (%s) it tries again by itself: %s', async (why, triesAgain) => {
  refusal = why;
  daemon.socket.end(1006);
  await vi.advanceTimersByTimeAsync(0);
  expect(told.at(-1)).toBe('refused');
  await vi.advanceTimersByTimeAsync(14_999);
  expect(daemon.sockets.length).toBe(1);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(daemon.sockets.length > 1).toBe(triesAgain);
  connector.retry();
  expect(daemon.sockets.length).toBeGreaterThan(1);
});

test('a refusal that is heard of after the next connection has begun is not told', async () => {
  refusal = 'sign_in';
  daemon.socket.end(1006);
  connector.retry();
  await vi.advanceTimersByTimeAsync(0);
  daemon.socket.open();
  expect(told).not.toContain('refused');
});

test('an answer to an earlier question about a refusal does not count', async () => {
  held = [];
  daemon.socket.end(1006);
  connector.retry();
  daemon.socket.end(1006);
  const [first, second] = held;
  first?.('sign_in');
  await vi.advanceTimersByTimeAsync(0);
  expect(told).not.toContain('refused');
  second?.('host');
  await vi.advanceTimersByTimeAsync(0);
  expect(told.at(-1)).toBe('refused');
});

test('once stopped it opens nothing, whatever wakes it', async () => {
  daemon.socket.open();
  connector.stop();
  connector.retry();
  connector.wake();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(daemon.sockets.length).toBe(1);
  expect(daemon.socket.readyState).toBe(3);
});
