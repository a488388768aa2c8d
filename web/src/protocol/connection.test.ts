import { expect, test } from 'vitest';
import { FakeDaemon } from '../testing/fakeDaemon';
import { Connection, LostError, RefusedError } from './connection';

function connect() {
  const daemon = new FakeDaemon();
  const closed: number[] = [];
  const socket = daemon.openSocket();
  const connection = new Connection(socket, {
    message: () => {},
    frame: () => {},
    closed: (code) => closed.push(code),
  });
  socket.open();
  return { daemon, socket, connection, closed };
}

test('input larger than a message goes in chunks, in order and complete', () => {
  const { socket, connection } = connect();
  const paste = Uint8Array.from({ length: 3_000_001 }, (_, index) => index % 251);
  connection.input(7, paste);
  expect(socket.frames.length).toBeGreaterThan(1);
  for (const { kind, channel, payload } of socket.frames) {
    expect([kind, channel]).toEqual(['input', 7]);
    expect(payload.length + 13).toBeLessThanOrEqual(1024 * 1024);
  }
  const sent = new Uint8Array(paste.length);
  let at = 0;
  for (const { payload } of socket.frames) {
    sent.set(payload, at);
    at += payload.length;
  }
  expect(at).toBe(paste.length);
  expect(Buffer.compare(sent, paste)).toBe(0);
});

test('an error is the answer to the request it names', async () => {
  const { daemon, connection } = connect();
  daemon.refuse = () => 'not_found';
  const refusal = await connection.request('list', {}).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(RefusedError);
  expect(refusal).toMatchObject({ code: 'not_found' });
});

test('requests that wait when the connection ends are told, once, and so is its owner', async () => {
  const { daemon, socket, connection, closed } = connect();
  daemon.held.add('list');
  const waiting = connection.request('list', {});
  socket.end(1006);
  await expect(waiting).rejects.toBeInstanceOf(LostError);
  await expect(connection.request('list', {})).rejects.toBeInstanceOf(LostError);
  connection.drop();
  expect(closed).toEqual([1006]);
});

test('a message that cannot be read does not end the connection', async () => {
  const { socket, connection } = connect();
  const { error } = console;
  console.error = () => {};
  socket.say('exited', { terminalId: 5 });
  socket.onmessage?.({ data: new ArrayBuffer(3) } as never);
  console.error = error;
  await expect(connection.request('ping', {})).resolves.toEqual({});
});
