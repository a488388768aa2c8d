// All terminals of all sessions, with small pictures of those that are in sight. Apart from the page's
// state: pictures change all the time, and each concerns one card.

import type { ServerMessage, Sketch, TerminalInfo } from '../protocol/messages';
import type { Requests } from './requests';

/** A run of a line: its text, or how many empty cells; its style; how wide its characters are. */
export type SketchRun = readonly [text: string | number | [string], style?: string, width?: number];

export interface Picture {
  rows: number;
  cols: number;
  cursor: readonly [x: number, y: number] | undefined;
  lines: readonly (readonly SketchRun[])[];
}

/** Events after which the list is asked for again. */
const changesList = new Set(['created', 'closed', 'exited', 'renamed', 'restorable', 'session_renamed']);
const listAgainAfter = 500;

export class Overview {
  private readonly requests: Requests;
  private readonly listeners = new Set<() => void>();
  private readonly watchers = new Map<string, () => void>();
  private readonly pictures = new Map<string, Picture>();
  private terminals: readonly TerminalInfo[] = [];
  private visible: readonly string[] = [];
  private isOpen = false;
  private again: ReturnType<typeof setTimeout> | undefined;

  constructor(requests: Requests) {
    this.requests = requests;
  }

  readonly get = (): readonly TerminalInfo[] => this.terminals;

  /** Calls `changed` after each change of the list. */
  readonly subscribe = (changed: () => void): (() => void) => {
    this.listeners.add(changed);
    return () => this.listeners.delete(changed);
  };

  open(): void {
    this.isOpen = true;
    void this.list();
  }

  close(): void {
    this.isOpen = false;
    clearTimeout(this.again);
    this.again = undefined;
    this.show([]);
    this.pictures.clear();
  }

  /** The page that connects again has forgotten what it was sent. */
  connected(): void {
    if (!this.isOpen) return;
    void this.list();
    this.pictures.clear();
    this.tell();
  }

  /** These are in sight. */
  show(terminalIds: readonly string[]): void {
    if (terminalIds.join() === this.visible.join()) return;
    const before = this.visible;
    this.visible = terminalIds;
    // The daemon starts over with those that come into sight again.
    for (const each of before) if (!terminalIds.includes(each)) this.pictures.delete(each);
    this.tell();
  }

  pictureOf(terminalId: string): Picture | undefined {
    return this.pictures.get(terminalId);
  }

  /** Calls `changed` after each change of the picture. */
  watch(terminalId: string, changed: () => void): () => void {
    this.watchers.set(terminalId, changed);
    return () => this.watchers.delete(terminalId);
  }

  receive(message: ServerMessage): void {
    if (!this.isOpen) return;
    if (message.type === 'sketch') return this.drawn(message.data);
    if (message.type === 'changed') {
      const { terminalId, state } = message.data;
      this.setTerminals(
        this.terminals.map((each) => (each.terminalId === terminalId ? { ...each, state } : each)),
      );
    }
    if (changesList.has(message.type) || message.type === 'changed')
      this.again ??= setTimeout(() => {
        this.again = undefined;
        void this.list();
      }, listAgainAfter);
  }

  private drawn({ terminalId, rows, cols, cursor, lines }: Sketch): void {
    const old = this.pictures.get(terminalId);
    const isSame = old?.rows === rows && old.cols === cols;
    const next = Array.from({ length: rows }, (_, row) => {
      const line = lines[row];
      return Array.isArray(line) ? (line as SketchRun[]) : ((isSame ? old.lines[row] : undefined) ?? []);
    });
    const [x, y] = cursor ?? [];
    this.pictures.set(terminalId, {
      rows,
      cols,
      cursor: x === undefined || y === undefined ? undefined : [x, y],
      lines: next,
    });
    this.watchers.get(terminalId)?.();
  }

  private async list(): Promise<void> {
    const answer = await this.requests.ask((connection) => connection.request('list', {}));
    if (this.isOpen && answer !== 'failed' && answer !== undefined) this.setTerminals(answer.terminals);
  }

  private setTerminals(terminals: readonly TerminalInfo[]): void {
    this.terminals = terminals;
    for (const listener of [...this.listeners]) listener();
  }

  private tell(): void {
    this.requests.connection?.tell('overview', { terminalIds: [...this.visible] });
  }
}
