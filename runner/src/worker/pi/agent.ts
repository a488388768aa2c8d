// Stands in for pi's package pi-coding-agent: what extensions take from it that does not need pi.

import { randomBytes } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { version } from '@earendil-works/pi-tui/package.json';
import { createLocalBashOperations } from './shell.ts';
import { formatSize, mostBytes, mostLines, truncateHead, truncateLine, truncateTail } from './texts.ts';

const tools = ['Bash', 'Read', 'Write', 'Edit', 'Ls', 'Grep', 'Find'];

/** A name that is missing: it can be imported, and says what to install when it is called. */
export function missing(module: string, name: string) {
  const text = `${name} is in the package ${module}; run npm install ${module} beside the extension`;
  // A constant cannot be called, so asking for it must fail at once.
  if (/^[A-Z][A-Z0-9_]+$/.test(name)) throw new Error(text);
  return function missing() {
    throw new Error(text);
  };
}

/** A tool of pi's that extensions wrap. It can be registered; an agent would run it. */
const tool = (module: string, name: string) => () => ({
  name,
  label: name,
  description: `pi's tool ${name}`,
  parameters: { type: 'object', properties: {} },
  execute: async () => missing(module, `the tool ${name}`)(),
});

export const agent = (module: string) => ({
  VERSION: version,
  CONFIG_DIR_NAME: '.pi',
  DEFAULT_MAX_BYTES: mostBytes,
  DEFAULT_MAX_LINES: mostLines,
  defineTool: <T>(one: T) => one,
  getAgentDir: () => process.env.PI_CODING_AGENT_DIR ?? join(homedir(), '.pi', 'agent'),
  isToolCallEventType: (name: string, event: { toolName?: string }) => event.toolName === name,
  withFileMutationQueue,
  createLocalBashOperations,
  ...{ formatSize, truncateHead, truncateTail, truncateLine },
  ...Object.fromEntries(
    tools.flatMap((name) => [
      [`create${name}Tool`, tool(module, name.toLowerCase())],
      [`create${name}ToolDefinition`, tool(module, name.toLowerCase())],
      [`is${name}ToolResult`, ({ toolName }: { toolName?: string }) => toolName === name.toLowerCase()],
    ]),
  ),
});

const queues = new Map<string, Promise<unknown>>();

/** What changes the same file waits for what changed it before. */
async function withFileMutationQueue<T>(path: string, work: () => T | Promise<T>): Promise<T> {
  const file = realPath(path);
  const turn = (queues.get(file) ?? Promise.resolve()).then(work);
  const done: Promise<unknown> = turn
    .catch(() => {}) // The caller gets it.
    .then(() => {
      if (queues.get(file) === done) queues.delete(file);
    });
  queues.set(file, done);
  return turn;
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path); // It is about to be made.
  }
}

/** As RFC 9562 says: the time in milliseconds, then chance. */
export function uuidv7(): string {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(Date.now(), 0, 6);
  bytes[6] = 0x70 | ((bytes[6] ?? 0) & 0x0f);
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
