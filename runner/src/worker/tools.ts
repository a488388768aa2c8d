// The parameters of tools, checked by their JSON Schema, and the shapes of their results.

import { Ajv, type ErrorObject } from 'ajv';
import type { ToolResult } from '../../types/index.d.ts';
import { RpcError } from '../peer.ts';
import { errorCode } from '../protocol.ts';

let ajv: Ajv | undefined;

/** A function that throws if parameters do not fit; and one that forgets the schema. */
export function compileSchema(tool: string, schema: object) {
  ajv ??= new Ajv({ strict: false, allErrors: true });
  const validator = ajv;
  if (!validator.validateSchema(schema)) {
    throw new Error(`the parameters of tool ${tool} are no JSON Schema: ${explain(validator.errors)}`);
  }
  const validate = validator.compile(schema);
  const check = (params: unknown) => {
    if (validate(params)) return;
    throw new RpcError(errorCode.invalid, `tool ${tool}: ${explain(validate.errors)}`);
  };
  return { check, forget: () => validator.removeSchema(schema) };
}

function explain(errors: ErrorObject[] | null | undefined): string {
  const lines = (errors ?? []).map(({ instancePath, message, params }) => {
    const where = instancePath === '' ? '' : `${instancePath.slice(1).replaceAll('/', '.')} `;
    const more = 'allowedValues' in params ? `: ${params.allowedValues.join(', ')}` : '';
    const name = 'additionalProperty' in params ? `: ${params.additionalProperty}` : '';
    return `${where}${message ?? 'is wrong'}${more}${name}`;
  });
  return lines.join('; ');
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
