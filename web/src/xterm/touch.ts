// Fingers on a terminal: dragging scrolls, holding selects, and two change the size of the text.
// xterm.js knows only the mouse.

import type { Terminal } from '@xterm/xterm';

/** How long to hold, in milliseconds, and how far a finger may slip meanwhile, in pixels. */
const holdFor = 500;
const slip = 10;

interface Cell {
  col: number;
  /** In the buffer, not on the screen. */
  row: number;
}

export interface TouchEvents {
  /** A finger was held and lifted where it was: the word there is selected. */
  held(x: number, y: number): void;
  /** Two fingers moved apart or together; the text should have this size. */
  pinched(fontSize: number): void;
}

export class Touch {
  private readonly terminal: Terminal;
  private readonly screen: HTMLElement;
  private readonly events: TouchEvents;
  /** How far two fingers were apart, and the size of the text then. */
  private pinch: { apart: number; fontSize: number } | undefined;
  private start: { x: number; y: number } | undefined;
  /** Pixels that were dragged and do not yet make a line. */
  private rest = 0;
  private lastY = 0;
  private isScrolling = false;
  private isExtended = false;
  private anchor: { from: Cell; to: Cell } | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(terminal: Terminal, screen: HTMLElement, events: TouchEvents) {
    this.terminal = terminal;
    this.screen = screen;
    this.events = events;
    const listen = <T extends 'touchstart' | 'touchmove' | 'touchend' | 'touchcancel'>(
      type: T,
      listener: (event: TouchEvent) => void,
    ) => screen.addEventListener(type, listener, { capture: true, passive: false });
    listen('touchstart', (event) => this.begin(event));
    listen('touchmove', (event) => this.move(event));
    listen('touchend', (event) => this.end(event));
    listen('touchcancel', (event) => this.end(event));
    // Holding would open the browser's menu.
    screen.addEventListener('contextmenu', (event) => {
      if (event instanceof PointerEvent && event.pointerType === 'touch') event.preventDefault();
    });
  }

  private begin({ touches }: TouchEvent): void {
    clearTimeout(this.timer);
    const [finger] = touches;
    this.anchor = undefined;
    this.isScrolling = false;
    this.isExtended = false;
    this.pinch =
      touches.length === 2
        ? { apart: apart(touches), fontSize: this.terminal.options.fontSize ?? 14 }
        : undefined;
    this.start = finger && touches.length === 1 ? { x: finger.clientX, y: finger.clientY } : undefined;
    if (!this.start) return;
    this.rest = 0;
    this.lastY = this.start.y;
    this.timer = setTimeout(() => this.selectWord(), holdFor);
  }

  private move(event: TouchEvent): void {
    const [finger] = event.touches;
    if (this.pinch && event.touches.length === 2) return this.pinchTo(event, this.pinch);
    if (!this.start || !finger || event.touches.length !== 1) return clearTimeout(this.timer);
    const isFar = Math.hypot(finger.clientX - this.start.x, finger.clientY - this.start.y) > slip;
    if (!this.anchor && !this.isScrolling && !isFar) return;
    event.preventDefault();
    if (this.anchor) {
      this.isExtended ||= isFar;
      return this.extendTo(this.cellAt(finger.clientX, finger.clientY));
    }
    clearTimeout(this.timer);
    this.isScrolling = true;
    this.scroll(this.lastY - finger.clientY, finger);
    this.lastY = finger.clientY;
  }

  private end(event: TouchEvent): void {
    clearTimeout(this.timer);
    // No click follows, which would take the selection away.
    if ((this.anchor || this.isScrolling) && event.cancelable) event.preventDefault();
    if (this.start && this.anchor && !this.isExtended && event.type === 'touchend')
      this.events.held(this.start.x, this.start.y);
    this.start = undefined;
    this.pinch = undefined;
  }

  private pinchTo(event: TouchEvent, { apart: before, fontSize }: { apart: number; fontSize: number }): void {
    event.preventDefault();
    this.events.pinched(Math.round((fontSize * apart(event.touches)) / before));
  }

  private scroll(pixels: number, { clientX, clientY }: { clientX: number; clientY: number }): void {
    const height = this.screen.getBoundingClientRect().height / this.terminal.rows;
    this.rest += pixels;
    const lines = Math.trunc(this.rest / height);
    if (lines === 0) return;
    this.rest -= lines * height;
    if (this.terminal.buffer.active.type === 'normal' && this.terminal.modes.mouseTrackingMode === 'none')
      return this.terminal.scrollLines(lines);
    // A program that fills the screen gets what a wheel would send: arrow keys, or mouse reports.
    for (let line = 0; line < Math.abs(lines); ++line)
      this.screen.dispatchEvent(
        new WheelEvent('wheel', {
          deltaY: Math.sign(lines),
          deltaMode: WheelEvent.DOM_DELTA_LINE,
          clientX,
          clientY,
          bubbles: true,
          cancelable: true,
        }),
      );
  }

  private cellAt(x: number, y: number): Cell {
    const { left, top, width, height } = this.screen.getBoundingClientRect();
    const { cols, rows, buffer } = this.terminal;
    const within = (value: number, most: number) => Math.min(most - 1, Math.max(0, Math.floor(value)));
    return {
      col: within(((x - left) / width) * cols, cols),
      row: within(((y - top) / height) * rows, rows) + buffer.active.viewportY,
    };
  }

  private selectWord(): void {
    if (!this.start) return;
    const { col, row } = this.cellAt(this.start.x, this.start.y);
    const text = this.terminal.buffer.active.getLine(row)?.translateToString() ?? '';
    const isBlank = (at: number) => /^\s?$/.test(text[at] ?? '');
    let [from, to] = [col, col];
    while (from > 0 && !isBlank(from - 1) && !isBlank(col)) --from;
    while (to < text.length - 1 && !isBlank(to + 1) && !isBlank(col)) ++to;
    this.anchor = { from: { col: from, row }, to: { col: to, row } };
    this.extendTo({ col, row });
  }

  private extendTo(cell: Cell): void {
    if (!this.anchor) return;
    const place = ({ row, col }: Cell) => row * this.terminal.cols + col;
    const from = Math.min(place(this.anchor.from), place(cell));
    const to = Math.max(place(this.anchor.to), place(cell));
    const { cols } = this.terminal;
    this.terminal.select(from % cols, Math.floor(from / cols), to - from + 1);
  }
}

/** How far two fingers are apart, in pixels. */
function apart({ 0: one, 1: other }: TouchList): number {
  if (!one || !other) return 1;
  return Math.max(1, Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY));
}
