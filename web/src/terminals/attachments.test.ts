// Channels and screens: which bytes reach which screen, from where an attachment goes on, what is
// acked, and what is left of a channel when its connection is lost.

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { RefusedError } from '../protocol/connection';
import { FakeDaemon } from '../testing/fakeDaemon';
import { connectParts, makeParts, type Parts, statusesOf } from '../testing/parts';

let daemon: FakeDaemon;
let parts: Parts;

beforeEach(() => {
  vi.useFakeTimers();
  daemon = new FakeDaemon();
  parts = makeParts('a', 'b');
  connectParts(parts, daemon);
});
afterEach(() => vi.useRealTimers());

function shown(terminalId: string): string[] {
  return parts.screens.get(terminalId)?.log.filter((each) => !/^\d+x\d+$/.test(each)) ?? [];
}

function sent(kind: string) {
  return daemon.socket.frames.filter((each) => each.kind === kind);
}

async function attachBoth(): Promise<void> {
  await parts.attachments.attach('a', 'then');
  await parts.attachments.attach('b', 'then');
}

test('bytes go to the screen of their channel, and are acked there', async () => {
  await attachBoth();
  daemon.socket.bytes('output', 2, 5, 'for b');
  daemon.socket.bytes('output', 1, 7, 'and a');
  daemon.socket.bytes('output', 9, 1, 'for nobody');
  expect([shown('a'), shown('b')]).toEqual([['and a'], ['for b']]);
  vi.advanceTimersByTime(100);
  expect(sent('ack').map(({ channel, offset }) => [channel, offset])).toEqual([
    [2, 5],
    [1, 7],
  ]);
});

test('an attachment goes on from what was received, and takes the size of the window', async () => {
  await attachBoth();
  daemon.socket.bytes('snapshot', 1, 500, 'hello');
  daemon.socket.end(1006);
  connectParts(parts, daemon);
  await attachBoth();
  const [a, b] = daemon.asked('attach').slice(-2);
  expect(a).toMatchObject({ terminalId: 'a', since: 500, rows: 30, cols: 100 });
  expect(b).not.toHaveProperty('since');
});

test('a terminal that was created at another time needs a snapshot', async () => {
  await attachBoth();
  daemon.socket.bytes('snapshot', 1, 500, 'hello');
  await parts.attachments.attach('a', 'later');
  expect(daemon.asked('attach').at(-1)).not.toHaveProperty('since');
});

test('channels end with their connection: the same number may be another terminal’s next', async () => {
  await attachBoth();
  daemon.socket.end(1006);
  connectParts(parts, daemon);
  daemon.socket.bytes('output', 1, 5, 'too late');
  parts.attachments.input('a', 'typed');
  expect(shown('a')).toEqual([]);
  expect(sent('input')).toEqual([]);
});

test('a channel for a tab that is closed meanwhile is given back', async () => {
  const attaching = parts.attachments.attach('a', 'then');
  parts.attachments.remove('a');
  await attaching;
  expect(daemon.asked('detach')).toEqual([{ channel: 1 }]);
  expect(parts.screens.get('a')?.isDisposed).toBe(true);
});

test('another session: every channel is given back, every screen is dropped', async () => {
  await attachBoth();
  parts.attachments.removeAll();
  expect(daemon.asked('detach')).toEqual([{ channel: 1 }, { channel: 2 }]);
  expect([...parts.screens.values()].every(({ isDisposed }) => isDisposed)).toBe(true);
});

test('a terminal that another viewer took says so, and types nothing', async () => {
  await attachBoth();
  daemon.socket.say('detached', { channel: 1, terminalId: 'a', reason: 'takeover' });
  expect(statusesOf(parts)).toEqual({ a: 'detached', b: 'connected' });
  parts.attachments.input('a', 'typed');
  expect(sent('input')).toEqual([]);
});

test('the window asks for its size where another one has set it, and else only says it is used', async () => {
  await attachBoth();
  daemon.socket.say('resized', { channel: 1, offset: 0, rows: 10, cols: 20 });
  expect(parts.screens.get('a')?.log.at(-1)).toBe('20x10');
  parts.attachments.focus('a');
  parts.attachments.focus('b');
  expect(daemon.asked('resize')).toEqual([{ channel: 1, rows: 30, cols: 100 }]);
  expect(daemon.asked('focus')).toEqual([{ channel: 2 }]);
});

test('a refused attachment is told to whoever asked; a lost connection is not', async () => {
  daemon.refuse = () => 'not_found';
  await expect(parts.attachments.attach('a')).rejects.toBeInstanceOf(RefusedError);
  daemon.held.add('attach');
  const attaching = parts.attachments.attach('a');
  daemon.socket.end(1006);
  await expect(attaching).resolves.toBeUndefined();
});

test('a screen that is gone acks nothing more: its channel is gone, too', async () => {
  await attachBoth();
  daemon.socket.bytes('output', 1, 5, 'last');
  parts.attachments.remove('a');
  vi.advanceTimersByTime(100);
  expect(sent('ack')).toEqual([]);
});

test('only the shown tab is streamed; showing another one sizes it first', async () => {
  await attachBoth();
  const [a, b] = daemon.asked('attach');
  expect([a?.hidden, b?.hidden]).toEqual([undefined, true]);
  parts.store.dispatch({ type: 'activated', terminalId: 'b' });
  expect(daemon.received.slice(-3)).toEqual([
    { type: 'hide', data: { channel: 1 } },
    { type: 'resize', data: { channel: 2, rows: 30, cols: 100 } },
    { type: 'show', data: { channel: 2 } },
  ]);
  parts.store.dispatch({ type: 'tab_removed', terminalId: 'b' });
  expect(daemon.asked('show').at(-1)).toEqual({ channel: 1 });
});

test('a tab that is selected while it attaches is shown once it has its channel', async () => {
  daemon.held.add('attach');
  const attaching = parts.attachments.attach('b', 'then');
  parts.store.dispatch({ type: 'activated', terminalId: 'b' });
  expect(daemon.asked('show')).toEqual([]);
  daemon.release();
  await attaching;
  expect(daemon.asked('show')).toEqual([{ channel: 1 }]);
});

test('a page that nobody sees gets no output, and goes on when it is seen', async () => {
  await attachBoth();
  parts.attachments.setPageVisible(false);
  expect(daemon.asked('hide')).toEqual([{ channel: 1 }]);
  daemon.socket.end(1006);
  connectParts(parts, daemon);
  await attachBoth();
  expect(
    daemon
      .asked('attach')
      .slice(-2)
      .map(({ hidden }) => hidden),
  ).toEqual([true, true]);
  parts.attachments.setPageVisible(true);
  expect(daemon.asked('show')).toEqual([{ channel: 3 }]);
});

test('what happens in a hidden tab is marked, and its title is kept', async () => {
  await attachBoth();
  const b = () => parts.store.get().tabs[1];
  daemon.socket.say('activity', { channel: 2, offset: 10 });
  expect(b()).toMatchObject({ activity: true });
  daemon.socket.say('activity', { channel: 2, offset: 20, bell: true, title: 'make' });
  expect(b()).toMatchObject({ activity: true, title: 'make' });
  expect(parts.rang).toEqual(['b']);
  daemon.socket.say('activity', { channel: 1, offset: 20 });
  expect(parts.store.get().tabs[0]).toMatchObject({ activity: false });
  parts.store.dispatch({ type: 'tab_removed', terminalId: 'a' });
  expect(parts.store.get().tabs[0]).toMatchObject({ terminalId: 'b', activity: false });
});

test('output that came while the connection was lost is marked, too', async () => {
  await attachBoth();
  daemon.socket.say('activity', { channel: 2, offset: 10 });
  parts.store.dispatch({ type: 'activated', terminalId: 'b' });
  parts.store.dispatch({ type: 'activated', terminalId: 'a' });
  daemon.socket.end(1006);
  connectParts(parts, daemon);
  daemon.special = (data, type) =>
    type === 'attach'
      ? {
          type: 'attached',
          data: {
            ...data,
            channel: 9,
            offset: 11,
            role: 'control',
            lossless: false,
            resumed: false,
            status: 'running',
          },
        }
      : undefined;
  await parts.attachments.attach('b', 'then');
  expect(parts.store.get().tabs[1]).toMatchObject({ activity: true });
});
