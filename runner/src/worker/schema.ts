// Checks values against a JSON Schema. A file of its own, loaded with the first tool that has
// parameters: it would cost every session a megabyte.

import { Ajv, type ErrorObject } from 'ajv';

const ajv = new Ajv({ strict: false, allErrors: true });

export interface Schema {
  /** What is wrong with a value; undefined if it is valid. */
  complaint(value: unknown): string | undefined;
  forget(): void;
}

/** Throws if it is not a valid JSON Schema. */
export function compile(schema: object): Schema {
  if (!ajv.validateSchema(schema)) throw new Error(explain(ajv.errors));
  const validate = ajv.compile(schema);
  return {
    complaint: (value) => (validate(value) ? undefined : explain(validate.errors)),
    forget: () => ajv.removeSchema(schema),
  };
}

function explain(errors: ErrorObject[] | null | undefined): string {
  const lines = (errors ?? []).map(({ instancePath, message, params }) => {
    const where = instancePath === '' ? '' : `${instancePath.slice(1).replaceAll('/', '.')} `;
    const more = 'allowedValues' in params ? `: ${params.allowedValues.join(', ')}` : '';
    const name = 'additionalProperty' in params ? `: ${params.additionalProperty}` : '';
    return `${where}${message ?? 'is invalid'}${more}${name}`;
  });
  return lines.join('; ');
}
