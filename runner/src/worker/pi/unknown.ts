// Members that a newer pi may have: an extension that calls one is loaded all the same, and its user
// learns once what is missing.

const method = /^(add|append|clear|get|register|remove|send|set|unregister)[A-Z]/;

/** The API, with a function for every name that looks like one of its methods. */
export function withUnknown<T extends object>(api: T, missing: (name: string) => void): T {
  return new Proxy(api, {
    get: (target, name, receiver) => {
      if (name in target || typeof name === 'symbol' || !method.test(name))
        return Reflect.get(target, name, receiver);
      return () => missing(name);
    },
  });
}
