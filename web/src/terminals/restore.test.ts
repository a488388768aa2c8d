// Terminals that ended with the machine: offered, restored, discarded.

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { FakeDaemon, terminalInfo } from '../testing/fakeDaemon';
import type { FakeScreen } from '../testing/fakeScreen';
import { connect, origin, settle, startClient } from '../testing/startClient';
import type { TerminalsClient } from './client';
import { saveTabs } from './persisted';

let daemon: FakeDaemon;
let client: TerminalsClient;

beforeEach(() => {
  vi.useFakeTimers();
  sessionStorage.clear();
  daemon = new FakeDaemon();
  daemon.terminals = ['a', 'b', 'c'].map((id, order) =>
    terminalInfo(id, { status: 'restorable', order, name: `name of ${id}` }),
  );
});
afterEach(() => {
  client.stop();
  vi.useRealTimers();
});

async function start(): Promise<void> {
  client = startClient(daemon, new Map<string, FakeScreen>());
  await connect(daemon);
}

function statuses(): string[] {
  return client.state.tabs.map(({ terminalId, status }) => `${terminalId} ${status.kind}`);
}

function restored(): unknown[] {
  return daemon.asked('restore').map(({ terminalId }) => terminalId);
}

test('a page that opens shows them as tabs, in their order, and runs nothing by itself', async () => {
  await start();
  expect(statuses()).toEqual(['a restorable', 'b restorable', 'c restorable']);
  expect(client.state.tabs.map(({ name }) => name)).toEqual(['name of a', 'name of b', 'name of c']);
  expect(daemon.asked('create')).toEqual([]);
  expect(restored()).toEqual([]);
});

test('a tab that is clicked is made again, in the size of the window', async () => {
  await start();
  client.activate('b');
  await settle();
  expect(daemon.asked('restore')).toEqual([{ terminalId: 'b', rows: 30, cols: 100 }]);
  expect(daemon.asked('attach')).toMatchObject([{ terminalId: 'b' }]);
  expect(statuses()).toEqual(['a restorable', 'b connected', 'c restorable']);
});

test('all are made again at once', async () => {
  await start();
  client.activate('c');
  await client.restoreAll();
  expect(restored().sort()).toEqual(['a', 'b', 'c']);
  expect(statuses()).toEqual(['a connected', 'b connected', 'c connected']);
});

test('a page that showed a shell makes it again when it comes back', async () => {
  const tabs = [{ terminalId: 'b', number: 1 }];
  saveTabs(sessionStorage, origin, 'main', { tabs, active: 'b', counter: 1 });
  await start();
  expect(restored()).toEqual(['b']);
  expect(statuses()).toEqual(['b connected', 'a restorable', 'c restorable']);
});

test('one that another window made again is attached', async () => {
  await start();
  daemon.terminals = [terminalInfo('a', { createdAt: 'anew' })];
  daemon.socket.say('created', { terminal: terminalInfo('a', { createdAt: 'anew' }) });
  await settle();
  expect(restored()).toEqual([]);
  expect(statuses()[0]).toBe('a connected');
});

test('one that another window makes again at the same moment is attached', async () => {
  await start();
  daemon.terminals = [terminalInfo('a')];
  daemon.refuse = ({ type }) => (type === 'restore' ? 'already_exists' : undefined);
  client.activate('a');
  await settle();
  expect(statuses()[0]).toBe('a connected');
});

test('what cannot be made again says why', async () => {
  await start();
  daemon.refuse = ({ type }) => (type === 'restore' ? 'too_large' : undefined);
  client.activate('a');
  await settle();
  expect(statuses()[0]).toBe('a failed');
});

test('a terminal that is lost under a page stays in its place, and is not closed', async () => {
  daemon.terminals = [terminalInfo('a'), terminalInfo('b', { order: 1 })];
  await start();
  daemon.socket.say('restorable', { terminal: terminalInfo('a', { status: 'restorable' }) });
  expect(statuses()).toEqual(['a restorable', 'b connected']);
  expect(client.screenOf('a')).toBeDefined();
});

test('one can be discarded', async () => {
  await start();
  daemon.special = (_, type) =>
    type === 'close' ? { type: 'closed', data: { terminalId: 'b', reason: 'user_requested' } } : undefined;
  await client.closeTerminal('b');
  expect(statuses()).toEqual(['a restorable', 'c restorable']);
});
