// A daemon with a home of its own, for the tests of one extension.

import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const timeToStart = 30_000;

export class Trial {
  readonly token = randomBytes(24).toString('hex');
  readonly #home = mkdtempSync(join(tmpdir(), 'holdfast-extension-'));
  readonly #holdfast: string;
  #daemon: ChildProcess | undefined;
  /** What the daemon has written. */
  said = '';
  url = '';

  constructor(holdfast: string) {
    this.#holdfast = holdfast;
  }

  get #environment(): NodeJS.ProcessEnv {
    const kept = Object.entries(process.env).filter(([name]) => !/^(HOLDFAST|XDG|PTY)_/.test(name));
    return {
      ...Object.fromEntries(kept),
      HOME: this.#home,
      HOLDFAST_TOKEN: this.token,
      HOLDFAST_RUNTIME_DIR: join(this.#home, 'run'),
      HOLDFAST_STATE_DIR: join(this.#home, 'state'),
    };
  }

  /** Starts it, with that extension. */
  async start(extension: string) {
    const args = ['serve', '--listen', '127.0.0.1:0', '--config', '/dev/null', '--env-file', '/dev/null'];
    args.push('--extensions', extension, '--node', process.execPath);
    const daemon = spawn(this.#holdfast, args, {
      env: this.#environment,
      cwd: this.#home,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#daemon = daemon;
    const port = await new Promise<string>((resolve, reject) => {
      const fail = (why: string) => reject(new Error(`the daemon ${why}; it wrote:\n${this.said}`));
      const timer = setTimeout(() => fail(`does not serve after ${timeToStart / 1000} s`), timeToStart);
      daemon.on('exit', () => fail('has ended')).on('error', ({ message }) => fail(message));
      for (const stream of [daemon.stdout, daemon.stderr]) {
        stream.on('data', (bytes) => {
          this.said += bytes;
          const serves = /serves address=127\.0\.0\.1:(\d+)/.exec(this.said);
          if (!serves?.[1]) return;
          clearTimeout(timer);
          resolve(serves[1]);
        });
      }
    });
    this.url = `ws://127.0.0.1:${port}`;
  }

  /** Ends it with everything that it has started, and removes its home. */
  async end() {
    const daemon = this.#daemon;
    if (daemon && daemon.exitCode === null && daemon.signalCode === null) {
      const stopping = spawn(this.#holdfast, ['stop', '--all', '--yes'], {
        env: this.#environment,
        stdio: 'ignore',
      });
      await once(stopping, 'exit');
      if (daemon.exitCode === null && daemon.signalCode === null) daemon.kill('SIGKILL');
    }
    rmSync(this.#home, { recursive: true, force: true });
  }
}
