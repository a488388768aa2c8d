// Checks tools' parameters against their JSON Schema, and shapes their results.

import { createRequire } from 'node:module';
import type { ToolResult } from '../../types/index.d.ts';
import { RpcError } from '../peer.ts';
import { errorCode } from '../protocol.ts';
import { Allowance } from './allowance.ts';
import { messageOf } from './failures.ts';
import type * as SchemaFile from './schema.ts';

/** A function that throws if parameters do not match, and one that forgets the schema. */
export function compileSchema(tool: string, schema: object) {
  // Registering is synchronous, so loading the file must be too.
  const { compile } = createRequire(import.meta.url)('./schema.mjs') as typeof SchemaFile;
  const { complaint, forget } = explained(tool, () => compile(schema));
  const check = (params: unknown) => {
    const wrong = complaint(params);
    if (wrong !== undefined) throw new RpcError(errorCode.invalid, `tool ${tool}: ${wrong}`);
  };
  return { check, forget };
}

function explained<T>(tool: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new Error(`the parameters of tool ${tool} are not a valid JSON Schema: ${messageOf(error)}`);
  }
}

export function asResult(result: unknown): Exclude<ToolResult, string> {
  if (typeof result === 'string') return { content: [{ type: 'text', text: result }] };
  if (result === undefined || result === null) return { content: [] };
  const { content, details } = result as Exclude<ToolResult, string>;
  if (!Array.isArray(content)) throw new Error('a tool must return a string or {content, details?}');
  return { content, ...(details === undefined ? {} : { details }) };
}

const updatesAtOnce = 50;
const updatesPerSecond = 20;
const longestUpdate = 16_384;

/** A tool's progress. Of updates that come faster than they may, the newest is sent. */
export class Updates {
  readonly #send: (text: string) => void;
  readonly #allowance = new Allowance(updatesAtOnce, updatesPerSecond);
  #unsent: string | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(send: (text: string) => void) {
    this.#send = send;
  }

  add(update: unknown) {
    this.#unsent = asText(update).slice(0, longestUpdate);
    if (this.#allowance.take()) this.end();
    else this.#timer ??= setTimeout(() => this.end(), 1000 / updatesPerSecond);
  }

  /** Sends what waits. */
  end() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#unsent !== undefined) this.#send(this.#unsent);
    this.#unsent = undefined;
  }
}

function asText(update: unknown): string {
  return asResult(update)
    .content.map(({ text }) => text)
    .join('\n');
}
