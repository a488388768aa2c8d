// Rewrites an extension's code so that timers and listeners belong to its generation and end with
// it. The code tells whose they are. The asynchronous context cannot: a connection that outlives a
// reload calls new code from an old context.

import { mustUsuallyDecide } from './worker/decisions.ts';

/** An import of a file. `needed` is false if it is only imported at run time. */
export interface Import {
  specifier: string;
  async: boolean;
  needed: boolean;
  line?: number;
  column?: number;
}

/** What a file's code says about itself. */
export interface Findings {
  imports: Import[];
  /** Events that it must decide, as far as its text tells. */
  mustDecide: string[];
}

/** The name of a generation's own globals in its code, and the module that provides them. */
export const ownName = '__holdfast';
export const ownModule = 'holdfast:own';

const globals = new Set([
  'setTimeout',
  'setInterval',
  'setImmediate',
  'clearTimeout',
  'clearInterval',
  'clearImmediate',
  'process',
]);

/** Node's modules with the same functions, and their replacements. */
export const ownModules: Record<string, string> = {
  timers: 'holdfast:timers',
  'timers/promises': 'holdfast:timers/promises',
  process: 'holdfast:process',
};

/** Tells whose code this file is, and gets its globals. */
const prologue = `const ${ownName} = require("${ownModule}").of();`;

export function ownGlobals(code: string): string {
  const strict = '"use strict";';
  return code.startsWith(strict) ? `${strict}${prologue}${code.slice(strict.length)}` : prologue + code;
}

// The parts of Babel's interface used here.
interface Place {
  start: { line: number; column: number };
}
interface Node {
  type: string;
  name?: string;
  value?: string | boolean | Node;
  key?: Node;
  properties?: Node[];
  computed?: boolean;
  loc?: Place | null;
  source?: { value: string } | null;
  object?: Node;
  property?: Node;
  callee?: Node;
  arguments?: Node[];
  body?: Node[];
}
interface Path {
  node: Node;
  scope: { hasBinding(name: string, noGlobals: boolean): boolean };
  replaceWith(node: Node): void;
  skip(): void;
  traverse(visitor: object): void;
}
interface Babel {
  types: { identifier(name: string): Node; memberExpression(object: Node, property: Node): Node };
}

/** Collects a file's imports and what it must decide, and gives it its own globals. */
export function plugin({ imports, mustDecide }: Findings) {
  return ({ types }: Babel) => {
    const places = new Map<string, Place>();
    const own = (name: string) => types.memberExpression(types.identifier(ownName), types.identifier(name));
    const isGlobal = (path: Path, name = '') => !path.scope.hasBinding(name, true);
    const visitor = {
      CallExpression: ({ node }: Path) => {
        collect(node, places, imports);
        mustDecide.push(...decided(node));
      },
      ReferencedIdentifier(path: Path) {
        const name = path.node.name ?? '';
        if (globals.has(name) && isGlobal(path, name)) path.replaceWith(own(name));
      },
      MemberExpression(path: Path) {
        const { object, property, computed } = path.node;
        if (object?.name !== 'globalThis' || computed || !globals.has(property?.name ?? '')) return;
        if (isGlobal(path, 'globalThis')) path.replaceWith(own(property?.name ?? ''));
      },
    };
    return {
      pre(file: { ast: { program: Node } }) {
        for (const { source, loc } of file.ast.program.body ?? []) {
          if (source && loc) places.set(source.value, loc);
        }
      },
      visitor: { Program: { exit: (path: Path) => path.traverse(visitor) } },
    };
  };
}

/** `on("user_bash", …)` decides unless it says otherwise, other events if it says so. */
function decided({ callee, arguments: [event, , options] = [] }: Node): string[] {
  const method = callee?.property?.name ?? callee?.name;
  if (method !== 'on' || event?.type !== 'StringLiteral' || event.value === undefined) return [];
  const option = options?.properties?.find(({ key }) => key?.name === 'mustDecide');
  const says = (option?.value as Node | undefined)?.value ?? mustUsuallyDecide(String(event.value));
  return says ? [String(event.value)] : [];
}

function collect(call: Node, places: Map<string, Place>, imports: Import[]) {
  const { callee, arguments: [argument] = [] } = call;
  if (argument?.type !== 'StringLiteral' || typeof argument.value !== 'string') return;
  if (callee?.type !== 'Identifier' || (callee.name !== 'require' && callee.name !== 'jitiImport')) return;
  const specifier = argument.value;
  const instead = ownModules[specifier.replace(/^node:/, '')];
  if (instead) {
    argument.value = instead;
    return;
  }
  // Calls compiled from import declarations have lost their position.
  const place = argument.loc ? undefined : places.get(specifier);
  imports.push({
    specifier,
    async: callee.name === 'jitiImport',
    needed: place !== undefined,
    ...(place ? { line: place.start.line, column: place.start.column + 1 } : {}),
  });
}
