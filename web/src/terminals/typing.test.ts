// What is typed arrives exactly once, whatever happens to connections.

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { FakeDaemon } from '../testing/fakeDaemon';
import { connectParts, makeParts, type Parts } from '../testing/parts';
import { settle } from '../testing/startClient';

let daemon: FakeDaemon;
let parts: Parts;

beforeEach(async () => {
  vi.useFakeTimers();
  daemon = new FakeDaemon();
  parts = makeParts('a');
  await connect();
});
afterEach(() => vi.useRealTimers());

async function connect(): Promise<void> {
  connectParts(parts, daemon);
  await parts.attachments.attach('a', 'then');
  await settle();
}

function type(...pieces: string[]): void {
  for (const each of pieces) parts.typing.add('a', 'text', each);
}

function pending() {
  return parts.store.get().tabs[0]?.pending;
}

test('each key is sent at once, and says that a person types', async () => {
  type('l', 's');
  expect(daemon.asked('send').map(({ text }) => text)).toEqual(['l', 's']);
  expect(daemon.socket.frames.map(({ kind, payload }) => [kind, payload.length])).toEqual([
    ['input', 0],
    ['input', 0],
  ]);
  await settle();
  expect(daemon.typed.join('')).toBe('ls');
  expect(pending()).toBeUndefined();
});

test('what was typed without a connection is shown, and sent once when there is one', async () => {
  daemon.socket.end(1006);
  type('l', 's', '\r');
  expect(pending()).toEqual({ text: 'ls\r', asks: false });
  await connect();
  expect(daemon.typed.join('')).toBe('ls\r');
  expect(pending()).toBeUndefined();
});

test('what arrived without an answer is not typed again, and what did not arrive is', async () => {
  type('one ');
  await settle();
  daemon.held.add('send');
  type('two ', 'three ');
  const [, two] = daemon.received.filter((each) => each.type === 'send');
  daemon.held.clear();
  if (two) daemon.receive(daemon.socket, two);
  await vi.advanceTimersByTimeAsync(0);
  daemon.socket.end(1006);
  type('four');
  expect(pending()?.text).toContain('three four');
  await connect();
  expect(daemon.typed.join('')).toBe('one two three four');
});

test('if somebody else typed meanwhile, the person is asked first', async () => {
  daemon.held.add('send');
  type('make deploy\r');
  daemon.socket.end(1006);
  daemon.held.clear();
  daemon.refuse = ({ type, data }) => (type === 'send' && data.ifIdle !== undefined ? 'busy' : undefined);
  await vi.advanceTimersByTimeAsync(5000);
  await connect();
  expect(daemon.asked('send').at(-1)).toMatchObject({ ifIdle: 4000 });
  expect(pending()).toEqual({ text: 'make deploy\r', asks: true });
  type('x');
  await settle();
  expect(daemon.typed).toEqual([]);
  expect(pending()).toEqual({ text: 'make deploy\rx', asks: true });
  parts.typing.decide('a', true);
  await settle();
  expect(daemon.typed.join('')).toBe('make deploy\rx');
  expect(pending()).toBeUndefined();
});

test('what was typed long ago waits for the person, who may drop it', async () => {
  daemon.socket.end(1006);
  type('rm -r x\r');
  await vi.advanceTimersByTimeAsync(61_000);
  await connect();
  expect(pending()).toEqual({ text: 'rm -r x\r', asks: true });
  parts.typing.decide('a', false);
  type('ls\r');
  await settle();
  expect(daemon.typed).toEqual(['ls\r']);
});

test('no more than a little waits, and the person is told', () => {
  daemon.socket.end(1006);
  type('x'.repeat(4096), 'y');
  expect(pending()?.text.length).toBe(4096);
  expect(parts.store.get().toasts.length).toBe(1);
});

test('few keys are under way; the rest is sent together', async () => {
  daemon.held.add('send');
  type(...'a'.repeat(100));
  expect(daemon.asked('send').length).toBe(16);
  daemon.release();
  await settle();
  expect(daemon.asked('send').length).toBe(17);
  expect(daemon.typed.join('')).toBe('a'.repeat(100));
});

test('a long text goes without a key, and is never sent twice', async () => {
  daemon.held.add('ping');
  parts.typing.add('a', 'paste', 'x'.repeat(100_000));
  const sent = daemon.socket.frames.filter(({ kind }) => kind === 'paste');
  expect(sent.map(({ payload }) => payload.length)).toEqual([65536, 34464]);
  daemon.socket.end(1006);
  daemon.held.clear();
  await connect();
  expect(daemon.socket.frames).toEqual([]);
  expect(parts.store.get().toasts.map(({ level }) => level)).toEqual(['warning']);
  expect(pending()).toBeUndefined();
});

test('a terminal that knows no keys is typed into all the same', async () => {
  daemon.refuse = ({ type }) => (type === 'send' ? 'unsupported' : undefined);
  type('l', 's');
  await settle();
  const typed = daemon.socket.frames.filter(({ payload }) => payload.length > 0);
  expect(typed.map(({ payload }) => new TextDecoder().decode(payload)).join('')).toBe('ls');
  expect(parts.store.get().toasts).toEqual([]);
});

test('nothing is typed into a terminal that takes the place of another', async () => {
  daemon.socket.end(1006);
  type('rm -r x\r');
  parts.typing.replaced('a');
  await connect();
  expect(daemon.typed).toEqual([]);
  expect(parts.store.get().toasts.length).toBe(1);
});

test('an answer to what was dropped takes nothing else away', async () => {
  daemon.held.add('send');
  type('old');
  parts.typing.drop('a');
  type('new');
  daemon.release();
  await settle();
  expect(daemon.typed.join('')).toBe('oldnew');
  daemon.socket.end(1006);
  type('later');
  expect(pending()?.text).toBe('later');
});

test('a screen that is drawn anew sends nothing again that is under way', async () => {
  daemon.held.add('send');
  type('once');
  await parts.attachments.attach('a', 'then');
  await settle();
  expect(daemon.asked('send').length).toBe(1);
  daemon.release();
  await settle();
  expect(daemon.typed).toEqual(['once']);
});
