// What is changed in an extension's code beyond its language: timers and listeners go through the generation that
// the code belongs to, so that they can end with it. The code is what tells whose they are; the asynchronous context is
// not, since a connection that outlives a reload calls new code from within an old context.

/** Something a file imports. `needed` is false for what it asks for only while running. */
export interface Import {
  specifier: string;
  async: boolean;
  needed: boolean;
  line?: number;
  column?: number;
}

/** The name of a generation's own globals within its code, and the module that has them. */
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

/** Node's modules that have the same things, and what stands for them. */
export const ownModules: Record<string, string> = {
  timers: 'holdfast:timers',
  'timers/promises': 'holdfast:timers/promises',
  process: 'holdfast:process',
};

export function ownGlobals(code: string): string {
  const prologue = `const ${ownName} = require("${ownModule}");`;
  const strict = '"use strict";';
  return code.startsWith(strict) ? `${strict}${prologue}${code.slice(strict.length)}` : prologue + code;
}

// The few parts of Babel's interface that are used here.
interface Place {
  start: { line: number; column: number };
}
interface Node {
  type: string;
  name?: string;
  value?: string;
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

/** Collects what a file imports, and gives it its own globals. */
export function plugin(imports: Import[]) {
  return ({ types }: Babel) => {
    const places = new Map<string, Place>();
    const own = (name: string) => types.memberExpression(types.identifier(ownName), types.identifier(name));
    const isGlobal = (path: Path, name = '') => !path.scope.hasBinding(name, true);
    const visitor = {
      CallExpression: ({ node }: Path) => collect(node, places, imports),
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

function collect(call: Node, places: Map<string, Place>, imports: Import[]) {
  const { callee, arguments: [argument] = [] } = call;
  if (argument?.type !== 'StringLiteral' || argument.value === undefined) return;
  if (callee?.type !== 'Identifier' || (callee.name !== 'require' && callee.name !== 'jitiImport')) return;
  const specifier = argument.value;
  const instead = ownModules[specifier.replace(/^node:/, '')];
  if (instead) {
    argument.value = instead;
    return;
  }
  // What came from an import declaration has no place of its own any more.
  const place = argument.loc ? undefined : places.get(specifier);
  imports.push({
    specifier,
    async: callee.name === 'jitiImport',
    needed: place !== undefined,
    ...(place ? { line: place.start.line, column: place.start.column + 1 } : {}),
  });
}
