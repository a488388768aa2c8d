import { beforeEach, expect, test } from 'vitest';
import { FakeDaemon, terminalInfo } from '../testing/fakeDaemon';
import { connectParts, makeParts, type Parts } from '../testing/parts';
import { Closer } from './closer';

let daemon: FakeDaemon;
let parts: Parts;
let closer: Closer;
let comingBack: Set<string>;

beforeEach(() => {
  daemon = new FakeDaemon();
  parts = makeParts('a', 'b');
  comingBack = new Set();
  closer = new Closer(parts.store, parts.requests, parts.attachments, ({ terminalId }) =>
    comingBack.has(terminalId),
  );
  connectParts(parts, daemon);
});

function tabs(): string[] {
  return parts.store.get().tabs.map(({ terminalId }) => terminalId);
}

test.each([
  ['a program that has a name', { busy: true, process: 'vim' }, 'vim'],
  ['a program without a name', { busy: true, command: ['make', 'all'] }, 'make'],
])('%s is asked about first', async (_what, more, process) => {
  daemon.terminals = [terminalInfo('a', more)];
  await closer.close('a');
  expect(parts.store.get().closing).toEqual({ terminalId: 'a', process });
  expect(daemon.asked('close')).toEqual([]);
  closer.cancel();
  expect(parts.store.get().closing).toBeNull();
  expect(tabs()).toEqual(['a', 'b']);
  await closer.confirm('a');
  expect(daemon.asked('close')).toEqual([{ terminalId: 'a' }]);
  expect(tabs()).toEqual(['b']);
});

test.each([
  ['an idle shell', [terminalInfo('a', { busy: false })]],
  ['one that has exited', [terminalInfo('a', { status: 'exited', exitCode: 0, busy: true })]],
  ['one that the daemon no longer has', []],
])('%s is closed at once', async (_what, terminals) => {
  daemon.terminals = terminals;
  await closer.close('a');
  expect(daemon.asked('close')).toEqual([{ terminalId: 'a' }]);
  expect(tabs()).toEqual(['b']);
  expect(parts.screens.get('a')?.isDisposed).toBe(true);
});

test('a tab whose terminal is gone already is removed all the same', async () => {
  daemon.refuse = ({ type }) => (type === 'close' ? 'not_found' : undefined);
  await closer.close('a');
  expect(tabs()).toEqual(['b']);
  expect(parts.store.get().toasts).toEqual([]);
});

test('a tab whose terminal could not be closed stays', async () => {
  daemon.refuse = ({ type }) => (type === 'close' ? 'unavailable' : undefined);
  await closer.close('a');
  expect(tabs()).toEqual(['a', 'b']);
  expect(parts.store.get().toasts.length).toBe(1);
});

test('a tab that never got a terminal is removed without asking the daemon', async () => {
  parts.store.dispatch({
    type: 'tab_status',
    terminalId: 'a',
    status: { kind: 'failed', error: 'no room' },
  });
  await closer.close('a');
  expect(tabs()).toEqual(['b']);
  expect(daemon.received).toEqual([]);
});

test('without a connection nothing is closed', async () => {
  daemon.socket.end(1006);
  await closer.close('a');
  await closer.confirm('a');
  expect(tabs()).toEqual(['a', 'b']);
});

test('a terminal that ended takes its tab with it, unless the tab gets a new one', () => {
  comingBack.add('a');
  closer.closed({ terminalId: 'a', reason: 'idle_timeout' });
  closer.closed({ terminalId: 'b', reason: 'idle_timeout' });
  expect(tabs()).toEqual(['a']);
});
