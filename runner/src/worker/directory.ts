// Makes the session's directory the current one. All sessions share one process with one working
// directory, so relative paths are made absolute before the system sees them.

import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';
import { resolve } from 'node:path';

type Any = (...args: unknown[]) => unknown;
type Functions = Record<string, Any | undefined>;

const first = [
  ...[
    'access',
    'appendFile',
    'chmod',
    'chown',
    'createReadStream',
    'createWriteStream',
    'exists',
    'lchmod',
    'lchown',
  ],
  ...[
    'lstat',
    'lutimes',
    'mkdir',
    'mkdtemp',
    'mkdtempDisposable',
    'open',
    'openAsBlob',
    'opendir',
    'readdir',
  ],
  ...[
    'readFile',
    'readlink',
    'realpath',
    'rm',
    'rmdir',
    'stat',
    'statfs',
    'truncate',
    'unlink',
    'unwatchFile',
  ],
  ...['utimes', 'watch', 'watchFile', 'writeFile'],
];
const both = ['copyFile', 'cp', 'link', 'rename'];

export function useDirectory(directory: string) {
  process.cwd = () => directory;
  process.chdir = () => {
    throw new Error(
      'process.chdir is not available: extensions run in their session’s directory; pass cwd to programs',
    );
  };
  const complete = (path: unknown) => (typeof path === 'string' ? resolve(directory, path) : path);
  const completeAll = (functions: Functions) => {
    for (const name of first) wrap(functions, name, (args) => [complete(args[0]), ...args.slice(1)]);
    for (const name of both) {
      wrap(functions, name, ([from, to, ...rest]) => [complete(from), complete(to), ...rest]);
    }
    // A link's target is relative to the link.
    wrap(functions, 'symlink', ([target, path, ...rest]) => [target, complete(path), ...rest]);
  };
  completeAll(fs as unknown as Functions);
  completeAll(fs.promises as unknown as Functions);
  completeSockets(complete);
  syncBuiltinESMExports();
}

/** Every way to connect to a socket or listen on one ends up here. */
function completeSockets(complete: (path: unknown) => unknown) {
  const completeTarget = (target: unknown): unknown => {
    if (typeof target === 'string') return isPath(target) ? complete(target) : target;
    // This is how Node passes its arguments on.
    if (Array.isArray(target)) return Object.assign(target, [completeTarget(target[0])]);
    if (typeof target !== 'object' || target === null || !('path' in target)) return target;
    const { path } = target;
    return typeof path === 'string' && isPath(path) ? { ...target, path: complete(path) } : target;
  };
  const prototypes: [object, string][] = [
    [net.Socket.prototype, 'connect'],
    [net.Server.prototype, 'listen'],
  ];
  for (const [prototype, name] of prototypes) {
    const functions = prototype as Functions;
    const original = functions[name] as Any;
    functions[name] = function (this: unknown, target: unknown, ...rest: unknown[]) {
      return original.call(this, completeTarget(target), ...rest);
    };
  }
}

/** A number is a port. A name that starts with a zero byte is not in the file system. */
function isPath(text: string): boolean {
  return text !== '' && !text.startsWith('\0') && !(Number(text) >= 0);
}

function wrap(functions: Functions, name: string, complete: (args: unknown[]) => unknown[]) {
  for (const each of [name, `${name}Sync`]) {
    const original = functions[each];
    if (!original) continue;
    const wrapped: Any = (...args) => original.apply(functions, args.length === 0 ? args : complete(args));
    for (const key of Object.keys(original)) {
      const inner = (original as unknown as Functions)[key];
      const property = typeof inner === 'function' ? (...args: unknown[]) => inner(...complete(args)) : inner;
      Object.assign(wrapped, { [key]: property });
    }
    functions[each] = wrapped;
  }
}
