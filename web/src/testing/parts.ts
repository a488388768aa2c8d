// The client's parts, without the client around them: for tests of one of them.

import { Connection } from '../protocol/connection';
import { Attachments } from '../terminals/attachments';
import { Opener } from '../terminals/opener';
import type { Measured } from '../terminals/panes';
import { parseTabs } from '../terminals/persisted';
import { Requests } from '../terminals/requests';
import { type Action, initialState, reduce, type State } from '../terminals/state';
import { createStore, type Store } from '../terminals/store';
import { Typing } from '../terminals/typing';
import type { FakeDaemon } from './fakeDaemon';
import { FakeScreen } from './fakeScreen';

/** What is measured where so many rows and columns fit, if a character is a pixel. */
export function roomFor(rows: number, cols: number): Measured {
  return { area: { width: cols + 26, height: rows + 4 }, cell: { width: 1, height: 1 } };
}

export interface Parts {
  store: Store<State, Action>;
  requests: Requests;
  attachments: Attachments;
  typing: Typing;
  opener: Opener;
  screens: Map<string, FakeScreen>;
  /** Terminals whose bell rang. */
  rang: string[];
}

/** Not connected, with a tab and a screen for each id. */
export function makeParts(...terminalIds: string[]): Parts {
  const store = createStore(reduce, initialState('main', parseTabs(null)));
  const requests = new Requests(store);
  const screens = new Map<string, FakeScreen>();
  const rang: string[] = [];
  const attachments = new Attachments(
    store,
    requests,
    (terminalId) => {
      const screen = new FakeScreen();
      screens.set(terminalId, screen);
      return screen;
    },
    (terminalId) => rang.push(terminalId),
  );
  let ids = 0;
  let keys = 0;
  const events = { bytes: attachments.send.bind(attachments), sent: () => {} };
  const typing = new Typing(store, requests, events, () => `key-${++keys}`);
  const opener = new Opener(store, requests, attachments, typing, () => `new-${++ids}`);
  store.dispatch({ type: 'panes', panes: roomFor(30, 100) });
  for (const terminalId of terminalIds) {
    store.dispatch({ type: 'tab_added', terminalId, activate: false });
    attachments.show(terminalId);
  }
  return { store, requests, attachments, typing, opener, screens, rang };
}

/** Opens a connection. Only what concerns attachments is handled. */
export function connectParts(
  { store, requests, attachments, typing }: Parts,
  daemon: FakeDaemon,
): Connection {
  const connection = new Connection(daemon.openSocket(), {
    message: (message) => {
      if (message.type === 'attached') {
        attachments.attached(message.data);
        typing.attached(message.data.terminalId);
      }
      if (message.type === 'detached') attachments.detached(message.data);
      if (message.type === 'activity') attachments.activity(message.data);
      if (message.type === 'resized') attachments.resized(message.data);
    },
    frame: (frame) => attachments.frame(frame),
    closed: () => {
      requests.connection = undefined;
      store.dispatch({ type: 'connection', connection: { kind: 'connecting' } });
      attachments.disconnected();
      typing.disconnected();
    },
  });
  daemon.socket.open();
  requests.connection = connection;
  return connection;
}

export function statusesOf({ store }: Parts): Record<string, string> {
  return Object.fromEntries(store.get().tabs.map(({ terminalId, status }) => [terminalId, status.kind]));
}
