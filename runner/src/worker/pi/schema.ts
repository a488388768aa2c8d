// Makes JSON Schemas, as `Type` of the package typebox does.

type Schema = Record<string | symbol, unknown>;
type Options = Record<string, unknown>;

const optional = Symbol('optional');

const of =
  (schema: Schema) =>
  (options: Options = {}): Schema => ({ ...schema, ...options });

export const Type = {
  String: of({ type: 'string' }),
  Number: of({ type: 'number' }),
  Integer: of({ type: 'integer' }),
  Boolean: of({ type: 'boolean' }),
  Null: of({ type: 'null' }),
  Any: of({}),
  Unknown: of({}),
  Literal: (value: unknown, options: Options = {}) => ({ const: value, ...options }),
  Array: (items: Schema, options: Options = {}) => ({ type: 'array', items, ...options }),
  Tuple: (items: Schema[], options: Options = {}) => ({ type: 'array', prefixItems: items, ...options }),
  Union: (anyOf: Schema[], options: Options = {}) => ({ anyOf, ...options }),
  Intersect: (allOf: Schema[], options: Options = {}) => ({ allOf, ...options }),
  Enum: (values: object, options: Options = {}) => ({ enum: Object.values(values), ...options }),
  Record: (_key: Schema, additionalProperties: Schema, options: Options = {}) => {
    return { type: 'object', additionalProperties, ...options };
  },
  Object: (properties: Record<string, Schema>, options: Options = {}) => {
    const required = Object.keys(properties).filter((name) => !properties[name]?.[optional]);
    return { type: 'object', ...(required.length > 0 ? { required } : {}), properties, ...options };
  },
  Partial: (schema: Schema, options: Options = {}) => ({ ...schema, required: [], ...options }),
  Optional: (schema: Schema): Schema => ({ ...schema, [optional]: true }),
  Readonly: (schema: Schema) => schema,
  Unsafe: (schema: Schema) => schema,
};

export const StringEnum = (values: string[], options: Options = {}) => {
  return { type: 'string', enum: values, ...options };
};
