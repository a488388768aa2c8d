// What stands in for pi's own packages where an extension has not installed them. A name that is
// not here can be imported; using it says what to install.

import { randomUUID } from 'node:crypto';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { StringEnum, Type } from './schema.ts';
import { Container, Key, Spacer, Text, truncateToWidth, visibleWidth } from './tui.ts';

const scopes = ['@earendil-works', '@mariozechner'];
const mostBytes = 50 * 1024;
const mostLines = 2000;

const needsPackage = (module: string, name: string) =>
  function missing() {
    throw new Error(`${name} is in the package ${module}; run npm install ${module} beside the extension`);
  };

/** A tool of pi's that extensions wrap. It can be registered; an agent would run it. */
const tool = (module: string, name: string) => () => ({
  name,
  label: name,
  description: `pi's tool ${name}`,
  parameters: Type.Object({}),
  execute: async () => needsPackage(module, `the tool ${name}`)(),
});

const agent = (module: string) => ({
  VERSION: 'holdfast',
  CONFIG_DIR_NAME: '.pi',
  DEFAULT_MAX_BYTES: mostBytes,
  DEFAULT_MAX_LINES: mostLines,
  defineTool: <T>(one: T) => one,
  getAgentDir: () => process.env.PI_CODING_AGENT_DIR ?? join(homedir(), '.pi', 'agent'),
  isToolCallEventType: (name: string, event: { toolName?: string }) => event.toolName === name,
  withFileMutationQueue: <T>(_path: string, work: () => T) => work(),
  formatSize: (bytes: number) => (bytes < 1024 ? `${bytes}B` : `${(bytes / 1024).toFixed(1)}KB`),
  ...Object.fromEntries(
    ['Bash', 'Read', 'Write', 'Edit', 'Ls', 'Grep', 'Find'].map((name) => [
      `create${name}Tool`,
      tool(module, name.toLowerCase()),
    ]),
  ),
});

const known: Record<string, (module: string) => Record<string, unknown>> = {
  'pi-coding-agent': agent,
  'pi-tui': () => ({ Text, Container, Box: Container, Spacer, Key, visibleWidth, truncateToWidth }),
  'pi-ai': () => ({ Type, StringEnum, uuidv7: randomUUID }),
  'pi-ai/compat': () => ({ Type, StringEnum }),
  'pi-agent-core': () => ({}),
};

/** The modules, by what imports call them. */
export const piModules: Record<string, object> = {
  typebox: standIn('typebox', { Type, ...Type }),
  '@sinclair/typebox': standIn('@sinclair/typebox', { Type, ...Type }),
  ...Object.fromEntries(
    scopes.flatMap((scope) =>
      Object.entries(known).map(([name, make]) => {
        const module = `${scope}/${name}`;
        return [module, standIn(module, make(module))];
      }),
    ),
  ),
};

function standIn(module: string, has: Record<string, unknown>): object {
  const isAbsent = (name: string | symbol) =>
    typeof name === 'symbol' || name === 'then' || name === 'default';
  return new Proxy(has, {
    has: (target, name) => name in target || !isAbsent(name),
    get: (target, name) => {
      if (name in target || isAbsent(name)) return Reflect.get(target, name);
      return name === '__esModule' ? true : needsPackage(module, String(name));
    },
  });
}
