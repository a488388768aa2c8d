// `vt_state --batch` as a running process. It gets one stream file at a time, and is restarted if
// it dies.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

import { parseStream } from "./stream.mjs";

export class VtProcess {
  #executable;
  #child;
  #lines;

  constructor(executable) {
    this.#executable = executable;
  }

  // {state, snapshot: Buffer, sent: a stream}, or {error} if vt_state refused the file or died of it.
  async ask(file) {
    if (!this.#child) await this.#start();
    this.#child.stdin.write(`${file}\n`);
    const line = await this.#lines.next();
    if (line.done) return { error: await this.#postMortem() };
    const answer = JSON.parse(line.value);
    if (answer.error) return answer;
    const [snapshot, sent] = [answer.snapshot, answer.sent].map((hex) => Buffer.from(hex, "hex"));
    return { state: answer.state, snapshot, sent: parseStream(sent) };
  }

  stop() {
    this.#child?.stdin.end();
    this.#child = undefined;
  }

  async #start() {
    this.#child = spawn(this.#executable, ["--batch"], { stdio: ["pipe", "pipe", "inherit"] });
    await once(this.#child, "spawn");
    // A process that died cannot be written to; its exit is reported by ask().
    this.#child.stdin.on("error", () => {});
    this.#lines = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]();
  }

  async #postMortem() {
    const child = this.#child;
    this.#child = undefined;
    if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
    return `vt_state died (${child.signalCode ?? `status ${child.exitCode}`})`;
  }
}
