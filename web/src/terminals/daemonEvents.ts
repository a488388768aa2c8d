// What the daemon tells: each message goes to the part of the client that it concerns. Answers come
// here too, before whoever waits for them gets them.

import type { ServerMessage } from '../protocol/messages';
import type { Attachments } from './attachments';
import type { Closer } from './closer';
import type { Extensions } from './extensions';
import type { Opener } from './opener';
import type { Requests } from './requests';
import type { Sessions } from './sessions';
import type { Action, State } from './state';
import type { Store } from './store';
import type { Typing } from './typing';

interface Parts {
  store: Store<State, Action>;
  requests: Requests;
  attachments: Attachments;
  typing: Typing;
  opener: Opener;
  closer: Closer;
  sessions: Sessions;
  extensions: Extensions;
}

export function receive(message: ServerMessage, parts: Parts): void {
  const { store, requests, attachments, typing, opener, closer, sessions, extensions } = parts;
  const isEvent = message.request === undefined;
  switch (message.type) {
    case 'attached':
      attachments.attached(message.data);
      return typing.attached(message.data.terminalId);
    case 'activity':
      return attachments.activity(message.data);
    case 'marked':
      return attachments.marked(message.data);
    case 'resized':
      return attachments.resized(message.data);
    case 'detached':
      return attachments.detached(message.data);
    case 'created': {
      const { terminal } = message.data;
      if (isEvent && terminal.session === store.get().session) opener.adopt(terminal);
      return;
    }
    case 'restorable': {
      const { terminal } = message.data;
      if (terminal.session === store.get().session) opener.offer(terminal);
      return;
    }
    case 'changed':
      return store.dispatch({ type: 'tab_state', ...message.data });
    case 'renamed':
      return store.dispatch({ type: 'tab_renamed', ...message.data });
    case 'reordered':
      return store.dispatch({ type: 'reordered', ...message.data });
    case 'exited': {
      const { terminalId, exitCode } = message.data;
      return store.dispatch({ type: 'tab_status', terminalId, status: { kind: 'exited', exitCode } });
    }
    case 'closed':
      return closer.closed(message.data);
    case 'error':
      if (isEvent) requests.complained(message.data);
      return;
    case 'notice':
    case 'sketch':
      return; // The parts that keep them have got them.
    default:
      sessions.receive(message);
      extensions.receive(message);
  }
}
