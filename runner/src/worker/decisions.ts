// The events that handlers decide about, and what their answers mean.

import { endsAsking, isAgents, readAgents } from './agent_decisions.ts';

type Data = Record<string, unknown>;

/**
 * How each event reads an answer. `{}` means no objection, undefined an invalid answer. An answer
 * with only unknown fields is invalid too, because they may be misspelt.
 */
const readers: Record<string, { fields: string[]; read(answer: Data): Data | undefined }> = {
  session_before_switch: { fields: ['cancel', 'reason'], read: cancelled },
  user_bash: {
    fields: ['argv', 'result', 'operations'],
    read: ({ argv, result, operations }) => {
      if (isTexts(argv)) return { argv };
      if (isObject(operations)) return typeof operations.exec === 'function' ? { operations } : undefined;
      return isObject(result) ? { result } : undefined;
    },
  },
  terminal_before_create: {
    fields: ['argv', 'cwd', 'env', 'cancel', 'reason'],
    read: ({ argv, cwd, env, ...rest }) => {
      const isSound =
        (argv === undefined || isTexts(argv)) &&
        (cwd === undefined || typeof cwd === 'string') &&
        (env === undefined || isTextByName(env));
      if (rest.cancel) return cancelled(rest);
      if (!isSound) return undefined;
      return Object.fromEntries(
        Object.entries({ argv, cwd, env }).filter(([, value]) => value !== undefined),
      );
    },
  },
};

/** Events whose changes go on to the next handler. For others, the first decision counts. */
const handedOn = new Set(['terminal_before_create']);

export interface Decision {
  values: Data;
  /** No other handler is asked. */
  isFinal: boolean;
}

/** Events that are refused without an answer, unless the handler says otherwise. */
export function mustUsuallyDecide(event: string): boolean {
  return event === 'user_bash' || event === 'tool_call';
}

export function isDeciding(event: string): boolean {
  return Object.hasOwn(readers, event) || isAgents(event);
}

/** What a handler decided by its answer; undefined if the answer is invalid. */
export function readDecision(event: string, returned: unknown): Decision | undefined {
  if (returned === undefined || returned === null) return { values: {}, isFinal: false };
  if (isAgents(event)) {
    const values = readAgents(event, returned);
    return values && { values, isFinal: endsAsking(event, values) };
  }
  const values = isObject(returned) ? read(event, returned) : undefined;
  if (!values) return undefined;
  const isEmpty = Object.keys(values).length === 0;
  return { values, isFinal: !isEmpty && (!handedOn.has(event) || values.cancel === true) };
}

function read(event: string, answer: Data): Data | undefined {
  const { fields = [], read } = readers[event] ?? {};
  const keys = Object.keys(answer);
  if (keys.length > 0 && !keys.some((key) => fields.includes(key))) return undefined;
  return read?.(answer);
}

function cancelled({ cancel, reason }: Data): Data | undefined {
  if (cancel === undefined || cancel === false) return {};
  return cancel === true ? { cancel, ...(typeof reason === 'string' ? { reason } : {}) } : undefined;
}

function isObject(value: unknown): value is Data {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.length > 0 && value.every((each) => typeof each === 'string');
}

function isTextByName(value: unknown): boolean {
  return isObject(value) && Object.values(value).every((each) => typeof each === 'string');
}
