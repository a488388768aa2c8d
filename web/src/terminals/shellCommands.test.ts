// What the page knows of the commands of shells, and what it does with them.

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ShellCommand } from '../protocol/messages';
import { FakeDaemon, terminalInfo } from '../testing/fakeDaemon';
import type { FakeScreen } from '../testing/fakeScreen';
import { connect, settle, startClient } from '../testing/startClient';
import type { TerminalsClient } from './client';

let daemon: FakeDaemon;
let screens: Map<string, FakeScreen>;
let client: TerminalsClient;

beforeEach(async () => {
  vi.useFakeTimers();
  sessionStorage.clear();
  daemon = new FakeDaemon();
  daemon.terminals = [terminalInfo('a')];
  screens = new Map();
  client = startClient(daemon, screens);
  await connect(daemon);
  await settle();
});
afterEach(() => {
  client.stop();
  vi.useRealTimers();
});

const make: ShellCommand = {
  text: 'make',
  directory: '/src',
  start: 10,
  end: 15,
  exitCode: 2,
  startedAt: null,
  endedAt: null,
};
const log = () => screens.get('a')?.log.filter((each) => !/^\d+x\d+$/.test(each));

function answer(state: string, commands: ShellCommand[] = []): void {
  daemon.special = (data, type) =>
    type === 'commands_of' ? { type, data: { ...data, state, commands } } : undefined;
}

test('what is marked comes between the output before it and after it', async () => {
  expect(daemon.asked('attach')[0]).toMatchObject({ marks: true });
  const screen = screens.get('a');
  if (screen) screen.isSlow = true;
  daemon.socket.bytes('output', 1, 10, 'one');
  daemon.socket.say('marked', { channel: 1, offset: 10, command: make });
  daemon.socket.bytes('output', 1, 15, 'two');
  expect(log()).toEqual([]);
  screen?.catchUp();
  await settle();
  screen?.catchUp();
  expect(log()).toEqual(['one', 'make at 10', 'two']);
  daemon.socket.say('marked', { channel: 9, offset: 10, command: make });
  expect(log()).toHaveLength(3);
});

test('a snapshot with marks makes the page ask which commands they are', async () => {
  answer('prompt', [make]);
  daemon.socket.bytes('snapshot', 1, 20, 'without marks');
  await settle();
  expect(daemon.asked('commands_of')).toEqual([]);
  const screen = screens.get('a');
  if (screen) screen.lacksCommands = true;
  daemon.socket.bytes('output', 1, 21, 'output');
  await settle();
  expect(daemon.asked('commands_of')).toEqual([]);
  daemon.socket.bytes('snapshot', 1, 30, 'with marks');
  await settle();
  expect(log()?.at(-1)).toBe('knows make');
});

test('a command is typed again at the prompt alone, in place of what is there', async () => {
  answer('running');
  expect(await client.runCommand('a', make)).toBe('busy');
  answer('prompt');
  expect(await client.runCommand('a', { ...make, text: null })).toBe('unsure');
  expect(await client.runCommand('a', { ...make, text: 'x'.repeat(2000) })).toBe('unsure');
  expect(daemon.typed).toEqual([]);
  expect(await client.runCommand('a', make)).toBe('typed');
  await settle();
  expect(daemon.typed.join('')).toBe('\x1b[133;133~make\r');
});

test('the newest search alone counts, and the one before is cancelled', async () => {
  const found = { terminalId: 'a', session: 'main', line: 1, fromEnd: 0, text: 'x' };
  const find = { text: 'x', matchCase: false, word: false, regex: false };
  daemon.held.add('search');
  const first = client.search.find(find);
  daemon.held.clear();
  daemon.special = (_, type) =>
    type === 'search' ? { type: 'found', data: { matches: [found], leftOut: 2, skipped: ['b'] } } : undefined;
  expect(await client.search.find({ ...find, regex: true })).toEqual({
    matches: [found],
    count: 3,
    skipped: ['b'],
  });
  expect(daemon.asked('cancel')).toHaveLength(1);
  expect(daemon.asked('search').map(({ literal }) => literal)).toEqual([true, false]);
  daemon.special = () => ({ type: 'error', data: { code: 'invalid_argument', error: 'cannot use it' } });
  expect(await client.search.find(find)).toBe('Cannot use it.');
  daemon.socket.end(1006);
  expect(await first).toBeUndefined();
});
