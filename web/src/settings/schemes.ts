// Colour schemes that a person imported, and what they look like.

import { isRecord } from '../protocol/shape';
import { type Colours, colours as own, type ThemeName } from '../xterm/themes';

export interface Scheme {
  name: string;
  colours: Colours;
}

export const mostSchemes = 30;
export const longestName = 50;

/** What a terminal is drawn with. */
export interface Look {
  colours: Colours;
  /** Text is drawn with at least this contrast. An imported scheme is drawn as it is. */
  contrast: number;
}

const colour = /^#[0-9a-f]{6}$/;
const leastContrast: Record<ThemeName, number> = { dark: 1, light: 4.5, contrast: 7 };

export function parseScheme(value: unknown): Scheme | undefined {
  if (!isRecord(value) || !isRecord(value.colours)) return undefined;
  const { name } = value;
  const { foreground, background, cursor, selection, palette } = value.colours;
  const isColour = (each: unknown): each is string => typeof each === 'string' && colour.test(each);
  if (typeof name !== 'string' || name === '' || name.length > longestName) return undefined;
  if (![foreground, background, cursor, selection].every(isColour)) return undefined;
  if (!Array.isArray(palette) || palette.length !== 16 || !palette.every(isColour)) return undefined;
  return { name, colours: { foreground, background, cursor, selection, palette } as Colours };
}

/** The look of one of the page's own themes, or of a scheme. */
export function lookOf(choice: ThemeName | Scheme): Look {
  if (typeof choice === 'string') return { colours: own[choice], contrast: leastContrast[choice] };
  return { colours: choice.colours, contrast: 1 };
}

/** The colour's parts from 0 to 255. */
export function partsOf(colour: string): [number, number, number] {
  const part = (at: number) => Number.parseInt(colour.slice(at, at + 2), 16);
  return [part(1), part(3), part(5)];
}

/** As WCAG defines it: 0 is black, 1 is white. */
function luminance(colour: string): number {
  const [red, green, blue] = partsOf(colour).map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * (red ?? 0) + 0.7152 * (green ?? 0) + 0.0722 * (blue ?? 0);
}

/** Between 1 (the same) and 21 (black on white). */
export function contrastOf(one: string, other: string): number {
  const [high, low] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return ((high ?? 0) + 0.05) / ((low ?? 0) + 0.05);
}

/** What is hard to read on the background: the text itself, and how many of the coloured ones. */
export function hardToRead({ foreground, background, palette }: Colours): {
  text: number | undefined;
  colours: number;
} {
  const text = contrastOf(foreground, background);
  // Black and white are backgrounds as often as not.
  const coloured = [...palette.slice(1, 7), ...palette.slice(9, 15)];
  const isPale = (each: string) => contrastOf(each, background) < 3;
  return { text: text < 4.5 ? text : undefined, colours: coloured.filter(isPale).length };
}
