// The terminals of one session as a React hook: a client, its screens and its state.

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
  /** The WebSocket address of the native protocol. Default: `/ws` on the page's own origin. */
  url?: string;
  /** A token to send in the address. By default the browser's sign-in is used. */
  token?: string;
  /** The session to show first. Default: the one shown last, or else the daemon's default. */
  session?: string;
  /** Where tabs are remembered. Default: sessionStorage. */
  storage?: Storage;
}

/** Screen events that the page handles, not the client. */
export type PageEvents = Pick<ScreenEvents, 'confirmPaste' | 'isShortcut'> & {
  bell(terminalId: string): void;
  /** Can change typed text, for a sticky Ctrl key. */
  typed(data: string): string;
};

export interface Terminals {
  client: TerminalsClient;
  state: State;
  screenOf(terminalId: string): XtermScreen | undefined;
  /** Sets the options of future screens. Views configure the existing ones. */
  configure(options: ScreenOptions): void;
  /** Callbacks for the component around the screens to set. */
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

/** Reads `options` only when the component is first rendered. */
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
