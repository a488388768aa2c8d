// Runs a program to its end and collects its output.

import { type ChildProcess, spawn } from 'node:child_process';
import type { ExecOptions, ExecResult } from '../../types/index.d.ts';

const mostOutput = 16 * 1024 * 1024;
const patience = 2000;

export function execute(command: string, args: string[], options: ExecOptions): Promise<ExecResult> {
  const { cwd, env, input, timeout, signal } = options;
  signal?.throwIfAborted();
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, ...(env ? { env: { ...process.env, ...env } } : {}) });
    const stdout = collect(child.stdout, overflow);
    const stderr = collect(child.stderr, overflow);
    const abort = () => end(child);
    const timer = timeout === undefined ? undefined : setTimeout(abort, timeout);
    let failure: Error | undefined;
    function overflow() {
      failure = new Error(`${command} wrote more than ${mostOutput / 1024 / 1024} MiB`);
      end(child);
    }
    signal?.addEventListener('abort', abort);
    child.on('error', (error) => {
      failure = error;
      if (child.pid === undefined) finish(null, null);
    });
    child.stdin?.on('error', () => {}); // The program need not read its input.
    child.stdin?.end(input ?? '');
    child.on('close', finish);
    function finish(code: number | null, by: NodeJS.Signals | null) {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
      if (failure) reject(failure);
      else if (signal?.aborted) reject(signal.reason);
      else resolve({ stdout: stdout(), stderr: stderr(), code, signal: by });
    }
  });
}

function collect(stream: ChildProcess['stdout'], overflow: () => void): () => string {
  const chunks: Buffer[] = [];
  let size = 0;
  stream?.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > mostOutput) overflow();
    else chunks.push(chunk);
  });
  return () => Buffer.concat(chunks).toString('utf8');
}

function end(child: ChildProcess) {
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), patience);
  child.on('exit', () => clearTimeout(timer));
}
