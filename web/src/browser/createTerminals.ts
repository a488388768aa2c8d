// The terminals of one session in a browser: a client on a WebSocket, with an xterm.js for each tab.

import { describeCommand } from '../actions/commandActions';
import { subprotocol } from '../protocol/connection';
import { TerminalsClient } from '../terminals/client';
import type { Files } from '../terminals/files';
import type { PaneState } from '../terminals/paneState';
import type { Storage } from '../terminals/persisted';
import type { Mark } from '../xterm/commandMarks';
import { type ScreenEvents, type ScreenOptions, XtermScreen } from '../xterm/screen';
import { createFiles, uploadInto } from './fileRequests';
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
export type PageEvents = Pick<ScreenEvents, 'confirmPaste' | 'isShortcut' | 'link' | 'touch'> & {
  /** A command's sign was pressed. */
  pressed(terminalId: string, mark: Mark, x: number, y: number): void;
  bell(terminalId: string): void;
  /** Can change typed text, for a sticky Ctrl key. */
  typed(data: string): string;
};

export interface TerminalsParts {
  client: TerminalsClient;
  files: Files;
  screenOf(terminalId: string): XtermScreen | undefined;
  /** Sets the options of future screens. Views configure the existing ones. */
  configure(options: ScreenOptions): void;
  /** Callbacks for whatever is around the screens to set. */
  page: PageEvents;
}

export function defaultUrl(): string {
  return `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/ws`;
}

/** What all windows share; of this one alone if the browser forbids that. */
function browserStorage(): Storage {
  try {
    return localStorage;
  } catch {
    return sessionStorage;
  }
}

export function createTerminals(options: TerminalsOptions, initial: ScreenOptions): TerminalsParts {
  const address = new URL(options.url ?? defaultUrl());
  if (options.token !== undefined) address.searchParams.set('token', options.token);
  const storage = options.storage ?? sessionStorage;
  let screenOptions = initial;
  let remembered: PaneState | undefined;
  const page: PageEvents = {
    confirmPaste: () => Promise.resolve(true),
    isShortcut: () => false,
    link: { hover: () => {}, confirm: () => Promise.resolve(false) },
    touch: { held: () => {}, pinched: () => {} },
    pressed: () => {},
    bell: () => {},
    typed: (data) => data,
  };

  function createScreen(terminalId: string): XtermScreen {
    return new XtermScreen(screenOptions, {
      input: (data) => client.input(terminalId, typeof data === 'string' ? page.typed(data) : data),
      paste: (text) => client.paste(terminalId, text),
      files: (dropped) => uploadInto(client, files, terminalId, dropped),
      title: (title) => client.titleChanged(terminalId, title),
      bell: () => client.bellRang(terminalId),
      failed: (error) => client.screenFailed(terminalId, error),
      confirmPaste: (text, isRisky) => page.confirmPaste(text, isRisky),
      link: {
        hover: (target) => page.link.hover(target),
        confirm: (target) => page.link.confirm(target),
      },
      touch: {
        held: (x, y) => page.touch.held(x, y),
        pinched: (fontSize) => page.touch.pinched(fontSize),
      },
      marks: {
        pressed: (mark, x, y) => page.pressed(terminalId, mark, x, y),
        describe: describeCommand,
      },
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
    preferenceStorage: options.storage ?? browserStorage(),
    openSocket: () => new WebSocket(address, [subprotocol, ...signInProtocols(address)]),
    probe: () => probe(address),
    createScreen,
    bell: (terminalId) => page.bell(terminalId),
    initialRoom: recallRoom(storage, layoutOf(initial.fontSize)),
    isOffline: () => !navigator.onLine,
  });
  const files = createFiles(client, address, options.token);
  client.store.subscribe(() => {
    const { panes } = client.state;
    const { area, cell } = panes;
    if (!area || !cell || (area === remembered?.area && cell === remembered.cell)) return;
    remembered = panes;
    rememberRoom(storage, layoutOf(screenOptions.fontSize), { area, cell });
  });
  return {
    client,
    files,
    page,
    screenOf,
    configure(next) {
      screenOptions = next;
    },
  };
}
