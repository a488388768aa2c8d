import { beforeEach, expect, test } from 'vitest';
import { FakeDaemon } from '../testing/fakeDaemon';
import { connectParts, makeParts, type Parts } from '../testing/parts';

let daemon: FakeDaemon;
let parts: Parts;

beforeEach(() => {
  daemon = new FakeDaemon();
  parts = makeParts();
});

function rename(expected: string[] = []) {
  return parts.requests.ask(
    (connection) => connection.request('rename', { terminalId: 'a', name: 'x' }),
    expected,
  );
}

function notices(): string[] {
  return parts.store.get().toasts.map(({ text }) => text);
}

test('without a connection nothing is sent, and nothing is shown', async () => {
  expect(await rename()).toBe('failed');
  expect(daemon.received).toEqual([]);
  expect(notices()).toEqual([]);
});

test('an answer is handed on', async () => {
  connectParts(parts, daemon);
  expect(await rename()).toEqual({ terminalId: 'a', name: 'x' });
});

test('a refusal is shown, unless it was expected', async () => {
  connectParts(parts, daemon);
  daemon.refuse = () => 'not_found';
  expect(await rename(['not_found'])).toBeUndefined();
  expect(notices()).toEqual([]);
  expect(await rename(['too_large'])).toBe('failed');
  expect(notices()).toEqual(['This terminal is no longer there. It may have been closed in another window.']);
});

test('a connection that is lost before the answer shows nothing', async () => {
  connectParts(parts, daemon);
  daemon.held.add('rename');
  const asked = rename();
  daemon.socket.end(1006);
  expect(await asked).toBe('failed');
  expect(notices()).toEqual([]);
});

test('what is not the daemon’s refusal is not swallowed', async () => {
  connectParts(parts, daemon);
  await expect(parts.requests.ask(() => Promise.reject(new TypeError('a mistake')))).rejects.toThrow(
    'a mistake',
  );
});

test('what the daemon says about something that was left is for nobody', () => {
  connectParts(parts, daemon);
  parts.requests.complained({ code: 'not_found', error: 'there is no channel 21' });
  expect(notices()).toEqual([]);
  const busy = { code: 'busy', error: '"bot" holds the keyboard of this terminal', details: 'Try again.' };
  parts.requests.complained(busy);
  parts.requests.complained(busy);
  expect(notices()).toEqual(['"bot" holds the keyboard of this terminal. Try again.']);
});
