// A new extension: the files that `holdfast extension new` writes.

import agents from '../../types/agents.d.ts?raw';
import index from '../../types/index.d.ts?raw';
import testing from '../../types/testing.d.ts?raw';

const code = (name: string) => `import type { ExtensionAPI, SessionContext } from "@holdfast/extension";

export default function (pi: ExtensionAPI, session: SessionContext) {
  pi.registerCommand("${name}", {
    description: "Greets",
    handler: async (args) => \`Hello \${args || session.name}\`,
  });
}
`;

const test = (name: string) => `import assert from "node:assert/strict";
import { test } from "node:test";
import { openSession } from "@holdfast/extension/testing";

test("it greets", async (t) => {
  const session = await openSession(t);
  assert.equal(await session.run("/${name} Ada"), "Hello Ada");
});
`;

const manifest = (name: string) => ({
  name,
  version: '0.1.0',
  private: true,
  type: 'module',
  scripts: { test: 'holdfast extension test .' },
  devDependencies: { '@types/node': '^24.0.0' },
});

const compiler = {
  compilerOptions: {
    target: 'es2024',
    module: 'nodenext',
    strict: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    skipLibCheck: true,
    types: ['node'],
    paths: {
      '@holdfast/extension': ['./types/index.d.ts'],
      '@holdfast/extension/testing': ['./types/testing.d.ts'],
    },
  },
  include: ['*.ts', 'test/*.ts'],
};

const json = (value: object) => `${JSON.stringify(value, null, 2)}\n`;

/** By their path in the extension's folder. */
export function templateOf(name: string): Record<string, string> {
  return {
    'index.ts': code(name),
    [`test/${name}.test.ts`]: test(name),
    'package.json': json(manifest(name)),
    'tsconfig.json': json(compiler),
    'types/index.d.ts': index,
    'types/agents.d.ts': agents,
    'types/testing.d.ts': testing,
  };
}
