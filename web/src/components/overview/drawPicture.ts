// Draws a small picture of a terminal, once for each change.

import type { Picture, SketchRun } from '../../terminals/overview';
import type { Colours } from '../../xterm/themes';

/** Of a character, in pixels of the canvas. */
const cell = { width: 6, height: 12, font: 10 };

interface Look {
  foreground: string;
  background: string | undefined;
  isBold: boolean;
  isItalic: boolean;
  isDim: boolean;
}

/** As terminals have them: 16 of the theme, a cube of 6×6×6, and 24 greys. */
function indexed(index: number, palette: readonly string[]): string {
  if (index < 16) return palette[index] ?? '#000000';
  if (index >= 232) {
    const level = 8 + 10 * (index - 232);
    return `rgb(${level} ${level} ${level})`;
  }
  const of = (step: number) => (step === 0 ? 0 : 55 + 40 * step);
  const at = index - 16;
  return `rgb(${of(Math.floor(at / 36))} ${of(Math.floor(at / 6) % 6)} ${of(at % 6)})`;
}

/** A colour as the daemon writes it: 1, i123 or #rrggbb. */
export function colourOf(word: string, palette: readonly string[]): string {
  if (word.startsWith('#')) return word;
  return indexed(Number(word.replace('i', '')), palette);
}

export function lookOf(style: string, colours: Colours): Look | undefined {
  const words = style.split(' ');
  if (words.includes('invisible')) return undefined;
  const colour = (name: string) => {
    const word = words.find((each) => each.startsWith(name));
    return word && colourOf(word.slice(name.length), colours.palette);
  };
  const [fg, bg] = [colour('fg='), colour('bg=')];
  const isInverse = words.includes('inverse');
  return {
    foreground: (isInverse ? bg : fg) ?? (isInverse ? colours.background : colours.foreground),
    background: isInverse ? (fg ?? colours.foreground) : bg,
    isBold: words.includes('bold'),
    isItalic: words.includes('italic'),
    isDim: words.includes('dim'),
  };
}

/** How many columns a run has. */
function columnsOf([content, , width = 1]: SketchRun): number {
  if (typeof content === 'number') return content;
  return (Array.isArray(content) ? 1 : [...content].length) * width;
}

function fontOf({ isItalic, isBold }: Look): string {
  return `${isItalic ? 'italic ' : ''}${isBold ? 'bold ' : ''}${cell.font}px ui-monospace, "DejaVu Sans Mono", monospace`;
}

const spacings = new Map<string, string>();

/** What makes the font's characters as wide as a cell. */
function spacingOf(context: CanvasRenderingContext2D): string {
  const known = spacings.get(context.font);
  if (known !== undefined) return known;
  context.letterSpacing = '0px';
  const spacing = `${cell.width - context.measureText('m').width}px`;
  spacings.set(context.font, spacing);
  return spacing;
}

function drawRun(
  context: CanvasRenderingContext2D,
  run: SketchRun,
  x: number,
  row: number,
  colours: Colours,
): void {
  const [content, style = '', width = 1] = run;
  const look = lookOf(style, colours);
  if (!look) return;
  const top = row * cell.height;
  if (look.background) {
    context.fillStyle = look.background;
    context.fillRect(x * cell.width, top, columnsOf(run) * cell.width, cell.height);
  }
  if (typeof content === 'number') return;
  context.fillStyle = look.foreground;
  context.globalAlpha = look.isDim ? 0.6 : 1;
  context.font = fontOf(look);
  const middle = top + cell.height / 2;
  if (width === 1 && typeof content === 'string') {
    // All at once, each as wide as a cell.
    context.letterSpacing = spacingOf(context);
    context.fillText(content, x * cell.width, middle);
  } else {
    context.letterSpacing = '0px';
    const characters = Array.isArray(content) ? content : [...content];
    characters.forEach((character, at) => {
      context.fillText(character, (x + at * width) * cell.width, middle, width * cell.width);
    });
  }
  context.globalAlpha = 1;
}

export function drawPicture(canvas: HTMLCanvasElement, picture: Picture, colours: Colours): void {
  const { rows, cols, cursor, lines } = picture;
  const [width, height] = [cols * cell.width, rows * cell.height];
  if (canvas.width !== width) canvas.width = width;
  if (canvas.height !== height) canvas.height = height;
  const context = canvas.getContext('2d');
  if (!context) return;
  context.textBaseline = 'middle';
  context.fillStyle = colours.background;
  context.fillRect(0, 0, width, height);
  lines.forEach((line, row) => {
    let x = 0;
    for (const run of line) {
      // A line that continues the one above begins with the word "wrapped".
      if (typeof run === 'string') continue;
      drawRun(context, run, x, row, colours);
      x += columnsOf(run);
    }
  });
  if (!cursor) return;
  context.fillStyle = colours.cursor;
  context.globalAlpha = 0.7;
  context.fillRect(cursor[0] * cell.width, cursor[1] * cell.height, cell.width, cell.height);
  context.globalAlpha = 1;
}
