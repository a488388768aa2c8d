// `ui.custom`: a component that an extension draws in a terminal of the session, with pi's own
// terminal library. A file of its own: see modules.ts.

import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SessionTerminal } from './terminal.ts';
import { theme } from './theme.ts';
import {
  type Component,
  getKeybindings,
  type OverlayHandle,
  type OverlayOptions,
  TuiMainScreen,
} from './tui.ts';

export { editorOf } from './editor.ts';

type Shown = Component & { dispose?(): void };

export type Make = (
  tui: TuiMainScreen,
  colours: typeof theme,
  keybindings: ReturnType<typeof getKeybindings>,
  done: (result: unknown) => void,
) => Shown | Promise<Shown>;

export interface CustomOptions {
  overlay?: boolean;
  overlayOptions?: OverlayOptions | (() => OverlayOptions);
  onHandle?: (handle: OverlayHandle) => void;
}

/** What it takes to have a terminal. */
export interface Place {
  title: string;
  /** Makes a terminal with this program. Returns what closes it. */
  open(command: string[]): Promise<() => void>;
  /** Runs the extension's own code. */
  enter<T>(work: () => T): T;
}

const relay = join(import.meta.dirname, 'relay.mjs');

/** What the component is done with; undefined if its terminal was closed, or `signal` aborted. */
export async function show(
  make: Make,
  options: CustomOptions,
  place: Place,
  signal: AbortSignal,
): Promise<unknown> {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-'));
  const path = join(folder, 'screen.sock');
  const server = createServer();
  let close = () => {};
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(path, () => resolve());
    });
    const arriving = connection(server, signal);
    close = await place.open([process.execPath, relay, path]);
    const socket = await arriving;
    return socket && (await draw(socket, make, options, place, signal));
  } finally {
    close();
    server.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function connection(server: Server, signal: AbortSignal): Promise<Socket | undefined> {
  return new Promise((resolve) => {
    server.once('connection', resolve);
    signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
}

async function draw(
  socket: Socket,
  make: Make,
  { overlay = false, overlayOptions, onHandle }: CustomOptions,
  place: Place,
  signal: AbortSignal,
): Promise<unknown> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  const nothing = () => resolve(undefined);
  socket.once('close', nothing);
  signal.addEventListener('abort', nothing, { once: true });
  if (signal.aborted) nothing();
  const terminal = await SessionTerminal.over(socket);
  const tui = new TuiMainScreen(terminal);
  terminal.setTitle(place.title);
  let component: Shown | undefined;
  try {
    const making = Promise.resolve(place.enter(() => make(tui, theme, getKeybindings(), resolve)));
    making.catch(reject);
    component = (await Promise.race([making, promise.then(() => undefined)])) as Shown | undefined;
    if (!component) return await promise;
    const bounds = typeof overlayOptions === 'function' ? overlayOptions() : overlayOptions;
    if (overlay) onHandle?.(tui.showOverlay(component, bounds));
    else tui.addChild(component);
    tui.setFocus(component);
    place.enter(() => tui.start());
    return await promise;
  } finally {
    tui.stop();
    component?.dispose?.();
    socket.end();
  }
}
