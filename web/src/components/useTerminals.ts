// The terminals of one session as a React hook.

import { useEffect, useState, useSyncExternalStore } from 'react';
import { createTerminals, type TerminalsOptions, type TerminalsParts } from '../browser/createTerminals';
import type { State } from '../terminals/state';
import type { ScreenOptions } from '../xterm/screen';

export interface Terminals extends TerminalsParts {
  state: State;
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
    const look = () => {
      client.setPageVisible(!document.hidden);
      wake();
    };
    client.setPageVisible(!document.hidden);
    client.start();
    addEventListener('online', wake);
    addEventListener('offline', wake);
    document.addEventListener('visibilitychange', look);
    return () => {
      removeEventListener('online', wake);
      removeEventListener('offline', wake);
      document.removeEventListener('visibilitychange', look);
      client.stop();
    };
  }, [client]);
  return { ...parts, state };
}
