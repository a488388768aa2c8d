import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { FakeDaemon } from '../testing/fakeDaemon';
import { connect, origin, settle, startClient } from '../testing/startClient';
import type { TerminalsClient } from './client';

let daemon: FakeDaemon;
let client: TerminalsClient;

beforeEach(() => {
  vi.useFakeTimers();
  sessionStorage.clear();
  daemon = new FakeDaemon();
  client = startClient(daemon);
});

afterEach(() => {
  client.stop();
  vi.useRealTimers();
});

/** Another window of the user's, with another browser. */
async function elsewhere(data: Record<string, unknown>): Promise<void> {
  daemon.keep(undefined, data);
  await settle();
}

const kept = (name: string, session = '') => daemon.preferences.get(`${session} ${name}`)?.value;
const add = (text: string) => (value: unknown) => `${value ?? ''}${text}`;

test('a change counts at once, and is kept by the daemon', async () => {
  await connect(daemon);
  const changed = vi.fn();
  client.preferences.subscribe('theme', changed);
  client.preferences.set('theme', 'dark');
  expect(client.preferences.get('theme')).toBe('dark');
  expect(changed).toHaveBeenCalledTimes(1);
  await settle();
  expect(kept('theme')).toBe('dark');
  expect(changed).toHaveBeenCalledTimes(1);
  client.preferences.set('theme', undefined);
  await settle();
  expect(daemon.preferences.size).toBe(0);
  expect(client.preferences.get('theme')).toBeUndefined();
});

test('what is kept comes with the connection, and what others change as they do', async () => {
  await elsewhere({ name: 'theme', value: 'light' });
  await elsewhere({ session: 'ops', name: 'layout', value: [1] });
  const ops = client.preferences.ofSession('ops');
  await connect(daemon);
  expect(client.preferences.get('theme')).toBe('light');
  expect(ops.get('layout')).toEqual([1]);
  expect(client.preferences.ofSession('ops')).toBe(ops);
  const same = ops.get('layout');
  await elsewhere({ session: 'ops', name: 'layout', value: [1] });
  expect(ops.get('layout')).toBe(same);
  await elsewhere({ session: 'ops', name: 'layout', value: [2] });
  expect(ops.get('layout')).toEqual([2]);
  expect(client.preferences.get('layout')).toBeUndefined();
  await elsewhere({ session: 'ops', name: 'layout', value: null });
  expect(ops.get('layout')).toBeUndefined();
});

test('changes of two windows are both kept', async () => {
  await connect(daemon);
  const ops = client.preferences.ofSession('ops');
  await settle();
  daemon.held.add('preference_set');
  ops.update('layout', add('a'));
  ops.update('layout', add('b'));
  await elsewhere({ session: 'ops', name: 'layout', value: 'X' });
  expect(ops.get('layout')).toBe('Xab');
  daemon.release();
  await settle();
  expect(kept('layout', 'ops')).toBe('Xab');
  expect(ops.get('layout')).toBe('Xab');
});

test('a value that is set whole wins over what is kept', async () => {
  await connect(daemon);
  daemon.held.add('preference_set');
  client.preferences.update('a', add('1'));
  client.preferences.set('a', 'mine');
  await elsewhere({ name: 'a', value: 'theirs' });
  expect(client.preferences.get('a')).toBe('mine');
  daemon.release();
  await settle();
  expect(kept('a')).toBe('mine');
});

test('what is changed without a connection is sent with the next one', async () => {
  client.preferences.update('a', add('1'));
  expect(client.preferences.get('a')).toBe('1');
  await elsewhere({ name: 'a', value: 'X' });
  await connect(daemon);
  expect(kept('a')).toBe('X1');
  // An answer that is lost with its connection: nobody knows whether it was taken.
  daemon.held.add('preference_set');
  client.preferences.set('b', 1);
  await settle();
  daemon.socket.end(1006);
  daemon.release();
  client.retry();
  await connect(daemon);
  expect(kept('b')).toBe(1);
});

test('what the daemon refuses stays in this browser', async () => {
  daemon.refuse = ({ type }) => (type.startsWith('preference') ? 'unsupported' : undefined);
  await connect(daemon);
  client.preferences.set('theme', 'dark');
  await settle();
  client.stop();
  client = startClient(daemon);
  expect(client.preferences.get('theme')).toBe('dark');
  // It has been upgraded.
  daemon.refuse = () => undefined;
  await elsewhere({ name: 'theme', value: 'light' });
  await connect(daemon);
  expect(client.preferences.get('theme')).toBe('dark');
  expect(kept('theme')).toBe('dark');
  expect(client.state.toasts).toEqual([]);
});

test('a locked database is tried again', async () => {
  await connect(daemon);
  daemon.refuse = ({ type }) => (type === 'preference_set' ? 'busy' : undefined);
  client.preferences.set('theme', 'dark');
  await settle();
  expect(daemon.preferences.size).toBe(0);
  daemon.refuse = () => undefined;
  await vi.advanceTimersByTimeAsync(5000);
  expect(kept('theme')).toBe('dark');
});

test('what another user has left in this browser is nobody else’s', async () => {
  await connect(daemon);
  daemon.refuse = () => 'permission_denied';
  client.preferences.set('theme', 'dark');
  await settle();
  client.stop();
  client = startClient(daemon);
  daemon.refuse = () => undefined;
  daemon.socket.readyState = 1;
  daemon.socket.say('welcome', { version: '1', protocol: 'holdfast.v1', user: 'bob', session: 'main' });
  await settle();
  expect(client.preferences.get('theme')).toBeUndefined();
  expect(daemon.preferences.size).toBe(0);
});

test('a session takes its preferences along to its new name', async () => {
  await connect(daemon);
  const ops = client.preferences.ofSession('ops');
  ops.set('layout', 1);
  await settle();
  daemon.socket.say('session_renamed', { name: 'ops', newName: 'deploy' });
  expect(client.preferences.ofSession('deploy')).toBe(ops);
  ops.set('layout', 2);
  await settle();
  expect(kept('layout', 'deploy')).toBe(2);
  daemon.socket.say('session_closed', { name: 'deploy' });
  expect(client.preferences.ofSession('deploy')).not.toBe(ops);
});

test('damaged storage counts as none', () => {
  client.stop();
  for (const bad of [
    '{',
    '1',
    '{"values":1}',
    '{"values":{},"unsent":[1]}',
    '{"values":{"a":1},"unsent":{}}',
  ]) {
    sessionStorage.setItem(`holdfast:${origin}:kept`, bad);
    client = startClient(daemon);
    expect(client.preferences.get('a')).toBeUndefined();
  }
});
