// What the parts of a worker share: the session, its extensions, and calls to the daemon.

import type { SessionInfo, Settings } from '../protocol.ts';
import type { Agent } from './agent.ts';
import type { Extension } from './extension.ts';
import type { Log } from './failures.ts';
import type { Loader } from './loader.ts';
import type { Entries } from './pi/entries.ts';
import type { Shells } from './shells.ts';

export interface Host {
  readonly info: SessionInfo;
  readonly settings: Settings;
  readonly loader: Loader;
  readonly log: Log;
  readonly shells: Shells;
  readonly entries: Entries;
  readonly agent: Agent;
  /** The names of the tools that an extension has chosen; undefined: all. */
  activeTools: Set<string> | undefined;
  /** All extensions ever loaded, by name. A removed one keeps its resources. */
  readonly extensions: Map<string, Extension>;
  /** The running extensions, in order. */
  order: Extension[];
  call(method: string, params: object): Promise<unknown>;
  notify(method: string, params: object): void;
}
