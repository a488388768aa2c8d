import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { FakeDaemon, terminalInfo } from '../testing/fakeDaemon';
import { connect, settle, startClient } from '../testing/startClient';
import type { TerminalsClient } from './client';
import { type Pane, parseLayout, parseZoomed } from './layout';
import { groupsOf, placedWith, roomOf, shownTerminals } from './paneState';

let daemon: FakeDaemon;
let client: TerminalsClient;

beforeEach(() => {
  vi.useFakeTimers();
  sessionStorage.clear();
  daemon = new FakeDaemon();
  daemon.terminals = ['a', 'b', 'c'].map((id, order) => terminalInfo(id, { order }));
  client = startClient(daemon);
});

afterEach(() => {
  client.stop();
  vi.useRealTimers();
});

function drawn(pane: Pane): string {
  if (typeof pane === 'string') return pane;
  return `(${pane.parts.map(drawn).join(pane.along === 'row' ? '|' : '/')})`;
}

const tabs = () => groupsOf(client.state).map(({ tree }) => drawn(tree));
const kept = () => parseLayout(daemon.preferences.get('main layout')?.value).map(drawn);
const ofChannel = (channel: unknown) => {
  const attached = daemon.asked('attach').map((data) => data.terminalId);
  return attached[(channel as number) - 1];
};
const told = (type: string) => daemon.asked(type).map(({ channel }) => ofChannel(channel));

/** Another window of the user's keeps this layout. */
async function elsewhere(...trees: Pane[]): Promise<void> {
  daemon.keep(undefined, { session: 'main', name: 'layout', value: { tabs: trees } });
  await settle();
}

test('a split opens a terminal beside the active one, in the size that it will have', async () => {
  await connect(daemon);
  await client.panes.split('right');
  await settle();
  expect(tabs()).toEqual(['(a|new-1)', 'b', 'c']);
  expect(kept()).toEqual(['(a|new-1)']);
  expect(client.state.active).toBe('new-1');
  // 120 pixels: 5 of them are the divider, and each pane leaves 20. 34 pixels: 4, and 26 for the header.
  expect(daemon.asked('create').at(-1)).toMatchObject({ rows: 4, cols: 37 });
  expect(roomOf(client.state, 'a')).toEqual({ rows: 4, cols: 38 });
  expect(daemon.asked('resize').at(-1)).toMatchObject({ channel: 1, rows: 4, cols: 38 });
  await client.panes.split('down');
  await settle();
  expect(kept()).toEqual(['(a|(new-1/new-2))']);
});

test('all panes of the shown tab are streamed, and nothing else', async () => {
  await elsewhere({ along: 'row', parts: ['a', 'b'], sizes: [0.5, 0.5] });
  await connect(daemon);
  const hidden = daemon.asked('attach').map(({ terminalId, hidden }) => `${terminalId} ${hidden === true}`);
  expect(hidden).toEqual(['a false', 'b false', 'c true']);
  client.activate('c');
  expect(told('hide')).toEqual(['a', 'b']);
  expect(told('show')).toEqual(['c']);
  client.activate('b');
  expect(told('show')).toEqual(['c', 'a', 'b']);
  expect(shownTerminals(client.state)).toEqual(['a', 'b']);
});

test('a terminal that is gone leaves its place to the others, and the focus to one of them', async () => {
  await elsewhere({ along: 'row', parts: ['a', 'none', 'c'], sizes: [0.25, 0.5, 0.25] });
  await connect(daemon);
  expect(tabs()).toEqual(['(a|c)', 'b']);
  client.activate('c');
  daemon.socket.say('closed', { terminalId: 'c', reason: 'process_exit' });
  expect(tabs()).toEqual(['a', 'b']);
  expect(client.state.active).toBe('a');
  // What is not there any more is forgotten with the next change.
  client.panes.place('b', 'a', 'down');
  await settle();
  expect(kept()).toEqual(['(a/b)']);
});

test('what two windows change is kept together', async () => {
  await connect(daemon);
  daemon.held.add('preference_set');
  client.panes.place('b', 'a', 'right');
  await settle();
  daemon.terminals.push(terminalInfo('d'));
  daemon.socket.say('created', { terminal: terminalInfo('d') });
  await elsewhere({ along: 'column', parts: ['c', 'd'], sizes: [0.5, 0.5] });
  expect(tabs()).toEqual(['(a|b)', '(c/d)']);
  daemon.release();
  await settle();
  expect(kept().sort()).toEqual(['(a|b)', '(c/d)']);
});

// The window that is looked at has the sizes. Another one only draws what it is told.
test('a layout from elsewhere asks for no sizes', async () => {
  await elsewhere({ along: 'row', parts: ['a', 'b'], sizes: [0.5, 0.5] });
  await connect(daemon);
  const before = daemon.asked('resize').length;
  await elsewhere({ along: 'row', parts: ['a', 'b'], sizes: [0.2, 0.8] });
  expect(roomOf(client.state, 'a')?.cols).toBe(3);
  expect(daemon.asked('resize').length).toBe(before);
});

test('the focus goes to the pane on a side, and a zoomed pane is left', async () => {
  await elsewhere({
    along: 'row',
    parts: ['a', { along: 'column', parts: ['b', 'c'], sizes: [0.5, 0.5] }],
    sizes: [0.5, 0.5],
  });
  await connect(daemon);
  client.panes.go('right');
  client.panes.go('down');
  expect(client.state.active).toBe('c');
  client.panes.zoom();
  expect(shownTerminals(client.state)).toEqual(['c']);
  expect(told('hide')).toEqual(['a', 'b']);
  expect(placedWith(client.state, 'c')?.dividers).toEqual([]);
  client.panes.go('left');
  expect(client.state.active).toBe('a');
  expect(shownTerminals(client.state)).toEqual(['a', 'b', 'c']);
  client.panes.zoom();
  client.panes.zoom();
  expect(shownTerminals(client.state)).toEqual(['a', 'b', 'c']);
});

test('zoom is kept with the layout, until a person goes to another pane of the tab', async () => {
  const zoomed = () => parseZoomed(daemon.preferences.get('main layout')?.value);
  daemon.keep(undefined, {
    session: 'main',
    name: 'layout',
    value: { tabs: [{ along: 'row', parts: ['a', 'b'], sizes: [0.5, 0.5] }], zoomed: 'b' },
  });
  client.activate('c');
  await connect(daemon);
  client.activate('b');
  expect(shownTerminals(client.state)).toEqual(['b']);
  client.activate('c');
  client.activate('b');
  await settle();
  expect(shownTerminals(client.state)).toEqual(['b']);
  expect(zoomed()).toBe('b');
  client.panes.setNarrow(true);
  client.activate('a');
  expect(shownTerminals(client.state)).toEqual(['a']);
  client.activate('b');
  client.panes.setNarrow(false);
  expect(shownTerminals(client.state)).toEqual(['b']);
  client.panes.go('left');
  await settle();
  expect(shownTerminals(client.state)).toEqual(['a', 'b']);
  expect(zoomed()).toBe(null);
  client.panes.zoom();
  await settle();
  expect(zoomed()).toBe('a');
});

// What a person types would go into a terminal that another window has chosen.
test('another window that zooms a pane takes none out of sight that a person is in', async () => {
  await elsewhere({ along: 'row', parts: ['a', 'b'], sizes: [0.5, 0.5] });
  await connect(daemon);
  const value = { tabs: [{ along: 'row', parts: ['a', 'b'], sizes: [0.5, 0.5] }], zoomed: 'b' };
  daemon.keep(undefined, { session: 'main', name: 'layout', value });
  await settle();
  expect(client.state.active).toBe('a');
  expect(shownTerminals(client.state)).toEqual(['a', 'b']);
  client.activate('c');
  client.activate('b');
  expect(shownTerminals(client.state)).toEqual(['b']);
});

test('dividers move, panes grow, and become tabs again', async () => {
  await connect(daemon);
  client.panes.place('b', 'a', 'right');
  client.panes.share('a', 'b', 0.25);
  const widthOf = (id: string) => placedWith(client.state, id)?.boxes.get(id)?.width;
  expect(widthOf('a')).toBe(29);
  client.panes.grow(-0.1);
  expect(widthOf('b')).toBe(75);
  client.panes.toTab('b');
  await settle();
  expect(tabs()).toEqual(['a', 'b', 'c']);
  expect(daemon.preferences.size).toBe(0);
});

test('what is typed goes to all chosen panes that are in sight', async () => {
  await elsewhere({ along: 'row', parts: ['a', 'b', 'c'], sizes: [0.4, 0.3, 0.3] });
  await connect(daemon);
  client.panes.broadcastToAll();
  client.panes.broadcastTo('c');
  client.input('a', 'x');
  client.input('c', 'y');
  // The mouse is in one pane.
  client.input('a', '\x1b[<0;1;1M');
  await settle();
  const typed = () => daemon.asked('send').map(({ terminalId, text }) => `${terminalId} ${text}`);
  expect(typed()).toEqual(['a x', 'b x', 'c y']);
  client.paste('b', 'p');
  client.panes.zoom();
  client.input('a', 'z');
  await settle();
  expect(daemon.asked('send').map(({ terminalId, text, paste }) => `${terminalId} ${text ?? paste}`)).toEqual(
    ['a x', 'b x', 'c y', 'a p', 'b p', 'a z'],
  );
  client.panes.zoom();
  client.panes.broadcastToAll();
  client.panes.broadcastToAll();
  expect(client.state.panes.broadcast).toEqual([]);
});

test('a phone shows one terminal at a time, each in its tab', async () => {
  await elsewhere({ along: 'row', parts: ['a', 'b'], sizes: [0.5, 0.5] });
  await connect(daemon);
  client.panes.setNarrow(true);
  expect(tabs()).toEqual(['a', 'b', 'c']);
  expect(shownTerminals(client.state)).toEqual(['a']);
  expect(roomOf(client.state, 'a')).toEqual({ rows: 30, cols: 100 });
  client.panes.setNarrow(false);
  expect(shownTerminals(client.state)).toEqual(['a', 'b']);
});

test('each session has its own layout, known at once after a refresh', async () => {
  await connect(daemon);
  client.panes.place('b', 'a', 'right');
  await settle();
  client.stop();
  client = startClient(daemon);
  expect(tabs()).toEqual(['(a|b)', 'c']);
  daemon.terminals.push(terminalInfo('d', { session: 'ops' }));
  await connect(daemon);
  await client.switchSession('ops');
  await settle();
  expect(client.state.panes.layout).toEqual([]);
  await client.switchSession('main');
  await settle();
  expect(tabs()).toEqual(['(a|b)', 'c']);
});
