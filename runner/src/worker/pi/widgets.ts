// Widgets: lines of text, which a page shows in its status bar. A component is drawn again whenever
// it asks for that, until its generation ends.

import type { Generation } from '../generation.ts';
import type { Shown } from '../shown.ts';
import { theme } from './theme.ts';

const width = 80;
const rows = 24;

export interface Component {
  render(width: number): string[];
  dispose?(): void;
}

export type Widget = string[] | ((tui: object, colours: typeof theme) => Component) | undefined;

export class Widgets {
  readonly #shown: Shown;
  /** What ends the component under a key. */
  readonly #ends = new Map<string, () => void>();

  constructor(shown: Shown) {
    this.#shown = shown;
  }

  set(key: string, widget: Widget, generation: Generation) {
    this.#ends.get(key)?.();
    if (typeof widget === 'function') this.#draw(key, widget, generation);
    else this.#show(key, widget);
  }

  #draw(key: string, make: Exclude<Widget, string[] | undefined>, generation: Generation) {
    let component: Component | undefined;
    // It may ask for it while it is being made.
    const draw = () => {
      if (component && this.#ends.has(key)) this.#show(key, component.render(width));
    };
    component = make({ requestRender: draw, terminal: { columns: width, rows } }, theme);
    const end = () => {
      release();
      this.#ends.delete(key);
      component?.dispose?.();
    };
    const release = generation.onEnd(end);
    this.#ends.set(key, end);
    draw();
  }

  #show(key: string, lines: string[] | undefined) {
    const shown = lines?.map((line) => line.trim()).filter((line) => line !== '');
    this.#shown.setStatus(key, shown?.join(' │ '));
  }
}
