// A tab's xterm.js. It is created with the tab, opened in a page element when the tab is first
// shown, kept through disconnects, and disposed of only with the tab.

import { FitAddon } from '@xterm/addon-fit';
import type { SearchAddon } from '@xterm/addon-search';
import { Unicode11Addon } from '@xterm/addon-unicode11';
import { WebLinksAddon } from '@xterm/addon-web-links';
import type { WebglAddon } from '@xterm/addon-webgl';
import { Terminal } from '@xterm/xterm';
import type { TabScreen } from '../terminals/attachments';
import type { Size } from '../terminals/state';
import { moveAbove, withoutReset } from './above';
import { catchFailures } from './failures';
import { type LinkEvents, linkHandler, openLink } from './links';
import { harmless, hasLineEnd, takePastes } from './paste';
import { keepQuiet } from './quiet';
import { type ThemeName, xtermTheme } from './themes';
import { Touch } from './touch';
import { WholeCharacters } from './utf8';

export interface ScreenEvents {
  /** A person typed or clicked. */
  input(data: string | Uint8Array): void;
  /** A person pasted. The daemon brackets the text if the program wants that. */
  paste(text: string): void;
  title(title: string): void;
  bell(): void;
  /** Some output could not be processed. Only a snapshot repairs the screen. */
  failed(error: unknown): void;
  /** Asks before pasting lines into a program that would act on each of them. */
  confirmPaste(text: string): Promise<boolean>;
  link: LinkEvents;
  /** True if the page handles the key itself. */
  isShortcut(event: KeyboardEvent): boolean;
}

export interface ScreenOptions {
  theme: ThemeName;
  fontSize: number;
  screenReader: boolean;
}

const fontFamily =
  'ui-monospace, "SF Mono", "Cascadia Mono", "JetBrains Mono", Menlo, Consolas, "DejaVu Sans Mono", "Liberation Mono", monospace';
const scrollback = 10_000;

function contrastOf(theme: ThemeName): number {
  return theme === 'contrast' ? 7 : theme === 'light' ? 4.5 : 1;
}

/** Separate, so that a page can load it before its first terminal needs it. */
export function webglAddon(): Promise<typeof import('@xterm/addon-webgl')> {
  return import('@xterm/addon-webgl');
}

export class XtermScreen implements TabScreen {
  readonly terminal: Terminal;
  private readonly events: ScreenEvents;
  private readonly fit = new FitAddon();
  private readonly characters = new WholeCharacters();
  private webgl: WebglAddon | undefined;
  private searching: Promise<SearchAddon> | undefined;
  private drawn = false;
  private isRendererChosen = false;
  private disposed = false;
  private theme: ThemeName;
  private isLeaving = false;
  private isKeptAbove = false;

  constructor(options: ScreenOptions, events: ScreenEvents) {
    this.events = events;
    this.theme = options.theme;
    this.terminal = new Terminal({
      allowProposedApi: true,
      cursorBlink: false,
      cursorInactiveStyle: 'outline',
      drawBoldTextInBrightColors: false,
      fontFamily,
      fontSize: options.fontSize,
      linkHandler: linkHandler(() => this.terminal, events.link),
      minimumContrastRatio: contrastOf(options.theme),
      macOptionIsMeta: true,
      screenReaderMode: options.screenReader,
      scrollback,
      theme: xtermTheme(options.theme),
      windowOptions: { pushTitle: true, popTitle: true },
    });
    const { terminal } = this;
    terminal.loadAddon(this.fit);
    terminal.loadAddon(new Unicode11Addon());
    terminal.unicode.activeVersion = '11';
    terminal.loadAddon(new WebLinksAddon(openLink));
    catchFailures(terminal, (error) => events.failed(error));
    const isWanted = keepQuiet(terminal);
    terminal.onData((data) => {
      if (isWanted(data)) events.input(data);
    });
    terminal.onBinary((data) => events.input(Uint8Array.from(data, (c) => c.charCodeAt(0))));
    terminal.onTitleChange((title) => events.title(title));
    terminal.onBell(() => events.bell());
    terminal.attachCustomKeyEventHandler((event) => !this.isLeaving && !events.isShortcut(event));
  }

  write(bytes: Uint8Array, done: () => void): void {
    const rest = this.isKeptAbove ? withoutReset(bytes) : undefined;
    if (rest) {
      this.isKeptAbove = false;
      this.terminal.write(moveAbove(this.terminal));
    }
    this.terminal.write(this.characters.take(rest ?? bytes), done);
  }

  keepAbove(): void {
    this.isKeptAbove = true;
  }

  resize({ rows, cols }: Size): void {
    if (rows !== this.terminal.rows || cols !== this.terminal.cols) this.terminal.resize(cols, rows);
  }

  dispose(): void {
    this.disposed = true;
    this.terminal.dispose();
  }

  /** Puts the terminal into the page. If React recreates the element, the terminal moves to it. */
  open(parent: HTMLElement): void {
    const { element } = this.terminal;
    if (element) {
      if (element.parentElement !== parent) parent.append(element);
      return;
    }
    this.terminal.open(parent);
    if (this.terminal.element) takePastes(this.terminal.element, (text) => this.paste(text));
    const shown = this.terminal.element?.querySelector<HTMLElement>('.xterm-screen');
    if (shown) new Touch(this.terminal, shown);
    this.terminal.textarea?.addEventListener('blur', () => this.leave());
  }

  /** The size that fits its element; `undefined` before the renderer, and so cell size, is known. */
  room(): Size | undefined {
    if (!this.isRendererChosen) return undefined;
    const proposed = this.fit.proposeDimensions();
    if (!proposed || Number.isNaN(proposed.cols) || Number.isNaN(proposed.rows)) return undefined;
    const within = (side: number) => Math.min(500, Math.max(2, side));
    return { rows: within(proposed.rows), cols: within(proposed.cols) };
  }

  /** Browsers allow few WebGL contexts, so only the visible screen has one. */
  async draw(isVisible: boolean): Promise<void> {
    this.drawn = isVisible;
    if (!isVisible) {
      this.isRendererChosen = false;
      this.webgl?.dispose();
      this.webgl = undefined;
      return;
    }
    try {
      const { WebglAddon } = await webglAddon();
      if (!this.drawn || this.webgl || this.disposed) return;
      const webgl = new WebglAddon();
      webgl.onContextLoss(() => {
        webgl.dispose();
        this.webgl = undefined;
      });
      this.terminal.loadAddon(webgl);
      this.webgl = webgl;
    } catch {
      // Without WebGL, xterm.js keeps drawing with page elements.
    }
    this.isRendererChosen = this.drawn;
  }

  configure({ theme, fontSize, screenReader }: ScreenOptions): void {
    const { options } = this.terminal;
    if (theme === this.theme && fontSize === options.fontSize && screenReader === options.screenReaderMode)
      return;
    this.theme = theme;
    options.theme = xtermTheme(theme);
    options.minimumContrastRatio = contrastOf(theme);
    options.fontSize = fontSize;
    options.screenReaderMode = screenReader;
  }

  /** Loads the search addon on first use. */
  search(): Promise<SearchAddon> {
    this.searching ??= import('@xterm/addon-search').then(({ SearchAddon }) => {
      const addon = new SearchAddon();
      this.terminal.loadAddon(addon);
      return addon;
    });
    return this.searching;
  }

  /**
   * A key that moves the focus away is released elsewhere, so xterm.js believes that it is still
   * down. It would then drop text that comes without a key, from an input method or a phone.
   */
  private leave(): void {
    this.isLeaving = true;
    this.terminal.textarea?.dispatchEvent(new KeyboardEvent('keyup'));
    this.isLeaving = false;
  }

  /** Pastes text from the clipboard or from a drop. Asks first if it could run something. */
  paste(pasted: string): void {
    const text = harmless(pasted);
    if (text === '') return;
    if (this.terminal.modes.bracketedPasteMode || !hasLineEnd(text)) return this.pasteNow(text);
    void this.events.confirmPaste(text).then((isWanted) => {
      if (isWanted && !this.disposed) this.pasteNow(text);
    });
  }

  private pasteNow(text: string): void {
    this.terminal.scrollToBottom();
    this.events.paste(text);
  }
}
