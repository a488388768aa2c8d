// The terminals of one session of a daemon, for React: a client, its screens, and its state.

import { useEffect, useState, useSyncExternalStore } from 'react';
import { subprotocol } from '../protocol/connection';
import { TerminalsClient } from '../terminals/client';
import type { Storage } from '../terminals/persisted';
import type { Size, State } from '../terminals/state';
import { type ScreenEvents, type ScreenOptions, XtermScreen } from '../xterm/screen';
import { probe } from './probe';
import { layoutOf, recallRoom, rememberRoom } from './room';
import { signInProtocols } from './signIn';

export interface TerminalsOptions {
  /** The daemon's native address; by default `/ws` of the page's own origin. */
  url?: string;
  /** Handed to the daemon in the address; by default the browser is signed in. */
  token?: string;
  /** The session to show first; by default the one shown last, else the daemon's default. */
  session?: string;
  /** Where tabs are remembered; by default sessionStorage. */
  storage?: Storage;
}

/** What the page does for a screen, besides what the client does. */
export type PageEvents = Pick<ScreenEvents, 'confirmPaste' | 'isShortcut'> & {
  bell(terminalId: string): void;
  /** May change what was typed, as a sticky Ctrl key does. */
  typed(data: string): string;
};

export interface Terminals {
  client: TerminalsClient;
  state: State;
  /** The screen of a tab. */
  screenOf(terminalId: string): XtermScreen | undefined;
  /** For the screens to come; those that are there are told by whoever shows them. */
  configure(options: ScreenOptions): void;
  /** To be set once by whoever draws the page around the screens. */
  page: PageEvents;
}

export function defaultUrl(): string {
  return `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/ws`;
}

type Parts = Omit<Terminals, 'state'>;

export function createTerminals(options: TerminalsOptions, initial: ScreenOptions): Parts {
  const address = new URL(options.url ?? defaultUrl());
  if (options.token !== undefined) address.searchParams.set('token', options.token);
  const storage = options.storage ?? sessionStorage;
  let screenOptions = initial;
  let remembered: Size | undefined;
  const page: PageEvents = {
    confirmPaste: () => Promise.resolve(true),
    isShortcut: () => false,
    bell: () => {},
    typed: (data) => data,
  };

  function createScreen(terminalId: string): XtermScreen {
    return new XtermScreen(screenOptions, {
      input: (data) => client.input(terminalId, typeof data === 'string' ? page.typed(data) : data),
      paste: (text) => client.paste(terminalId, text),
      title: (title) => client.titleChanged(terminalId, title),
      bell: () => {
        client.bellRang(terminalId);
        page.bell(terminalId);
      },
      failed: (error) => client.screenFailed(terminalId, error),
      confirmPaste: (text) => page.confirmPaste(text),
      isShortcut: (event) => page.isShortcut(event),
    });
  }

  function screenOf(terminalId: string): XtermScreen | undefined {
    return client.screenOf(terminalId) as XtermScreen | undefined;
  }

  const client = new TerminalsClient({
    origin: address.origin,
    ...(options.session === undefined ? {} : { session: options.session }),
    storage,
    openSocket: () => new WebSocket(address, [subprotocol, ...signInProtocols(address)]),
    probe: () => probe(address),
    createScreen,
    initialRoom: recallRoom(storage, layoutOf(initial.fontSize)),
    isOffline: () => !navigator.onLine,
  });
  client.store.subscribe(() => {
    const { room } = client.state;
    if (room === remembered || !room) return;
    remembered = room;
    rememberRoom(storage, layoutOf(screenOptions.fontSize), room);
  });
  return {
    client,
    page,
    screenOf,
    configure(next) {
      screenOptions = next;
    },
  };
}

/** `options` count when the component is first drawn. */
export function useTerminals(options: TerminalsOptions, initial: ScreenOptions): Terminals {
  const [parts] = useState(() => createTerminals(options, initial));
  const { client } = parts;
  const state = useSyncExternalStore(client.store.subscribe, client.store.get);
  useEffect(() => {
    const wake = () => {
      if (!document.hidden) client.wake();
    };
    client.start();
    addEventListener('online', wake);
    addEventListener('offline', wake);
    document.addEventListener('visibilitychange', wake);
    return () => {
      removeEventListener('online', wake);
      removeEventListener('offline', wake);
      document.removeEventListener('visibilitychange', wake);
      client.stop();
    };
  }, [client]);
  return { ...parts, state };
}
