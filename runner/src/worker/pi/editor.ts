// `ui.editor`: text of several lines, edited in a terminal of the session.

import { DynamicBorder, getEditorTheme, rawKeyHint } from './components.ts';
import type { Make } from './custom.ts';
import { Container, Editor, type Focusable, type KeybindingsManager, Spacer, Text, type TUI } from './tui.ts';

/** Draws an editor that is done with its text, or with nothing if it is left. */
export const editorOf =
  (title: string, prefill = ''): Make =>
  (tui, theme, keybindings, done) =>
    new TextEditor(tui, keybindings, theme.bold(title), prefill, done);

class TextEditor extends Container implements Focusable {
  readonly #editor: Editor;
  readonly #isLeft: (data: string) => boolean;
  readonly #done: (text: string | undefined) => void;

  constructor(
    tui: TUI,
    keybindings: KeybindingsManager,
    title: string,
    prefill: string,
    done: (text: string | undefined) => void,
  ) {
    super();
    this.#done = done;
    this.#isLeft = (data) => keybindings.matches(data, 'tui.select.cancel');
    this.#editor = new Editor(tui, getEditorTheme());
    this.#editor.setText(prefill);
    this.#editor.onSubmit = done;
    const keys = [
      rawKeyHint('enter', 'done'),
      rawKeyHint('shift+enter', 'new line'),
      rawKeyHint('escape', 'leave'),
    ];
    const border = new DynamicBorder();
    const all = [
      border,
      new Text(title, 1, 0),
      this.#editor,
      new Spacer(1),
      new Text(keys.join('  '), 1, 0),
      border,
    ];
    for (const each of all) this.addChild(each);
  }

  get focused(): boolean {
    return this.#editor.focused;
  }

  set focused(focused: boolean) {
    this.#editor.focused = focused;
  }

  handleInput(data: string) {
    if (this.#isLeft(data)) this.#done(undefined);
    else this.#editor.handleInput(data);
  }
}
