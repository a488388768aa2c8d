// Programs that extensions start. They run in the session's directory. The main thread knows them,
// so that it can end them if this thread dies.

import childProcess, { ChildProcess } from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';
import { resolve } from 'node:path';

interface SpawnOptions {
  cwd?: string | URL | null;
}

type Spawn = (this: ChildProcess, options: SpawnOptions) => unknown;
type SyncSpawn = (file: string, ...rest: unknown[]) => unknown;

export function useChildren(directory: string, report: (pids: number[]) => void) {
  const inDirectory = <T extends SpawnOptions>(options: T): T => {
    const { cwd } = options;
    if (cwd instanceof URL) return options;
    return { ...options, cwd: resolve(directory, cwd ?? '') };
  };
  trackSpawn(inDirectory, report);
  const functions = childProcess as unknown as Record<string, SyncSpawn>;
  for (const name of ['spawnSync', 'execSync', 'execFileSync']) {
    const original = functions[name] as SyncSpawn;
    functions[name] = (file, ...rest) => {
      const args = rest.filter((each) => Array.isArray(each));
      const options = rest.find((each) => typeof each === 'object' && each !== null && !Array.isArray(each));
      return original(file, ...args, inDirectory(options ?? {}));
    };
  }
  syncBuiltinESMExports();
}

/** Every way to start a program without waiting for it ends up here. */
function trackSpawn(
  inDirectory: <T extends SpawnOptions>(options: T) => T,
  report: (pids: number[]) => void,
) {
  const pids = new Set<number>();
  const prototype = ChildProcess.prototype as unknown as { spawn: Spawn };
  const original = prototype.spawn;
  prototype.spawn = function (options) {
    const result = original.call(this, inDirectory(options));
    const { pid } = this;
    if (pid !== undefined) {
      pids.add(pid);
      report([...pids]);
      this.once('exit', () => {
        pids.delete(pid);
        report([...pids]);
      });
    }
    return result;
  };
}
