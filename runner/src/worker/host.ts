// What the parts of a worker share: the session, its extensions, and the way to the daemon.

import type { SessionInfo, Settings } from '../protocol.ts';
import type { Extension } from './extension.ts';
import type { Log } from './failures.ts';
import type { Loader } from './loader.ts';

export interface Host {
  readonly info: SessionInfo;
  readonly settings: Settings;
  readonly loader: Loader;
  readonly log: Log;
  /** All that were ever here, by name: what a removed one holds stays. */
  readonly extensions: Map<string, Extension>;
  /** Those that run, in their order. */
  order: Extension[];
  call(method: string, params: object): Promise<unknown>;
  notify(method: string, params: object): void;
}
