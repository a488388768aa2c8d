import { beforeEach, expect, test } from 'vitest';
import { LostError, RefusedError } from '../protocol/connection';
import { FakeDaemon, terminalInfo } from '../testing/fakeDaemon';
import { connectParts, makeParts, type Parts, statusesOf } from '../testing/parts';
import { Restorer } from './restorer';

let daemon: FakeDaemon;
let parts: Parts;
let restorer: Restorer;

function start(...terminalIds: string[]): void {
  daemon = new FakeDaemon();
  parts = makeParts(...terminalIds);
  restorer = new Restorer(parts.store, parts.requests, parts.attachments, parts.opener);
}

beforeEach(() => start('a', 'b'));

test('what lives is attached, what does not is created, and the daemon learns the order', async () => {
  daemon.terminals = [terminalInfo('b'), terminalInfo('other', { session: 'work' })];
  await restorer.restore(connectParts(parts, daemon));
  expect(daemon.asked('create').map(({ terminalId }) => terminalId)).toEqual(['a']);
  expect(statusesOf(parts)).toEqual({ a: 'connected', b: 'connected' });
  expect(daemon.asked('reorder')).toEqual([{ terminalIds: ['a', 'b'] }]);
});

test('the order is not told when nothing was created', async () => {
  daemon.terminals = [terminalInfo('a'), terminalInfo('b')];
  await restorer.restore(connectParts(parts, daemon));
  expect(daemon.asked('reorder')).toEqual([]);
});

test('a session without tabs and terminals gets one', async () => {
  start();
  await restorer.restore(connectParts(parts, daemon));
  expect(statusesOf(parts)).toEqual({ 'new-1': 'connected' });
});

test('it is deciding from the question to the answer, and not while terminals are made', async () => {
  daemon.held.add('list');
  let whileMaking: boolean | undefined;
  daemon.refuse = ({ type }) => {
    if (type === 'create') whileMaking = restorer.isDeciding;
    return undefined;
  };
  const connection = connectParts(parts, daemon);
  expect(restorer.isDeciding).toBe(false);
  const restoring = restorer.restore(connection);
  expect(restorer.isDeciding).toBe(true);
  daemon.release();
  await restoring;
  expect(whileMaking).toBe(false);
});

test('a list that was asked for on a lost connection is not acted on', async () => {
  daemon.held.add('list');
  const restoring = restorer.restore(connectParts(parts, daemon));
  daemon.socket.end(1006);
  restorer.disconnected();
  await expect(restoring).rejects.toBeInstanceOf(LostError);
  expect(restorer.isDeciding).toBe(false);
  expect(daemon.asked('create')).toEqual([]);
});

test('a list of a session that is no longer shown is not acted on', async () => {
  daemon.held.add('list');
  const restoring = restorer.restore(connectParts(parts, daemon));
  parts.store.dispatch({
    type: 'session_opened',
    session: 'work',
    stored: { tabs: [], active: null, counter: 0 },
  });
  daemon.release();
  await restoring;
  expect(daemon.asked('create')).toEqual([]);
  expect(parts.store.get().tabs).toEqual([]);
});

test('a refused list is told to whoever asked, and nothing is being decided', async () => {
  daemon.refuse = () => 'not_found';
  await expect(restorer.restore(connectParts(parts, daemon))).rejects.toBeInstanceOf(RefusedError);
  expect(restorer.isDeciding).toBe(false);
});
