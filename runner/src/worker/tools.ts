// The parameters of tools, checked by their JSON Schema, and the shapes of their results.

import { createRequire } from 'node:module';
import type { ToolResult } from '../../types/index.d.ts';
import { RpcError } from '../peer.ts';
import { errorCode } from '../protocol.ts';
import { messageOf } from './failures.ts';
import type * as SchemaFile from './schema.ts';

/** A function that throws if parameters do not fit; and one that forgets the schema. */
export function compileSchema(tool: string, schema: object) {
  // Registering does not wait, so neither may reading the file.
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
    throw new Error(`the parameters of tool ${tool} are no JSON Schema: ${messageOf(error)}`);
  }
}

export function asResult(result: unknown): Exclude<ToolResult, string> {
  if (typeof result === 'string') return { content: [{ type: 'text', text: result }] };
  if (result === undefined || result === null) return { content: [] };
  const { content, details } = result as Exclude<ToolResult, string>;
  if (!Array.isArray(content)) throw new Error('a tool returns a text or {content, details?}');
  return { content, ...(details === undefined ? {} : { details }) };
}

export function asText(update: unknown): string {
  return asResult(update)
    .content.map(({ text }) => text)
    .join('\n');
}
