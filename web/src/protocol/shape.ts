// Checks that turn received JSON into typed values. The daemon can be newer than this page, so
// unknown fields are ignored. A missing field or a wrong type is an error that names the field.

export class MalformedError extends Error {
  override name = 'MalformedError';
}

export type Check<T> = (value: unknown, path: string) => T;

export interface OptionalCheck<T> extends Check<T | undefined> {
  optional: true;
}

type Shape = Record<string, Check<unknown>>;
type OptionalKeys<S extends Shape> = {
  [K in keyof S]: S[K] extends OptionalCheck<unknown> ? K : never;
}[keyof S];

export type Shaped<S extends Shape> = {
  [K in Exclude<keyof S, OptionalKeys<S>>]: ReturnType<S[K]>;
} & { [K in OptionalKeys<S>]?: Exclude<ReturnType<S[K]>, undefined> };

export const text: Check<string> = (value, path) => {
  if (typeof value !== 'string') throw new MalformedError(`${path} is not a string`);
  return value;
};

export const number: Check<number> = (value, path) => {
  if (typeof value !== 'number') throw new MalformedError(`${path} is not a number`);
  return value;
};

export const flag: Check<boolean> = (value, path) => {
  if (typeof value !== 'boolean') throw new MalformedError(`${path} is not a boolean`);
  return value;
};

export const anything: Check<unknown> = (value) => value;

export function oneOf<const T extends string>(...values: T[]): Check<T> {
  return (value, path) => {
    const found = values.find((each) => each === value);
    if (found === undefined) throw new MalformedError(`${path} is not one of ${values.join(', ')}`);
    return found;
  };
}

export function orNull<T>(check: Check<T>): Check<T | null> {
  return (value, path) => (value === null ? null : check(value, path));
}

export function listOf<T>(check: Check<T>): Check<T[]> {
  return (value, path) => {
    if (!Array.isArray(value)) throw new MalformedError(`${path} is not a list`);
    return value.map((each, index) => check(each, `${path}[${index}]`));
  };
}

/** An object with any names. */
export function recordOf<T>(check: Check<T>): Check<Record<string, T>> {
  return (value, path) => {
    if (!isRecord(value)) throw new MalformedError(`${path} is not an object`);
    const entries = Object.entries(value).map(([name, each]) => [name, check(each, `${path}.${name}`)]);
    return Object.fromEntries(entries);
  };
}

/** `null` counts as missing. */
export function optional<T>(check: Check<T>): OptionalCheck<T> {
  const wrapped: Check<T | undefined> = (value, path) =>
    value === undefined || value === null ? undefined : check(value, path);
  return Object.assign(wrapped, { optional: true as const });
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function shape<S extends Shape>(fields: S): Check<Shaped<S>> {
  return (value, path) => {
    if (!isRecord(value)) throw new MalformedError(`${path} is not an object`);
    const shaped: Record<string, unknown> = {};
    for (const [name, check] of Object.entries(fields)) {
      const checked = check(value[name], path === '' ? name : `${path}.${name}`);
      if (checked !== undefined) shaped[name] = checked;
    }
    return shaped as Shaped<S>;
  };
}
