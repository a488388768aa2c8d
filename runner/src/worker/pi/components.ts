// Components that pi's own package gives to extensions, besides those of its terminal library.

import {
  CancellableLoader,
  Container,
  Editor,
  type EditorOptions,
  type EditorTheme,
  getKeybindings,
  type KeybindingsManager,
  Loader,
  Spacer,
  Text,
  type TUI,
} from '@earendil-works/pi-tui';
import { theme } from './theme.ts';

type Colour = (text: string) => string;

export class DynamicBorder {
  readonly #colour: Colour;

  constructor(colour: Colour = (text) => theme.fg('border', text)) {
    this.#colour = colour;
  }

  invalidate() {}

  render(width: number): string[] {
    return [this.#colour('─'.repeat(Math.max(1, width)))];
  }
}

/** What spins while something is done, between two lines. */
export class BorderedLoader extends Container {
  readonly #loader: Loader;
  readonly #signal = new AbortController().signal;

  constructor(tui: TUI, { fg }: typeof theme, message: string, { cancellable = true } = {}) {
    super();
    const border = new DynamicBorder((text) => fg('border', text));
    const accent: Colour = (text) => fg('accent', text);
    const muted: Colour = (text) => fg('muted', text);
    const LoaderClass = cancellable ? CancellableLoader : Loader;
    this.#loader = new LoaderClass(tui, accent, muted, message);
    const hint = [new Spacer(1), new Text(keyHint('tui.select.cancel', 'cancel'), 1, 0)];
    const all = [border, this.#loader, ...(cancellable ? hint : []), new Spacer(1), border];
    for (const each of all) this.addChild(each);
  }

  get signal(): AbortSignal {
    return this.#loader instanceof CancellableLoader ? this.#loader.signal : this.#signal;
  }

  set onAbort(listener: () => void) {
    if (this.#loader instanceof CancellableLoader) this.#loader.onAbort = listener;
  }

  handleInput(data: string) {
    if (this.#loader instanceof CancellableLoader) this.#loader.handleInput(data);
  }

  dispose() {
    this.#loader.stop();
  }
}

/** An editor with the keys that pi's own has. */
export class CustomEditor extends Editor {
  readonly keybindings: KeybindingsManager;
  readonly actionHandlers = new Map<string, () => void>();
  onEscape?: () => void;
  onCtrlD?: () => void;
  onPasteImage?: () => void;
  onExtensionShortcut?: (data: string) => boolean;

  constructor(tui: TUI, style: EditorTheme, keybindings = getKeybindings(), options?: EditorOptions) {
    super(tui, style, options);
    this.keybindings = keybindings;
  }

  onAction(action: string, handler: () => void) {
    this.actionHandlers.set(action, handler);
  }

  override handleInput(data: string) {
    if (this.onExtensionShortcut?.(data)) return;
    const handler = this.#handlerOf(data);
    if (handler) handler();
    else super.handleInput(data);
  }

  #handlerOf(data: string): (() => void) | undefined {
    const is = (action: string) => this.keybindings.matches(data, action as never);
    if (is('app.clipboard.pasteImage')) return this.onPasteImage;
    if (is('app.interrupt') && this.isShowingAutocomplete()) return undefined;
    if (is('app.interrupt')) return this.onEscape ?? this.actionHandlers.get('app.interrupt');
    if (is('app.exit'))
      return this.getText() === '' ? (this.onCtrlD ?? this.actionHandlers.get('app.exit')) : undefined;
    return [...this.actionHandlers].find(([action]) => is(action))?.[1];
  }
}

export const keyText = (action: string): string =>
  getKeybindings()
    .getKeys(action as never)
    .join('/');
export const keyHint = (action: string, what: string): string => rawKeyHint(keyText(action), what);
export const rawKeyHint = (key: string, what: string): string =>
  theme.fg('dim', key) + theme.fg('muted', ` ${what}`);

export const getSelectListTheme = () => ({
  selectedPrefix: (text: string) => theme.fg('accent', text),
  selectedText: (text: string) => theme.fg('accent', text),
  description: (text: string) => theme.fg('muted', text),
  scrollInfo: (text: string) => theme.fg('muted', text),
  noMatch: (text: string) => theme.fg('muted', text),
});

export const getEditorTheme = () => ({
  borderColor: (text: string) => theme.fg('borderMuted', text),
  selectList: getSelectListTheme(),
});

export const getSettingsListTheme = () => ({
  label: (text: string, selected: boolean) => (selected ? theme.fg('accent', text) : text),
  value: (text: string, selected: boolean) => theme.fg(selected ? 'accent' : 'muted', text),
  description: (text: string) => theme.fg('dim', text),
  cursor: theme.fg('accent', '→ '),
  hint: (text: string) => theme.fg('dim', text),
});

const markdown = ['heading', 'link', 'linkUrl', 'code', 'codeBlock', 'codeBlockBorder', 'quote'];
markdown.push('quoteBorder', 'hr', 'listBullet');

export const getMarkdownTheme = () => {
  const { bold, italic, underline, strikethrough } = theme;
  const colour = (name: string) => `md${name[0]?.toUpperCase()}${name.slice(1)}`;
  const colours = markdown.map((name) => [name, (text: string) => theme.fg(colour(name), text)]);
  return { ...Object.fromEntries(colours), bold, italic, underline, strikethrough };
};
