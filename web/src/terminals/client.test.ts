import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { FakeDaemon, terminalInfo } from '../testing/fakeDaemon';
import type { FakeScreen } from '../testing/fakeScreen';
import { origin, settle, startClient, connect as welcome } from '../testing/startClient';
import type { TerminalsClient } from './client';
import { parseTabs, saveTabs, tabsKey } from './persisted';

let daemon: FakeDaemon;
let screens: Map<string, FakeScreen>;
let client: TerminalsClient;

beforeEach(() => {
  vi.useFakeTimers();
  sessionStorage.clear();
  daemon = new FakeDaemon();
  screens = new Map();
});
afterEach(() => {
  client.stop();
  vi.useRealTimers();
});

function start(): void {
  client = startClient(daemon, screens);
}

function connect(): Promise<void> {
  return welcome(daemon);
}

function store(...tabs: { terminalId: string; number: number; name?: string }[]): void {
  saveTabs(sessionStorage, origin, 'main', {
    tabs,
    active: tabs[0]?.terminalId ?? null,
    counter: tabs.length,
  });
}

function stored() {
  return parseTabs(sessionStorage.getItem(tabsKey(origin, 'main')));
}

function statuses(): Record<string, string> {
  return Object.fromEntries(client.state.tabs.map(({ terminalId, status }) => [terminalId, status.kind]));
}

describe('T025 and T026: coming back after a refresh', () => {
  test('a first visit gets a terminal, and its id is stored', async () => {
    start();
    await connect();
    expect(daemon.asked('create')).toMatchObject([{ terminalId: 'new-1', rows: 30, cols: 100 }]);
    expect(statuses()).toEqual({ 'new-1': 'connected' });
    expect(stored()).toEqual({ tabs: [{ terminalId: 'new-1', number: 1 }], active: 'new-1', counter: 1 });
  });

  test('tabs are there at once, before the daemon is', () => {
    store({ terminalId: 'a', number: 1, name: 'build' }, { terminalId: 'b', number: 2 });
    start();
    expect(statuses()).toEqual({ a: 'reconnecting', b: 'reconnecting' });
  });

  test('what lives is attached with a snapshot, what does not or has exited is created with its name', async () => {
    store(
      { terminalId: 'a', number: 1 },
      { terminalId: 'b', number: 2, name: 'gone' },
      { terminalId: 'c', number: 3, name: 'ended' },
    );
    daemon.terminals = [terminalInfo('a'), terminalInfo('c', { status: 'exited', exitCode: 1 })];
    start();
    await connect();
    expect(daemon.asked('create').map(({ terminalId, name }) => [terminalId, name])).toEqual([
      ['b', 'gone'],
      ['c', 'ended'],
    ]);
    expect(daemon.asked('attach').find(({ terminalId }) => terminalId === 'a')).not.toHaveProperty('since');
    expect(statuses()).toEqual({ a: 'connected', b: 'connected', c: 'connected' });
    expect(daemon.asked('reorder')).toEqual([{ terminalIds: ['a', 'b', 'c'] }]);
  });

  test('T028: each tab reconnects for itself', async () => {
    store({ terminalId: 'a', number: 1 }, { terminalId: 'b', number: 2 });
    daemon.terminals = [terminalInfo('a'), terminalInfo('b')];
    daemon.refuse = ({ type, data }) =>
      type === 'attach' && data.terminalId === 'b' ? 'unavailable' : undefined;
    start();
    await connect();
    expect(statuses()).toEqual({ a: 'connected', b: 'failed' });
  });

  test('T041: an empty list makes all tabs afresh, in order, and stores their ids', async () => {
    store({ terminalId: 'b', number: 2, name: 'two' }, { terminalId: 'a', number: 1, name: 'one' });
    start();
    await connect();
    expect(daemon.asked('create').map(({ terminalId, name }) => [terminalId, name])).toEqual([
      ['b', 'two'],
      ['a', 'one'],
    ]);
    expect(stored().tabs.map(({ terminalId }) => terminalId)).toEqual(['b', 'a']);
    expect(statuses()).toEqual({ a: 'connected', b: 'connected' });
  });

  test('T041: what ended while the page was coming back is made afresh; what somebody closed is not', async () => {
    store({ terminalId: 'a', number: 1, name: 'kept' }, { terminalId: 'b', number: 2 });
    daemon.held.add('list');
    start();
    await connect();
    daemon.socket.say('closed', { terminalId: 'a', reason: 'idle_timeout' });
    daemon.socket.say('closed', { terminalId: 'b', reason: 'user_requested' });
    daemon.release();
    await settle();
    expect(daemon.asked('create')).toMatchObject([{ terminalId: 'a', name: 'kept' }]);
    expect(statuses()).toEqual({ a: 'connected' });
  });

  test('an id that is another user’s is replaced', async () => {
    store({ terminalId: 'a', number: 1, name: 'mine' });
    daemon.refuse = ({ type, data }) =>
      type === 'create' && data.terminalId === 'a' ? 'permission_denied' : undefined;
    start();
    await connect();
    expect(statuses()).toEqual({ 'new-1': 'connected' });
    expect(stored().tabs).toEqual([{ terminalId: 'new-1', number: 1, name: 'mine' }]);
  });

  test('another window that was faster in making a terminal is joined', async () => {
    store({ terminalId: 'a', number: 1 });
    daemon.refuse = ({ type }) => (type === 'create' ? 'already_exists' : undefined);
    start();
    const list = daemon.terminals;
    await connect();
    expect(list).toEqual([]);
    expect(statuses()).toEqual({ a: 'connected' });
  });

  test('terminals of other sessions get no tab here', async () => {
    daemon.terminals = [terminalInfo('a'), terminalInfo('x', { session: 'work' })];
    start();
    await connect();
    expect(statuses()).toEqual({ a: 'connected' });
  });
});

describe('a lost connection', () => {
  async function connected(): Promise<void> {
    store({ terminalId: 'a', number: 1 });
    daemon.terminals = [terminalInfo('a')];
    start();
    await connect();
    daemon.socket.bytes('snapshot', 1, 500, 'hello');
  }

  test('T033: the screen is kept, shows that it reconnects, and goes on where it was', async () => {
    await connected();
    const screen = client.screenOf('a');
    daemon.socket.end(1006);
    expect(statuses()).toEqual({ a: 'reconnecting' });
    await settle();
    await connect();
    expect(client.screenOf('a')).toBe(screen);
    expect(screens.get('a')?.isDisposed).toBe(false);
    expect(daemon.asked('attach').at(-1)).toMatchObject({ terminalId: 'a', since: 500 });
    expect(statuses()).toEqual({ a: 'connected' });
  });

  test('a terminal that was made anew under the same id is not taken for the old one', async () => {
    await connected();
    daemon.terminals = [terminalInfo('a', { createdAt: '2026-11-15T09:00:00.000Z' })];
    daemon.socket.end(1006);
    await settle();
    await connect();
    expect(daemon.asked('attach').at(-1)).not.toHaveProperty('since');
  });

  test('T032: however often it is woken, there is one connection and one attachment', async () => {
    await connected();
    daemon.socket.end(1001);
    for (let i = 0; i < 5; ++i) {
      client.retry();
      client.wake();
    }
    await settle();
    expect(daemon.sockets.length).toBe(2);
    client.retry();
    await connect();
    client.retry();
    client.wake();
    await settle();
    expect(daemon.sockets.length).toBe(2);
    expect(daemon.asked('attach').length).toBe(2);
  });

  test('T032: a list that was still awaited when the connection was lost is not acted on', async () => {
    await connected();
    daemon.held.add('list');
    daemon.socket.end(1006);
    await settle();
    await connect();
    daemon.socket.end(1006);
    await settle();
    daemon.release();
    await connect();
    expect(daemon.asked('attach').length).toBe(2);
    expect(statuses()).toEqual({ a: 'connected' });
  });

  test('a daemon that restarts is met again at once, one that stays away ever later', async () => {
    await connected();
    daemon.socket.end(1012);
    expect(daemon.sockets.length).toBe(2);
    daemon.socket.end(1006);
    await settle();
    expect(client.state.connection.kind).toBe('waiting');
    expect(daemon.sockets.length).toBe(2);
    await vi.advanceTimersByTimeAsync(500);
    expect(daemon.sockets.length).toBe(3);
  });

  test('silence after a ping is the end of a connection', async () => {
    await connected();
    daemon.held.add('ping');
    client.wake();
    await vi.advanceTimersByTimeAsync(6000);
    expect(daemon.sockets.length).toBe(2);
    expect(statuses()).toEqual({ a: 'reconnecting' });
  });

  test('what is typed meanwhile is sent once', async () => {
    await connected();
    daemon.socket.end(1006);
    client.input('a', 'ls\r');
    await settle();
    await connect();
    expect(daemon.typed).toEqual(['ls\r']);
  });

  test('a key that nobody answers is noticed within three seconds', async () => {
    await connected();
    daemon.held.add('send').add('ping');
    client.input('a', 'l');
    await vi.advanceTimersByTimeAsync(2500);
    expect(client.state.connection).toEqual({ kind: 'connected', isSilent: true });
    expect(client.state.tabs[0]?.pending?.text).toBe('l');
    daemon.release();
    await settle();
    expect(client.state.connection).toEqual({ kind: 'connected' });
    expect(client.state.tabs[0]?.pending).toBeUndefined();
    expect(daemon.typed).toEqual(['l']);
  });
});

describe('what the daemon tells', () => {
  beforeEach(async () => {
    daemon.terminals = [terminalInfo('a'), terminalInfo('b', { order: 1 })];
    start();
    await connect();
  });

  test('terminals that others make, rename, order and close', async () => {
    const terminal = terminalInfo('c', { name: 'theirs' });
    daemon.terminals = [...daemon.terminals, terminal];
    daemon.socket.say('created', { terminal });
    await settle();
    expect(statuses()).toEqual({ a: 'connected', b: 'connected', c: 'connected' });
    daemon.socket.say('renamed', { terminalId: 'a', name: 'first' });
    daemon.socket.say('reordered', { terminalIds: ['c', 'b', 'a'] });
    expect(client.state.tabs.map(({ terminalId, name }) => name ?? terminalId)).toEqual([
      'theirs',
      'b',
      'first',
    ]);
    daemon.socket.say('closed', { terminalId: 'b', reason: 'user_requested' });
    expect(client.state.tabs.length).toBe(2);
    expect(screens.get('b')?.isDisposed).toBe(true);
  });

  test('an exit stays to be seen; Enter runs it again', async () => {
    daemon.socket.say('exited', { terminalId: 'a', exitCode: 3 });
    expect(client.state.tabs[0]?.status).toEqual({ kind: 'exited', exitCode: 3 });
    client.input('a', 'x');
    client.input('a', '\r');
    daemon.socket.say('closed', { terminalId: 'a', reason: 'user_requested' });
    await settle();
    expect(daemon.asked('create')).toMatchObject([{ terminalId: 'a', command: ['/bin/bash'] }]);
    expect(statuses()).toEqual({ a: 'connected', b: 'connected' });
  });

  test('closing asks when a program runs, and not otherwise', async () => {
    daemon.terminals = [
      terminalInfo('a', { busy: true, process: 'vim' }),
      terminalInfo('b', { busy: false }),
    ];
    await client.closeTerminal('a');
    expect(client.state.closing).toEqual({ terminalId: 'a', process: 'vim' });
    client.cancelClose();
    await client.closeTerminal('b');
    expect(statuses()).toEqual({ a: 'connected' });
    await client.confirmClose('a');
    expect(statuses()).toEqual({});
  });

  test('output in a tab that is not looked at marks it, until it is', () => {
    const other = client.state.active === 'a' ? 'b' : 'a';
    const channel = other === 'a' ? 1 : 2;
    daemon.socket.say('activity', { channel, offset: 5 });
    expect(client.state.tabs.find(({ terminalId }) => terminalId === other)?.activity).toBe(true);
    client.activate(other);
    expect(client.state.tabs.some(({ activity }) => activity)).toBe(false);
  });
});

describe('an emulator that throws', () => {
  const snapshots = () => daemon.asked('attach').filter(({ since }) => since === undefined).length;

  test('is told of, and gets a snapshot', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    start();
    await connect();
    const attached = snapshots();
    client.screenFailed('new-1', new Error('thrown'));
    client.screenFailed('new-1', new Error('thrown again'));
    await settle();
    expect(daemon.asked('detach')).toHaveLength(1);
    expect(snapshots()).toBe(attached + 1);
    expect(statuses()).toEqual({ 'new-1': 'connected' });
    expect(client.state.toasts).toMatchObject([{ level: 'warning' }]);
  });

  test('at every snapshot, gets one only every few seconds', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    start();
    await connect();
    const attached = snapshots();
    for (let time = 0; time < 9000; time += 100) {
      client.screenFailed('new-1', new Error('thrown'));
      await vi.advanceTimersByTimeAsync(100);
    }
    expect(snapshots()).toBe(attached + 2);
  });
});
