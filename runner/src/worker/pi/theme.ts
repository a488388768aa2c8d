// What extensions draw with. A page shows texts, so colours and styles leave no trace in them.

import { stripVTControlCharacters } from 'node:util';

const plain = (...args: unknown[]) => String(args.at(-1) ?? '');
const styles = ['bold', 'dim', 'italic', 'underline', 'strikethrough', 'inverse'];

export const theme = Object.freeze({
  name: 'plain',
  fg: plain,
  bg: plain,
  ...Object.fromEntries(styles.map((name) => [name, plain])),
  getFgAnsi: () => '',
  getBgAnsi: () => '',
  getColorMode: () => 'truecolor',
  getThinkingBorderColor: () => plain,
  getBashModeBorderColor: () => plain,
});

const width = 80;

interface Component {
  render(width: number): string[];
  dispose?(): void;
}

/** What a component shows, as plain lines. */
export function drawn(make: (tui: object, theme: object) => Component): string[] {
  const component = make({ requestRender: () => {}, terminal: { columns: width, rows: 24 } }, theme);
  return component.render(width).map(stripVTControlCharacters);
}
