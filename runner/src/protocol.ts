// The protocol between daemon and runner; see docs/extensions.md.

export interface SessionInfo {
  id: string;
  name: string;
  kind: 'interactive' | 'background';
  userId: string;
  cwd: string;
}

/** An extension to load, with the generation that the daemon assigned. */
export interface Wanted {
  name: string;
  path: string;
  generation: number;
}

export interface Identity {
  session: string;
  extension: string;
  generation: number;
}

export interface LoadFailure {
  message: string;
  file?: string;
  line?: number;
  column?: number;
}

export interface Outcome {
  name: string;
  generation: number;
  status: 'loaded' | 'kept' | 'restarted' | 'failed';
  error?: LoadFailure;
}

export interface Registered {
  commands: { name: string; description?: string }[];
  tools: { name: string; description?: string; parameters?: unknown }[];
  events: string[];
  /** The events that are refused if the extension does not answer. */
  mustDecide: string[];
}

export type ResourceState = 'live' | 'orphan';
export type ResourceAction = 'create' | 'adopt' | 'reload' | 'close' | 'orphan';

export interface ResourceNote extends Identity {
  key: string;
  action: ResourceAction;
  description?: string;
  pids?: number[];
}

export interface CloseResult {
  closed: boolean;
  error?: string;
}

export type Reason = 'startup' | 'new' | 'resume' | 'reload' | 'recover';
export type EndReason = 'stuck' | 'memory' | 'exit' | 'crashed' | 'killed';

/** Times in milliseconds, memory in bytes. */
export interface Settings {
  memory: number;
  stuckAfter: number;
  /** CPU time that loading may take. */
  loadingTime: number;
  factoryTimeout: number;
  handlerTimeout: number;
  closeTimeout: number;
}

export const defaultSettings: Settings = {
  memory: 256 * 1024 * 1024,
  stuckAfter: 10_000,
  loadingTime: 30_000,
  factoryTimeout: 10_000,
  handlerTimeout: 5_000,
  closeTimeout: 10_000,
};

export const errorCode = {
  failed: -32000,
  stale: -32001,
  notFound: -32002,
  limit: -32003,
  unknownMethod: -32601,
  invalid: -32602,
} as const;
