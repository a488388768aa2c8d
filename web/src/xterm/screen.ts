// A tab's xterm.js. It is created with the tab, opened in a page element when the tab is first
// shown, kept through disconnects, and disposed of only with the tab.

import type { SearchAddon } from '@xterm/addon-search';
import { Unicode11Addon } from '@xterm/addon-unicode11';
import { WebLinksAddon } from '@xterm/addon-web-links';
import type { WebglAddon } from '@xterm/addon-webgl';
import { Terminal } from '@xterm/xterm';
import type { ShellCommand } from '../protocol/messages';
import type { TabScreen } from '../terminals/attachments';
import type { Extent } from '../terminals/boxes';
import type { Size } from '../terminals/state';
import { moveAbove, withoutReset } from './above';
import { CommandMarks, type MarkEvents } from './commandMarks';
import { Emoji } from './emoji';
import { catchFailures } from './failures';
import { reveal, type Sought } from './lines';
import { type LinkEvents, linkHandler, openLink } from './links';
import { asksFor, type Dropped, harmless, type PasteRule, takePastes } from './paste';
import { keepQuiet } from './quiet';
import { type Colours, xtermTheme } from './themes';
import { Touch, type TouchEvents } from './touch';
import { WholeCharacters } from './utf8';

export interface ScreenEvents {
  /** A person typed or clicked. */
  input(data: string | Uint8Array): void;
  /** A person pasted. The daemon brackets the text if the program wants that. */
  paste(text: string): void;
  files(dropped: Dropped): void;
  title(title: string): void;
  bell(): void;
  /** Some output could not be processed. Only a snapshot repairs the screen. */
  failed(error: unknown): void;
  /** Asks before pasting. `isRisky`: the program would act on each line. */
  confirmPaste(text: string, isRisky: boolean): Promise<boolean>;
  link: LinkEvents;
  touch: TouchEvents;
  marks: MarkEvents;
  /** True if the page handles the key itself. */
  isShortcut(event: KeyboardEvent): boolean;
}

export interface ScreenOptions {
  colours: Colours;
  /** Text is drawn with at least this contrast. */
  contrast: number;
  /** Names of fonts, the first that is there counts; empty: the standard ones. */
  fontFamily: string;
  fontSize: number;
  lineHeight: number;
  cursorStyle: 'block' | 'bar' | 'underline';
  cursorBlink: boolean;
  scrollback: number;
  screenReader: boolean;
  paste: PasteRule;
}

/** xterm.js tells nobody how large a character is; its own addon for sizes reads this too. */
interface Core {
  _renderService: { dimensions: { css: { cell: Extent } } };
}

const standardFonts =
  'ui-monospace, "SF Mono", "Cascadia Mono", "JetBrains Mono", Menlo, Consolas, "DejaVu Sans Mono", "Liberation Mono", monospace';

/** The options that xterm.js has for them. */
function xtermOptions(options: ScreenOptions) {
  return {
    cursorBlink: options.cursorBlink,
    cursorStyle: options.cursorStyle,
    fontFamily: fontsOf(options.fontFamily),
    fontSize: options.fontSize,
    lineHeight: options.lineHeight,
    minimumContrastRatio: options.contrast,
    screenReaderMode: options.screenReader,
    scrollback: options.scrollback,
    theme: xtermTheme(options.colours),
  };
}

function fontsOf(names: string): string {
  const quoted = names
    .split(',')
    .map((name) => name.replace(/["']/g, '').trim())
    .filter(Boolean)
    .map((name) => (/^(ui-)?monospace$/.test(name) ? name : `"${name}"`));
  return [...quoted, standardFonts].join(', ');
}

/** Separate, so that a page can load it before its first terminal needs it. */
export function webglAddon(): Promise<typeof import('@xterm/addon-webgl')> {
  return import('@xterm/addon-webgl');
}

export class XtermScreen implements TabScreen {
  readonly terminal: Terminal;
  readonly commands: CommandMarks;
  private readonly events: ScreenEvents;
  private readonly characters = new WholeCharacters();
  private webgl: WebglAddon | undefined;
  private searching: Promise<SearchAddon> | undefined;
  private drawn = false;
  private isRendererChosen = false;
  private disposed = false;
  private options: ScreenOptions;
  private readonly emoji: Emoji;
  private isLeaving = false;
  private isKeptAbove = false;

  constructor(options: ScreenOptions, events: ScreenEvents) {
    this.events = events;
    this.options = options;
    this.terminal = new Terminal({
      ...xtermOptions(options),
      allowProposedApi: true,
      cursorInactiveStyle: 'outline',
      drawBoldTextInBrightColors: false,
      linkHandler: linkHandler(() => this.terminal, events.link),
      macOptionIsMeta: true,
      windowOptions: { pushTitle: true, popTitle: true },
    });
    const { terminal } = this;
    this.emoji = new Emoji(terminal);
    this.commands = new CommandMarks(terminal, events.marks);
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

  write(bytes: Uint8Array, done: () => void, isSnapshot = false): void {
    // In order with what is written: xterm.js takes it in later.
    if (isSnapshot) this.terminal.write('', () => this.commands.snapshotBegins());
    const rest = this.isKeptAbove ? withoutReset(bytes) : undefined;
    if (rest) {
      this.isKeptAbove = false;
      this.terminal.write(moveAbove(this.terminal));
    }
    const whole = this.characters.take(rest ?? bytes);
    this.emoji.look(whole);
    this.terminal.write(whole, () => {
      if (isSnapshot) this.commands.snapshotEnds();
      done();
    });
  }

  get lacksCommands(): boolean {
    return this.commands.lacksCommands;
  }

  know(commands: readonly ShellCommand[]): void {
    this.commands.know(commands);
  }

  marked(command: ShellCommand, offset: number): void {
    this.commands.marked(command, offset);
  }

  /** Shows and selects a line; when it has come, if it is still to come. False if it does not come. */
  reveal(sought: Sought): Promise<boolean> {
    return reveal(this.terminal, sought);
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
    this.emoji.join();
    if (this.terminal.element)
      takePastes(
        this.terminal.element,
        (text) => this.paste(text),
        (dropped) => this.events.files(dropped),
      );
    const shown = this.terminal.element?.querySelector<HTMLElement>('.xterm-screen');
    if (shown) new Touch(this.terminal, shown, this.events.touch);
    this.terminal.textarea?.addEventListener('blur', () => this.leave());
  }

  /** The size of a character, in pixels; `undefined` before the renderer, which decides it, is known. */
  cell(): Extent | undefined {
    if (!this.isRendererChosen) return undefined;
    const { _core } = this.terminal as unknown as { _core: Core };
    const { width, height } = _core._renderService.dimensions.css.cell;
    return width > 0 && height > 0 ? { width, height } : undefined;
  }

  /**
   * Browsers allow few WebGL contexts, so only the visible screen has one. Calls `chosen` when another
   * renderer draws, which may give characters another size.
   */
  async draw(isVisible: boolean, chosen: () => void): Promise<void> {
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
        chosen();
      });
      this.terminal.loadAddon(webgl);
      this.webgl = webgl;
    } catch {
      // Without WebGL, xterm.js keeps drawing with page elements.
    }
    this.isRendererChosen = this.drawn;
    chosen();
  }

  configure(options: ScreenOptions): void {
    if (options === this.options) return;
    const { colours } = this.options;
    this.options = options;
    const { theme, ...rest } = xtermOptions(options);
    Object.assign(this.terminal.options, rest);
    if (options.colours !== colours) this.terminal.options.theme = theme;
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

  /** Pastes text from the clipboard or from a drop. Asks first if the person wants that. */
  paste(pasted: string): void {
    const text = harmless(pasted);
    if (text === '') return;
    const { bracketedPasteMode } = this.terminal.modes;
    if (!asksFor(text, this.options.paste, bracketedPasteMode)) return this.pasteNow(text);
    const isRisky = asksFor(text, 'risky', bracketedPasteMode);
    void this.events.confirmPaste(text, isRisky).then((isWanted) => {
      if (isWanted && !this.disposed) this.pasteNow(text);
    });
  }

  private pasteNow(text: string): void {
    this.terminal.scrollToBottom();
    this.events.paste(text);
  }
}
