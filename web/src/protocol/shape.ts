// Checks that turn what came over the wire into typed values. A daemon may be newer than this page, so
// unknown fields pass; a field that is missing or of another type is an error that names it.

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
  if (typeof value !== 'string') throw new MalformedError(`${path} is no text`);
  return value;
};

export const number: Check<number> = (value, path) => {
  if (typeof value !== 'number') throw new MalformedError(`${path} is no number`);
  return value;
};

export const flag: Check<boolean> = (value, path) => {
  if (typeof value !== 'boolean') throw new MalformedError(`${path} is neither true nor false`);
  return value;
};

export const anything: Check<unknown> = (value) => value;

export function oneOf<const T extends string>(...values: T[]): Check<T> {
  return (value, path) => {
    const found = values.find((each) => each === value);
    if (found === undefined) throw new MalformedError(`${path} is none of ${values.join(', ')}`);
    return found;
  };
}

export function orNull<T>(check: Check<T>): Check<T | null> {
  return (value, path) => (value === null ? null : check(value, path));
}

export function listOf<T>(check: Check<T>): Check<T[]> {
  return (value, path) => {
    if (!Array.isArray(value)) throw new MalformedError(`${path} is no list`);
    return value.map((each, index) => check(each, `${path}[${index}]`));
  };
}

/** A field that is `null` is not there. */
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
    if (!isRecord(value)) throw new MalformedError(`${path} is no object`);
    const shaped: Record<string, unknown> = {};
    for (const [name, check] of Object.entries(fields)) {
      const checked = check(value[name], path === '' ? name : `${path}.${name}`);
      if (checked !== undefined) shaped[name] = checked;
    }
    return shaped as Shaped<S>;
  };
}
