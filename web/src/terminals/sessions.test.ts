// Switching sessions, and what their extensions show, ask and run.

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { FakeDaemon, terminalInfo } from '../testing/fakeDaemon';
import { connect, settle, startClient } from '../testing/startClient';
import type { TerminalsClient } from './client';

let daemon: FakeDaemon;
let client: TerminalsClient;

beforeEach(async () => {
  vi.useFakeTimers();
  sessionStorage.clear();
  daemon = new FakeDaemon();
  daemon.terminals = [terminalInfo('a'), terminalInfo('b', { order: 1 })];
  client = startClient(daemon);
  await connect(daemon);
});
afterEach(() => {
  client.stop();
  vi.useRealTimers();
});

function statuses(): Record<string, string> {
  return Object.fromEntries(client.state.tabs.map(({ terminalId, status }) => [terminalId, status.kind]));
}

function notices(): string[] {
  return client.state.toasts.map(({ text }) => text);
}

async function lose(): Promise<void> {
  daemon.socket.end(1006);
  await settle();
  await connect(daemon);
}

test('a session that was closed meanwhile gives way to the default one', async () => {
  daemon.terminals = [terminalInfo('w', { session: 'work' }), ...daemon.terminals];
  await client.switchSession('work');
  await settle();
  daemon.refuse = ({ type, data }) => (type === 'list' && data.session === 'work' ? 'not_found' : undefined);
  daemon.socket.end(1006);
  await settle();
  await connect(daemon);
  expect(client.state.session).toBe('main');
  expect(statuses()).toEqual({ a: 'connected', b: 'connected' });
});

test('another session has tabs of its own, and this one’s come back', async () => {
  daemon.terminals = [...daemon.terminals, terminalInfo('w', { session: 'work' })];
  await client.switchSession('work');
  await settle();
  expect(statuses()).toEqual({ w: 'connected' });
  await client.switchSession('main');
  await settle();
  expect(statuses()).toEqual({ a: 'connected', b: 'connected' });
});

test('what extensions show and ask in this session, and nothing of another', () => {
  const { socket } = daemon;
  for (const session of ['work', 'main']) {
    socket.say('notify', { session, level: 'info', text: `for ${session}` });
    socket.say('status', { session, key: 'vm', text: `${session} is up` });
    socket.say('ui_request', { session, id: `q-${session}`, kind: 'confirm', title: session });
  }
  expect(client.state.toasts.map(({ text }) => text)).toEqual(['for main']);
  expect(client.state.statusItems).toEqual([{ key: 'vm', text: 'main is up' }]);
  expect(client.state.questions.map(({ id }) => id)).toEqual(['q-main']);
  client.extensions.answer('q-main', true);
  expect(daemon.asked('ui_answer')).toEqual([{ id: 'q-main', value: true }]);
  expect(client.state.questions).toEqual([]);
  socket.say('status', { session: 'main', key: 'vm', text: null });
  expect(client.state.statusItems).toEqual([]);
});

test('the commands of the session are asked for first on every connection, and when it is switched', async () => {
  await client.switchSession('work');
  await settle();
  await lose();
  expect(daemon.asked('commands')).toEqual([{ session: 'main' }, { session: 'work' }, { session: 'work' }]);
  const types = daemon.received.map(({ type }) => type);
  expect(types.indexOf('commands')).toBeLessThan(types.indexOf('list'));
});

test('after a loss the daemon tells anew what is shown and asked', async () => {
  daemon.socket.say('status', { session: 'main', key: 'vm', text: 'up' });
  daemon.socket.say('status', { session: 'main', key: 'ci', text: 'green' });
  await lose();
  expect(client.state.statusItems).toEqual([]);
  daemon.socket.say('status', { session: 'main', key: 'vm', text: 'up' });
  expect(client.state.statusItems).toEqual([{ key: 'vm', text: 'up' }]);
});

test('commands that change are known; those of another session are not', () => {
  const commands = [{ name: 'deploy', extension: 'ship' }];
  daemon.socket.say('commands', { session: 'work', commands });
  expect(client.state.commands).toEqual([]);
  daemon.socket.say('commands', { session: 'main', commands });
  expect(client.state.commands).toEqual(commands);
});

test('an extension may keep the session, and says why', async () => {
  daemon.special = (_, type) =>
    type === 'session_switch'
      ? { type: 'error', data: { code: 'cancelled', error: 'A deployment is running.' } }
      : undefined;
  await client.switchSession('work');
  expect(client.state.session).toBe('main');
  expect(notices()).toEqual(['A deployment is running.']);
  expect(statuses()).toEqual({ a: 'connected', b: 'connected' });
});

test('a refusal and its details are two sentences, with one period between them', async () => {
  for (const error of ['The session is busy', 'The session is busy.']) {
    const data = { code: 'busy', error, details: 'Try again.' };
    daemon.special = (_, type) => (type === 'session_switch' ? { type: 'error', data } : undefined);
    await client.switchSession('work');
    expect(notices()).toEqual(['The session is busy. Try again.']);
    for (const { id } of client.state.toasts) client.dismissToast(id);
  }
});

test('a daemon that knows no switching and no commands is used without', async () => {
  daemon.refuse = ({ type }) =>
    type === 'session_switch' || type === 'commands' ? 'unsupported' : undefined;
  await client.switchSession('work');
  expect(client.state.session).toBe('work');
  expect(notices()).toEqual([]);
});

test('a switch that the daemon made itself is not asked for again', async () => {
  daemon.special = (_, type) => (type === 'run' ? { type: 'result', data: { session: 'work' } } : undefined);
  await client.extensions.run('/switch work');
  await settle();
  expect(client.state.session).toBe('work');
  expect(daemon.asked('session_switch')).toEqual([]);
});

test('a result of one line is a notice', async () => {
  const results: [object, string[]][] = [
    [{ text: 'Deployed.\n' }, ['Deployed.']],
    [{ error: 'staging is frozen' }, ['staging is frozen']],
    [{ text: '', exitCode: 2 }, ['/x exited with 2']],
    [{ text: 'no', exitCode: 1 }, ['no · /x exited with 1']],
    [{}, []],
  ];
  for (const [data, told] of results) {
    daemon.special = (_, type) => (type === 'run' ? { type: 'result', data } : undefined);
    await client.extensions.run('/x');
    expect(notices()).toEqual(told);
    expect(client.state.runs).toEqual([]);
    for (const { id } of client.state.toasts) client.dismissToast(id);
  }
});

test('more lines stay until they are dismissed, after what was told meanwhile', async () => {
  daemon.held.add('run');
  daemon.special = (_, type) => (type === 'run' ? { type: 'result', data: { text: '1\n2' } } : undefined);
  const running = client.extensions.run('! seq 2');
  const request = daemon.received.at(-1)?.request;
  for (const text of ['half\n', 'all']) daemon.socket.say('progress', { request, text });
  daemon.socket.say('progress', { request: 999, text: 'of nobody' });
  expect(client.state.runs).toMatchObject([{ line: '! seq 2', progress: 'half\nall\n', result: null }]);
  client.extensions.dismissRuns();
  expect(client.state.runs.length).toBe(1);
  daemon.release();
  await settle();
  await running;
  expect(client.state.runs).toMatchObject([{ result: { text: '1\n2' } }]);
  expect(notices()).toEqual([]);
  client.extensions.dismissRuns();
  expect(client.state.runs).toEqual([]);
});

test('a connection that is lost while a line runs is told', async () => {
  daemon.held.add('run');
  const running = client.extensions.run('/deploy');
  daemon.socket.end(1006);
  await running;
  expect(client.state.runs).toEqual([]);
  expect(notices()).toEqual(['The connection was lost. /deploy may still be running.']);
});
