// What stands in for pi's own packages where an extension has not installed them: its terminal
// library and typebox as they are, the others in part. A name that is not there can be imported;
// using it says what to install.

import { createRequire } from 'node:module';
import { agent, missing, uuidv7 } from './agent.ts';
import type * as Components from './components.ts';
import type * as Tui from './tui.ts';
import type * as Typebox from './typebox.ts';

const scopes = ['@earendil-works', '@mariozechner'];

// Files of their own, loaded with the first extension that imports them: they cost a session
// megabytes. Imports of virtual modules are synchronous, so loading these must be too.
const file = createRequire(import.meta.url);
const { tui, components } = {
  tui: (): typeof Tui => file('./pi-tui.mjs'),
  components: (): typeof Components => file('./pi-components.mjs'),
};
const typebox = (): typeof Typebox => file('./typebox.mjs');

const StringEnum = (values: string[], options: object = {}) =>
  typebox().main.Unsafe({ type: 'string', enum: values, ...options });
const ai = () => ({ Type: typebox().main.Type, StringEnum, uuidv7 });

const known: Record<string, (module: string) => object> = {
  'pi-coding-agent': (module) => ({ ...agent(module), ...components() }),
  'pi-tui': tui,
  'pi-ai': ai,
  'pi-ai/compat': ai,
  'pi-ai/oauth': () => ({}),
  'pi-ai/providers/all': () => ({}),
  'pi-agent-core': () => ({}),
};

const makers = new Map<string, () => object>([
  ...['typebox', '@sinclair/typebox'].flatMap((name): [string, () => object][] => [
    [name, () => typebox().main],
    [`${name}/value`, () => typebox().value],
    [`${name}/compile`, () => typebox().compile],
  ]),
  ...scopes.flatMap((scope) =>
    Object.entries(known).map(([name, make]): [string, () => object] => {
      return [`${scope}/${name}`, () => make(`${scope}/${name}`)];
    }),
  ),
]);

const made = new Map<string, object>();

/** Whether something stands in for the module with this name. */
export const isPiModule = (name: string): boolean => makers.has(name);

/** What stands in for it; the same for all extensions of the session. */
export function piModule(name: string): object {
  const before = made.get(name);
  if (before) return before;
  const module = standIn(name, makers.get(name)?.() ?? {});
  made.set(name, module);
  return module;
}

function standIn(module: string, has: object): object {
  const isAbsent = (name: string | symbol) =>
    typeof name === 'symbol' || name === 'then' || name === 'default';
  return new Proxy({ ...has } as Record<string | symbol, unknown>, {
    has: (target, name) => name in target || !isAbsent(name),
    get: (target, name) => {
      if (name in target || isAbsent(name)) return Reflect.get(target, name);
      return name === '__esModule' ? true : missing(module, String(name));
    },
  });
}
