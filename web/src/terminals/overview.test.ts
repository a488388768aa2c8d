import { beforeEach, expect, test, vi } from 'vitest';
import type { ServerMessage, Sketch } from '../protocol/messages';
import { terminalInfo } from '../testing/fakeDaemon';
import { Overview } from './overview';
import type { Requests } from './requests';

let told: string[][];
let overview: Overview;

function sketch(data: Partial<Sketch>): ServerMessage {
  return {
    type: 'sketch',
    data: { terminalId: 't1', rows: 2, cols: 10, lines: {}, ...data },
  } as ServerMessage;
}

beforeEach(() => {
  told = [];
  const connection = {
    tell: (_type: string, { terminalIds }: { terminalIds: string[] }) => told.push(terminalIds),
  };
  const requests = {
    connection,
    ask: async () => ({ terminals: [terminalInfo('t1'), terminalInfo('t2', { session: 'ops' })] }),
  };
  overview = new Overview(requests as unknown as Requests);
});

test('it asks for what is in sight, once for each change, and for nothing when it is closed', () => {
  overview.open();
  overview.show(['t1', 't2']);
  overview.show(['t1', 't2']);
  overview.show(['t2']);
  overview.close();
  expect(told).toEqual([['t1', 't2'], ['t2'], []]);
});

test('lines that have not changed stay, and another size begins anew', () => {
  overview.open();
  overview.show(['t1']);
  const changed = vi.fn();
  overview.watch('t1', changed);
  overview.receive(sketch({ lines: { 0: [['one']], 1: [['two']] }, cursor: [3, 1] }));
  overview.receive(sketch({ lines: { 1: [['TWO']] } }));
  expect(overview.pictureOf('t1')).toEqual({
    rows: 2,
    cols: 10,
    cursor: undefined,
    lines: [[['one']], [['TWO']]],
  });
  overview.receive(sketch({ cols: 11, lines: { 0: [['ONE']] } }));
  expect(overview.pictureOf('t1')?.lines).toEqual([[['ONE']], []]);
  expect(changed).toHaveBeenCalledTimes(3);
});

test('what went out of sight is forgotten: the daemon starts over with it', () => {
  overview.open();
  overview.show(['t1']);
  overview.receive(sketch({ lines: { 0: [['one']] } }));
  overview.show([]);
  expect(overview.pictureOf('t1')).toBeUndefined();
});

test('a new connection is told again what is in sight', () => {
  overview.open();
  overview.show(['t1']);
  overview.connected();
  expect(told).toEqual([['t1'], ['t1']]);
});

test('the list has all sessions, and follows what terminals do', async () => {
  vi.useFakeTimers();
  const changed = vi.fn();
  overview.subscribe(changed);
  overview.open();
  await vi.advanceTimersByTimeAsync(0);
  expect(overview.get().map(({ session }) => session)).toEqual(['main', 'ops']);
  overview.receive({
    type: 'changed',
    data: { terminalId: 't2', state: { kind: 'waiting' } },
  } as ServerMessage);
  expect(overview.get()[1]?.state).toEqual({ kind: 'waiting' });
  await vi.advanceTimersByTimeAsync(500);
  expect(changed).toHaveBeenCalledTimes(3);
  overview.close();
  overview.receive({
    type: 'changed',
    data: { terminalId: 't2', state: { kind: 'prompt' } },
  } as ServerMessage);
  await vi.advanceTimersByTimeAsync(1000);
  expect(changed).toHaveBeenCalledTimes(3);
  vi.useRealTimers();
});
