// Runs a shell command for extensions that answer `user_bash` with their own `operations`.

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { BashOperations } from '../../../types/index.d.ts';

type Options = Parameters<BashOperations['exec']>[2] & { timeout?: number; env?: NodeJS.ProcessEnv };

/** In the session's own place: where a command runs if no extension takes it over. */
export const createLocalBashOperations = ({ shellPath = 'bash' } = {}) => ({
  exec: (command: string, cwd: string, options: Options) => run(shellPath, command, cwd, options),
});

function run(
  shell: string,
  command: string,
  cwd: string,
  { onData, signal, timeout, env }: Options,
): Promise<{ exitCode: number | null }> {
  if (!existsSync(cwd)) return Promise.reject(new Error(`there is no directory ${cwd}`));
  if (signal?.aborted) return Promise.reject(new Error('aborted'));
  return new Promise((resolve, reject) => {
    const child = spawn(shell, ['-c', command], {
      cwd,
      env: env ?? process.env,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let failure: Error | undefined;
    const end = (why: string) => {
      failure = new Error(why);
      endGroup(child.pid);
    };
    const abort = () => end('aborted');
    const timer = timeout ? setTimeout(() => end(`timeout:${timeout}`), timeout * 1000) : undefined;
    signal?.addEventListener('abort', abort, { once: true });
    child.stdout.on('data', onData);
    child.stderr.on('data', onData);
    child.on('error', reject);
    child.on('close', (exitCode) => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
      if (failure) reject(failure);
      else resolve({ exitCode });
    });
  });
}

/** The shell leads its own group, with all that it has started. */
function endGroup(pid: number | undefined) {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has just ended.
  }
}
