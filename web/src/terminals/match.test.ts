import { expect, test } from 'vitest';
import { terminalInfo } from '../testing/fakeDaemon';
import { matchTerminals } from './match';

test('T030: a tab whose terminal is found and runs is attached', () => {
  const terminal = terminalInfo('a');
  expect(matchTerminals([{ terminalId: 'a', name: 'build' }], [terminal])).toEqual([
    { kind: 'attach', terminal },
  ]);
});

test('T030: a tab whose terminal is not found gets a fresh one, with its name', () => {
  expect(matchTerminals([{ terminalId: 'a', name: 'build' }], [terminalInfo('b')])[0]).toEqual({
    kind: 'create',
    terminalId: 'a',
    name: 'build',
  });
});

test('T030: a tab whose terminal is found but has exited gets a fresh one', () => {
  const terminal = terminalInfo('a', { status: 'exited', exitCode: 1 });
  expect(matchTerminals([{ terminalId: 'a' }], [terminal])).toEqual([
    { kind: 'create', terminalId: 'a', terminal },
  ]);
});

test('an exit that the page shows already is not undone by a reconnect', () => {
  const terminal = terminalInfo('a', { status: 'exited', exitCode: 1 });
  expect(matchTerminals([{ terminalId: 'a', seenExit: true }], [terminal])).toEqual([
    { kind: 'attach', terminal },
  ]);
});

test('T041: with an empty list every tab is created afresh, with names and in order', () => {
  const tabs = [{ terminalId: 'c', name: 'three' }, { terminalId: 'a' }, { terminalId: 'b', name: 'two' }];
  expect(matchTerminals(tabs, [])).toEqual([
    { kind: 'create', terminalId: 'c', name: 'three' },
    { kind: 'create', terminalId: 'a' },
    { kind: 'create', terminalId: 'b', name: 'two' },
  ]);
});

test('terminals that no tab shows get one, behind the tabs and in the order of the daemon', () => {
  const terminals = [terminalInfo('z', { order: 2 }), terminalInfo('y', { order: 1 }), terminalInfo('a')];
  expect(matchTerminals([{ terminalId: 'a' }], terminals).map(({ kind }) => kind)).toEqual([
    'attach',
    'adopt',
    'adopt',
  ]);
  expect(matchTerminals([{ terminalId: 'a' }], terminals).slice(1)).toEqual([
    { kind: 'adopt', terminal: terminals[1] },
    { kind: 'adopt', terminal: terminals[0] },
  ]);
});

test('what ended with the machine is made again where a page shows it, and is offered otherwise', () => {
  const lost = (id: string, order: number, command = ['/bin/bash']) =>
    terminalInfo(id, { status: 'restorable', order, command });
  const terminals = [lost('a', 0), lost('b', 1, ['make', 'deploy']), lost('d', 3), lost('c', 2)];
  expect(matchTerminals([{ terminalId: 'b' }, { terminalId: 'a' }], terminals)).toEqual([
    { kind: 'offer', terminal: terminals[1] },
    { kind: 'restore', terminal: terminals[0] },
    { kind: 'offer', terminal: terminals[3] },
    { kind: 'offer', terminal: terminals[2] },
  ]);
});
