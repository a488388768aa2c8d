// A terminal of the session, as pi's terminal library wants it: the program that runs in it
// (relay.ts) is at the other end of a socket.

import type { Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { StdinBuffer, type Terminal } from './tui.ts';

interface Size {
  columns: number;
  rows: number;
}

type Message = Size | { input: string };

const pasteMode = (on: boolean) => `\x1b[?2004${on ? 'h' : 'l'}`;
const cursor = (shown: boolean) => `\x1b[?25${shown ? 'h' : 'l'}`;

export class SessionTerminal implements Terminal {
  readonly #socket: Socket;
  /** Splits input into keys. */
  readonly #keys = new StdinBuffer();
  #size: Size = { columns: 80, rows: 24 };
  #onResize = () => {};
  readonly kittyProtocolActive = false;

  /** Resolves once the size is known. */
  static async over(socket: Socket): Promise<SessionTerminal> {
    const terminal = new SessionTerminal(socket);
    await new Promise<void>((resolve) => {
      terminal.#onResize = resolve;
      socket.once('close', () => resolve());
    });
    return terminal;
  }

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('error', () => {}); // 'close' follows.
    createInterface({ input: socket }).on('line', (line) => this.#receive(JSON.parse(line) as Message));
  }

  #receive(message: Message) {
    if ('input' in message) {
      this.#keys.process(message.input);
      return;
    }
    this.#size = message;
    this.#onResize();
  }

  get columns(): number {
    return this.#size.columns;
  }

  get rows(): number {
    return this.#size.rows;
  }

  start(onInput: (data: string) => void, onResize: () => void) {
    this.#onResize = onResize;
    this.#keys.on('data', onInput);
    this.#keys.on('paste', (text) => onInput(`\x1b[200~${text}\x1b[201~`));
    this.write(pasteMode(true));
  }

  stop() {
    this.#keys.removeAllListeners();
    this.#keys.destroy();
    this.write(pasteMode(false) + cursor(true));
  }

  async drainInput() {}

  write(data: string) {
    if (this.#socket.writable) this.#socket.write(data);
  }

  moveBy(lines: number) {
    if (lines !== 0) this.write(`\x1b[${Math.abs(lines)}${lines > 0 ? 'B' : 'A'}`);
  }

  hideCursor() {
    this.write(cursor(false));
  }

  showCursor() {
    this.write(cursor(true));
  }

  clearLine() {
    this.write('\x1b[K');
  }

  clearFromCursor() {
    this.write('\x1b[J');
  }

  clearScreen() {
    this.write('\x1b[2J\x1b[H');
  }

  setTitle(title: string) {
    this.write(`\x1b]0;${title}\x07`);
  }

  setProgress() {}
}
