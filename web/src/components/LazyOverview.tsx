// The overview, which is loaded when it is opened for the first time.

import { lazy, Suspense } from 'react';
import type { TerminalsClient } from '../terminals/client';
import type { State } from '../terminals/state';
import type { Colours } from '../xterm/themes';

const Overview = lazy(async () => ({ default: (await import('./overview/Overview')).Overview }));

export interface OverviewProps {
  client: TerminalsClient;
  state: State;
  colours: Colours;
  onClose(): void;
}

export function LazyOverview(props: OverviewProps) {
  return (
    <Suspense>
      <Overview {...props} />
    </Suspense>
  );
}
