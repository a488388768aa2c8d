// Shell commands that an extension runs itself: its answer to user_bash was `{operations}`. The
// answer stays here, since a function cannot be sent; the daemon then asks to run the command.

import { StringDecoder } from 'node:string_decoder';
import type { BashOperations } from '../../types/index.d.ts';
import { RpcError } from '../peer.ts';
import { errorCode } from '../protocol.ts';
import { enter, type Generation } from './generation.ts';

const mostKept = 100;
const mostOutput = 256 * 1024;
const betweenProgress = 50;

interface Kept {
  operations: BashOperations;
  generation: Generation;
}

export class Shells {
  readonly #kept = new Map<string, Kept>();

  /** Keeps the answer until its command is run. Returns what the daemon is told of it. */
  keep(call: string | undefined, generation: Generation, operations: BashOperations) {
    this.#kept.set(String(call), { operations, generation });
    const oldest = this.#kept.keys().next().value;
    // Of callers that are gone.
    if (this.#kept.size > mostKept && oldest !== undefined) this.#kept.delete(oldest);
    return { operations: { extension: generation.extension } };
  }

  async run(
    { call, command, cwd }: { call: string; command: string; cwd: string },
    signal: AbortSignal,
    progress: (text: string) => void,
  ): Promise<{ output: string; exitCode: number }> {
    const kept = this.#kept.get(call);
    this.#kept.delete(call);
    if (!kept) throw new RpcError(errorCode.notFound, 'the code that was to run the command is gone');
    const { operations, generation } = kept;
    const output = new Output(progress);
    const onData = (data: Uint8Array | string) => output.add(data);
    try {
      const ended = await enter(generation, () => operations.exec(command, cwd, { onData, signal }));
      // As a shell says it of a program that a signal has ended.
      return { output: output.end(), exitCode: ended?.exitCode ?? 128 };
    } finally {
      output.end();
    }
  }
}

/** The newest output. Passes it on as it comes, but not every piece by itself. */
class Output {
  readonly #progress: (text: string) => void;
  readonly #decoder = new StringDecoder('utf8');
  #text = '';
  #unsent = '';
  #timer: NodeJS.Timeout | undefined;
  #ended = false;

  constructor(progress: (text: string) => void) {
    this.#progress = progress;
  }

  add(data: Uint8Array | string) {
    if (this.#ended) return;
    const text = typeof data === 'string' ? data : this.#decoder.write(Buffer.from(data));
    this.#text = newest(this.#text + text);
    this.#unsent = newest(this.#unsent + text);
    this.#timer ??= setTimeout(() => this.#send(), betweenProgress);
  }

  end(): string {
    if (!this.#ended) this.#send();
    this.#ended = true;
    return this.#text;
  }

  #send() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#unsent !== '') this.#progress(this.#unsent);
    this.#unsent = '';
  }
}

function newest(text: string): string {
  return text.length > 2 * mostOutput ? text.slice(-mostOutput) : text;
}
