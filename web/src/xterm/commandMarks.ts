// Where the shell's commands are in a terminal, from what the daemon tells: live between pieces of
// output, and in a snapshot by marks in it. What a program prints marks nothing. Each command has a
// sign beside it.

import type { IDecoration, IMarker, Terminal } from '@xterm/xterm';
import type { ShellCommand } from '../protocol/messages';

export interface Mark {
  /** Where its output begins in the terminal's output. This names the command. */
  start: number;
  /** Unknown until the daemon has told. */
  command?: ShellCommand;
  /** The last row of the command itself, and where its output begins and ends. */
  at?: IMarker;
  output?: IMarker;
  end?: IMarker;
  /** It scrolled out of what the page keeps. */
  isAbove?: boolean;
  sign?: IDecoration;
}

/** As in StickyCommand.css. */
const signWidth = 12;

export interface MarkEvents {
  /** A person pressed a command's sign. */
  pressed(mark: Mark, x: number, y: number): void;
  /** What the sign says to those who point at it. */
  describe(command: ShellCommand): string;
}

export class CommandMarks {
  private readonly terminal: Terminal;
  private readonly events: MarkEvents;
  private readonly marks = new Map<number, Mark>();
  private readonly listeners = new Set<() => void>();
  private isSnapshot = false;
  private chosenStart: number | undefined;

  constructor(terminal: Terminal, events: MarkEvents) {
    this.terminal = terminal;
    this.events = events;
    terminal.parser.registerOscHandler(133, (text) => this.read(text));
    // A full reset leaves no row of what was there.
    terminal.parser.registerEscHandler({ final: 'c' }, () => {
      this.forgetAll();
      return false;
    });
    terminal.onRender(() => this.tell());
    // Typing goes on at the end, wherever a person was.
    terminal.onData(() => this.choose(undefined));
  }

  /** What is shown or chosen may be another command. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  // --- what the daemon tells

  /** Only in a snapshot do marks in the output count: it is the daemon's own. */
  snapshotBegins(): void {
    this.forgetAll();
    this.isSnapshot = true;
  }

  snapshotEnds(): void {
    this.isSnapshot = false;
    this.tell();
  }

  /** Whether a command is marked and nothing else is known of it. */
  get lacksCommands(): boolean {
    return [...this.marks.values()].some(({ command }) => !command);
  }

  /** All commands that the daemon knows. */
  know(commands: readonly ShellCommand[]): void {
    const known = new Map(commands.map((command) => [command.start, command]));
    for (const mark of this.marks.values()) {
      const command = known.get(mark.start);
      if (command) this.show(mark, command);
      else if (!mark.command) this.forget(mark);
    }
    this.tell();
  }

  /** Output of the command begins or ends where the terminal's cursor is. */
  marked(command: ShellCommand, offset: number): void {
    const { start } = command;
    if (start === null) return;
    this.forgetGone();
    if (offset === start) this.begins(start);
    else this.ends(start);
    const mark = this.marks.get(start);
    // It is told again when the page comes back.
    if (mark)
      this.show(mark, offset === start ? { ...command, end: null, exitCode: null, endedAt: null } : command);
    this.tell();
  }

  private read(text: string): boolean {
    if (!this.isSnapshot) return false;
    const fields = text.split(';');
    const start = Number(fields.find((field) => field.startsWith('start='))?.slice('start='.length));
    if (!Number.isSafeInteger(start) || start <= 0) return true;
    if (fields[0] === 'C') this.begins(start);
    if (fields[0] === 'D') this.ends(start);
    return true;
  }

  private begins(start: number): void {
    const { buffer } = this.terminal;
    const known = this.marks.get(start);
    if (buffer.active.type !== 'normal' || known?.output) return;
    const { baseY, cursorY } = buffer.active;
    const output = this.terminal.registerMarker(0);
    const at = baseY + cursorY > 0 ? this.terminal.registerMarker(-1) : undefined;
    const mark: Mark = { ...known, start, output, ...(at ? { at } : {}) };
    at?.onDispose(() => {
      delete mark.sign;
      // A marker goes when its row is erased, and when the oldest rows go.
      mark.isAbove = buffer.normal.length >= this.terminal.rows + (this.terminal.options.scrollback ?? 0);
    });
    this.marks.set(start, mark);
  }

  private ends(start: number): void {
    if (this.terminal.buffer.active.type !== 'normal') return;
    const mark = this.marks.get(start) ?? { start, isAbove: this.isSnapshot };
    if (!mark.end) this.marks.set(start, Object.assign(mark, { end: this.terminal.registerMarker(0) }));
  }

  private show(mark: Mark, command: ShellCommand): void {
    // Its end may have been told before.
    if (mark.command && mark.command.end !== null && command.end === null) return;
    mark.command = command;
    if (!mark.at || mark.at.isDisposed) return;
    mark.sign?.dispose();
    const sign = this.terminal.registerDecoration({ marker: mark.at, layer: 'top' });
    if (!sign) return;
    mark.sign = sign;
    sign.onRender((element) => this.draw(element, mark));
  }

  private draw(element: HTMLElement, mark: Mark): void {
    const { command } = mark;
    if (!command) return;
    const result = resultOf(command);
    const chosen = mark.start === this.chosenStart ? ' hf-mark--chosen' : '';
    const wanted = `xterm-decoration hf-mark hf-mark--${result}${chosen}`;
    // xterm.js gives it the width of a cell each time.
    element.style.width = `${signWidth}px`;
    if (element.dataset.mark === wanted) return;
    element.dataset.mark = wanted;
    element.className = wanted;
    element.dataset.start = String(mark.start);
    element.title = this.events.describe(command);
    element.onclick = ({ clientX, clientY }) => this.events.pressed(mark, clientX, clientY);
    // Not a click into the terminal: nothing is selected.
    element.onmousedown = (event) => event.stopPropagation();
  }

  private forgetAll(): void {
    for (const mark of this.marks.values()) drop(mark);
    this.marks.clear();
    this.chosenStart = undefined;
  }

  /** What has scrolled out of reach with all its output. */
  private forgetGone(): void {
    for (const mark of this.marks.values()) if (mark.end?.isDisposed) this.forget(mark);
  }

  private forget(mark: Mark): void {
    drop(mark);
    this.marks.delete(mark.start);
  }

  private tell(): void {
    for (const listener of this.listeners) listener();
  }

  // --- what a person asks

  /** The commands that can be seen in what the page keeps, the oldest first. */
  get shown(): Mark[] {
    return this.known.filter(({ at }) => at && !at.isDisposed);
  }

  private get known(): Mark[] {
    return [...this.marks.values()].filter(({ command }) => command).sort((a, b) => a.start - b.start);
  }

  find(start: number): Mark | undefined {
    return this.known.find((mark) => mark.start === start);
  }

  get chosen(): Mark | undefined {
    return this.chosenStart === undefined ? undefined : this.find(this.chosenStart);
  }

  choose(mark: Mark | undefined): void {
    if (this.chosenStart === mark?.start) return;
    this.chosenStart = mark?.start;
    this.terminal.refresh(0, this.terminal.rows - 1);
  }

  /** The command whose output is at the top of the view, if the command itself is above it. */
  get sticky(): Mark | undefined {
    const { active } = this.terminal.buffer;
    if (active.type !== 'normal') return undefined;
    const top = active.viewportY;
    return this.known.findLast(({ at, end, isAbove, command }) => {
      const line = at && !at.isDisposed ? at.line : isAbove ? -1 : Number.POSITIVE_INFINITY;
      if (line >= top) return false;
      return end ? end.line > top : command?.end === null;
    });
  }

  /** The command that a person means: the chosen one, else the one that is read, else the newest. */
  get current(): Mark | undefined {
    const { viewportY, baseY } = this.terminal.buffer.active;
    if (this.chosen) return this.chosen;
    if (viewportY === baseY) return this.known.at(-1);
    return this.sticky ?? this.shown.find(({ at }) => (at?.line ?? -1) >= viewportY);
  }

  /** Chooses the command before or after the chosen one, or the end, and brings it into view. */
  go(direction: -1 | 1): Mark | undefined {
    const { shown, chosen, terminal } = this;
    const { viewportY, baseY, length } = terminal.buffer.active;
    const from = chosen?.at?.line ?? (viewportY === baseY ? length : viewportY);
    const line = ({ at }: Mark) => at?.line ?? -1;
    const next =
      direction === -1
        ? shown.findLast((mark) => line(mark) < from)
        : shown.find((mark) => line(mark) > from);
    if (next) this.reveal(next);
    else if (direction === 1) {
      this.choose(undefined);
      terminal.scrollToBottom();
    }
    return next;
  }

  reveal(mark: Mark): void {
    this.choose(mark);
    if (mark.at && !mark.at.isDisposed) this.terminal.scrollToLine(mark.at.line);
    this.tell();
  }

  /** Selects what the command printed. False if there is nothing. */
  select({ output, end, command }: Mark): boolean {
    if (!output || output.isDisposed) return false;
    const { baseY, cursorY } = this.terminal.buffer.normal;
    // The prompt follows in the row where the output ends.
    const last = end && !end.isDisposed ? end.line - 1 : command?.end === null ? baseY + cursorY : -1;
    if (last < output.line) return false;
    this.terminal.selectLines(output.line, last);
    return true;
  }
}

function drop({ at, output, end, sign }: Mark): void {
  sign?.dispose();
  for (const marker of [at, output, end]) marker?.dispose();
}

export function resultOf({ end, exitCode }: ShellCommand): 'running' | 'ended' | 'done' | 'failed' {
  if (end === null) return 'running';
  if (exitCode === null) return 'ended';
  return exitCode === 0 ? 'done' : 'failed';
}
