// Checks tools' parameters against their JSON Schema, and shapes their results.

import { createRequire } from 'node:module';
import type { ToolResult } from '../../types/index.d.ts';
import { RpcError } from '../peer.ts';
import { errorCode } from '../protocol.ts';
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

export function asText(update: unknown): string {
  return asResult(update)
    .content.map(({ text }) => text)
    .join('\n');
}
