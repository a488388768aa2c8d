// The parts of pi's terminal library that make texts of components.

import { stripVTControlCharacters } from 'node:util';

interface Component {
  render(width: number): string[];
}

export const visibleWidth = (text: string) => [...stripVTControlCharacters(text)].length;

export function truncateToWidth(text: string, width: number, end = '…'): string {
  const letters = [...stripVTControlCharacters(text)];
  return letters.length <= width ? text : letters.slice(0, Math.max(0, width - end.length)).join('') + end;
}

export class Text implements Component {
  #text: string;

  constructor(text = '') {
    this.#text = text;
  }

  setText(text: string) {
    this.#text = text;
  }

  invalidate() {}

  render(width: number): string[] {
    return this.#text.split('\n').flatMap((line) => {
      const letters = [...line];
      const count = Math.max(1, Math.ceil(letters.length / width));
      return Array.from({ length: count }, (_, at) => letters.slice(at * width, (at + 1) * width).join(''));
    });
  }
}

export class Container implements Component {
  children: Component[] = [];

  addChild(child: Component) {
    this.children.push(child);
  }

  removeChild(child: Component) {
    this.children = this.children.filter((each) => each !== child);
  }

  clear() {
    this.children = [];
  }

  invalidate() {}

  render(width: number): string[] {
    return this.children.flatMap((child) => child.render(width));
  }
}

export class Spacer implements Component {
  readonly #lines: number;

  constructor(lines = 1) {
    this.#lines = lines;
  }

  invalidate() {}

  render(): string[] {
    return Array.from({ length: this.#lines }, () => '');
  }
}

const modifiers = ['ctrl', 'shift', 'alt', 'super', 'ctrlShift', 'ctrlAlt', 'shiftAlt', 'ctrlShiftAlt'];

/** `Key.ctrl("x")` is `ctrl+x`, `Key.escape` is `escape`. */
export const Key = new Proxy(
  {},
  {
    get: (_target, name) => {
      if (!modifiers.includes(String(name))) return String(name);
      const prefix = String(name).replaceAll(/[A-Z]/g, (letter) => `+${letter.toLowerCase()}`);
      return (key: string) => `${prefix}+${key}`;
    },
  },
);
