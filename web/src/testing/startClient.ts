// A client with fakes for everything it depends on.

import { vi } from 'vitest';
import { TerminalsClient } from '../terminals/client';
import type { FakeDaemon } from './fakeDaemon';
import { FakeScreen } from './fakeScreen';
import { roomFor } from './parts';

export const origin = 'ws://host';

export function startClient(daemon: FakeDaemon, screens = new Map<string, FakeScreen>()): TerminalsClient {
  let ids = 0;
  const client = new TerminalsClient({
    origin,
    storage: sessionStorage,
    openSocket: daemon.openSocket,
    probe: () => Promise.resolve(undefined),
    createScreen: (terminalId) => {
      const screen = new FakeScreen();
      screens.set(terminalId, screen);
      return screen;
    },
    newId: () => `new-${++ids}`,
    random: () => 1,
  });
  client.panes.measured(roomFor(30, 100));
  client.start();
  return client;
}

/** Waits until all pending work is done. */
export async function settle(): Promise<void> {
  await vi.advanceTimersByTimeAsync(0);
}

export async function connect(daemon: FakeDaemon): Promise<void> {
  daemon.socket.open();
  await settle();
}
