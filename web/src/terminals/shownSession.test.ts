import { beforeEach, expect, test } from 'vitest';
import { FakeDaemon, terminalInfo } from '../testing/fakeDaemon';
import { connectParts, makeParts, type Parts, statusesOf } from '../testing/parts';
import { Extensions } from './extensions';
import { loadSession, saveTabs, tabsKey } from './persisted';
import { Restorer } from './restorer';
import { ShownSession } from './shownSession';

const origin = 'ws://host';
let daemon: FakeDaemon;
let parts: Parts;
let shown: ShownSession;

beforeEach(() => {
  sessionStorage.clear();
  daemon = new FakeDaemon();
  daemon.terminals = [terminalInfo('a'), terminalInfo('w', { session: 'work' })];
  parts = makeParts('a');
  const { store, requests, attachments, opener } = parts;
  shown = new ShownSession({
    store,
    requests,
    attachments,
    restorer: new Restorer(store, requests, attachments, opener),
    extensions: new Extensions(store, requests, () => {}),
    storage: sessionStorage,
    origin,
  });
});

function remember(session: string, terminalId: string): void {
  const tabs = [{ terminalId, number: 1 }];
  saveTabs(sessionStorage, origin, session, { tabs, active: terminalId, counter: 1 });
}

function remembers(session: string): boolean {
  return sessionStorage.getItem(tabsKey(origin, session)) !== null;
}

test('without a connection another session shows the tabs that are remembered', async () => {
  remember('work', 'w');
  await shown.switchTo('work');
  expect(statusesOf(parts)).toEqual({ w: 'reconnecting' });
  expect(parts.screens.get('a')?.isDisposed).toBe(true);
  expect(loadSession(sessionStorage, origin)).toBe('work');
});

test('the extensions of a session are asked for before its terminals', async () => {
  connectParts(parts, daemon);
  await shown.switchTo('work');
  expect(statusesOf(parts)).toEqual({ w: 'connected' });
  expect(daemon.received.slice(0, 3).map(({ type }) => type)).toEqual(['session_switch', 'commands', 'list']);
});

test('the session that is shown already is not switched to', async () => {
  connectParts(parts, daemon);
  await shown.switchTo('main');
  await shown.show('main');
  expect(daemon.received).toEqual([]);
});

test('of two switches at once the first to be granted counts', async () => {
  connectParts(parts, daemon);
  await Promise.all([shown.switchTo('work'), shown.switchTo('other')]);
  expect(parts.store.get().session).toBe('work');
});

test('a session that is gone gives way to the default one; if that is gone too, it is told', async () => {
  daemon.refuse = ({ type }) => (type === 'list' ? 'not_found' : undefined);
  connectParts(parts, daemon);
  await shown.switchTo('work');
  expect(parts.store.get().session).toBe('main');
  expect(parts.store.get().toasts.map(({ text }) => text)).toEqual(['Refused: not_found.']);
});

test('a session that was closed is forgotten, and no longer shown', () => {
  remember('main', 'a');
  remember('work', 'w');
  shown.defaultName = 'home';
  shown.closed('work');
  expect(remembers('work')).toBe(false);
  expect(parts.store.get().session).toBe('main');
  shown.closed('main');
  expect(remembers('main')).toBe(false);
  expect(parts.store.get().session).toBe('home');
});

test('a session that was renamed is remembered under its new name, if it is the shown one', () => {
  remember('main', 'a');
  shown.renamed('work', 'play');
  expect(remembers('main')).toBe(true);
  shown.renamed('main', 'home');
  expect(remembers('main')).toBe(false);
  expect(loadSession(sessionStorage, origin)).toBe('home');
});
