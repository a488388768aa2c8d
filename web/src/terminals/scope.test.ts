import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { FakeDaemon, terminalInfo } from '../testing/fakeDaemon';
import { connect, settle, startClient } from '../testing/startClient';
import { matchTerminals } from './match';

beforeEach(() => {
  vi.useFakeTimers();
  sessionStorage.clear();
});
afterEach(() => vi.useRealTimers());

async function connectedWith(scope: object, ids: string[]) {
  const daemon = new FakeDaemon();
  for (const id of ids) daemon.terminals.push(terminalInfo(id));
  const client = startClient(daemon);
  daemon.scope = scope;
  await connect(daemon);
  await settle();
  return { daemon, client };
}

test('a page that may only look at one terminal shows it and asks for nothing else', async () => {
  const { daemon, client } = await connectedWith({ access: 'view', bounds: 'terminals' }, ['a']);
  expect(client.state.tabs.map(({ terminalId }) => terminalId)).toEqual(['a']);
  client.input('a', 'x');
  client.paste('a', 'x');
  await client.newTerminal();
  await client.closeTerminal('a');
  await client.runAgain('a');
  const types = daemon.received.map(({ type }) => type);
  expect(types.filter((type) => ['create', 'close', 'run'].includes(type))).toEqual([]);
  expect(daemon.socket.frames.filter(({ kind }) => kind === 'input' || kind === 'paste')).toEqual([]);
});

test('it creates nothing where there is nothing to show', async () => {
  const { daemon, client } = await connectedWith({ access: 'view' }, []);
  expect(client.state.tabs).toEqual([]);
  expect(daemon.received.map(({ type }) => type)).not.toContain('create');
});

test('without a right to create, exited terminals stay and gone ones are dropped', () => {
  const exited = terminalInfo('a', { status: 'exited', exitCode: 1 });
  expect(matchTerminals([{ terminalId: 'a' }, { terminalId: 'gone' }], [exited], false)).toEqual([
    { kind: 'attach', terminal: exited },
  ]);
});
