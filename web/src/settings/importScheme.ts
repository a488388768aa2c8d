// Reads colour schemes of other programs: iTerm2's .itermcolors, themes of VS Code, and the schemes
// of Windows Terminal. What is wrong is told in the words of the file.

import { isRecord } from '../protocol/shape';
import type { Colours } from '../xterm/themes';
import { longestName, partsOf, type Scheme } from './schemes';
import { settingsWords } from './words';

const say = settingsWords.schemes;
export const largestFile = 256 * 1024;

export type Imported = { scheme: Scheme } | { problem: string };

class Problem extends Error {}

export function importScheme(fileName: string, text: string): Imported {
  const name =
    fileName
      .replace(/\.[^.]*$/, '')
      .trim()
      .slice(0, longestName) || 'Imported';
  try {
    if (text.length > largestFile) throw new Problem(say.tooLarge);
    const isXml = /^\s*(<\?xml|<!DOCTYPE|<plist)/.test(text.replace(/^\ufeff/, ''));
    return { scheme: isXml ? { name, colours: ofPlist(text) } : ofJson(name, text) };
  } catch (error) {
    if (error instanceof Problem) return { problem: error.message };
    throw error;
  }
}

// --- iTerm2 ----------------------------------------------------------------------------------------

/** A dict's entries: each key with the element after it. */
function entriesOf(dict: Element): Map<string, Element> {
  const entries = new Map<string, Element>();
  const children = [...dict.children];
  for (let at = 0; at < children.length; at += 2) {
    const [key, value] = [children[at], children[at + 1]];
    if (key?.tagName !== 'key' || !value) throw new Problem(say.brokenPlist);
    entries.set(key.textContent ?? '', value);
  }
  return entries;
}

function ofPlist(text: string): Colours {
  // A plist has no entities of its own; whoever defines some means harm.
  if (/<!ENTITY|<!DOCTYPE[^>]*\[/.test(text)) throw new Problem(say.brokenPlist);
  const plist = new DOMParser().parseFromString(text, 'application/xml').documentElement;
  const dict = plist.firstElementChild;
  if (plist.tagName !== 'plist' || dict?.tagName !== 'dict') throw new Problem(say.brokenPlist);
  const entries = entriesOf(dict);
  const colour = (name: string) => {
    const found = entries.get(name);
    if (!found) throw new Problem(say.missing(name));
    if (found.tagName !== 'dict') throw new Problem(say.noColour(name));
    return ofComponents(name, entriesOf(found));
  };
  const background = colour('Background Color');
  return {
    foreground: colour('Foreground Color'),
    background,
    cursor: entries.has('Cursor Color') ? colour('Cursor Color') : colour('Foreground Color'),
    selection: colour('Selection Color'),
    palette: Array.from({ length: 16 }, (_, index) => colour(`Ansi ${index} Color`)),
  };
}

function ofComponents(name: string, parts: Map<string, Element>): string {
  const hex = ['Red', 'Green', 'Blue'].map((part) => {
    const text = parts.get(`${part} Component`)?.textContent?.trim() ?? '';
    const share = /^\d*\.?\d+(e-?\d+)?$/i.test(text) ? Number(text) : Number.NaN;
    if (!(share >= 0 && share <= 1)) throw new Problem(say.noColour(name));
    return Math.round(share * 255)
      .toString(16)
      .padStart(2, '0');
  });
  return `#${hex.join('')}`;
}

// --- VS Code, Windows Terminal ---------------------------------------------------------------------

const ansi = ['Black', 'Red', 'Green', 'Yellow', 'Blue', 'Magenta', 'Cyan', 'White'];
const codeAnsi = [...ansi, ...ansi.map((name) => `Bright${name}`)].map((name) => `terminal.ansi${name}`);
/** black … brightWhite; magenta is called purple. */
const windowsAnsi = codeAnsi.map((name) => {
  const [first = '', ...rest] = name.slice('terminal.ansi'.length).replace('Magenta', 'Purple');
  return first.toLowerCase() + rest.join('');
});

interface Names {
  foreground: string[];
  background: string[];
  cursor: string[];
  selection: string[];
  palette: string[];
}

const ofCode: Names = {
  foreground: ['terminal.foreground', 'editor.foreground', 'foreground'],
  background: ['terminal.background', 'editor.background'],
  cursor: ['terminalCursor.foreground', 'terminal.foreground', 'editor.foreground', 'foreground'],
  selection: ['terminal.selectionBackground', 'editor.selectionBackground', 'terminal.ansiBrightBlack'],
  palette: codeAnsi,
};
const ofWindows: Names = {
  foreground: ['foreground'],
  background: ['background'],
  cursor: ['cursorColor', 'foreground'],
  selection: ['selectionBackground', 'brightBlack'],
  palette: windowsAnsi,
};

function ofJson(fileName: string, text: string): Scheme {
  let value: unknown;
  try {
    value = JSON.parse(withoutComments(text));
  } catch {
    throw new Problem(say.unknownFormat);
  }
  if (!isRecord(value)) throw new Problem(say.unknownFormat);
  const name = typeof value.name === 'string' && value.name.trim() !== '' ? value.name.trim() : fileName;
  const found = [value.colors, value['workbench.colorCustomizations'], value].find(
    (each) => isRecord(each) && Object.keys(each).some((key) => key.startsWith('terminal.')),
  );
  const [colours, names] = isRecord(found) ? [found, ofCode] : [value, ofWindows];
  if (names === ofWindows && !('black' in value))
    throw new Problem(isRecord(value.colors) ? say.missing(codeAnsi[0] ?? '') : say.unknownFormat);
  return { name: name.slice(0, longestName), colours: named(colours, names) };
}

function named(values: Record<string, unknown>, names: Names): Colours {
  const of = (keys: string[], ground?: string): string => {
    const key = keys.find((each) => values[each] !== undefined && values[each] !== null);
    if (key === undefined) throw new Problem(say.missing(keys[0] ?? ''));
    const found = colourOf(values[key], ground);
    if (found === undefined) throw new Problem(say.noColour(key));
    return found;
  };
  const background = of(names.background);
  return {
    background,
    foreground: of(names.foreground, background),
    cursor: of(names.cursor, background),
    selection: of(names.selection, background),
    palette: names.palette.map((name) => of([name], background)),
  };
}

/** Colours as CSS writes them in hex. What is translucent is laid over the background. */
function colourOf(value: unknown, ground = '#000000'): string | undefined {
  if (typeof value !== 'string') return undefined;
  const short = /^#([0-9a-f])([0-9a-f])([0-9a-f])([0-9a-f])?$/i.exec(value);
  const long = short ? `#${[...value.slice(1)].map((digit) => digit + digit).join('')}` : value;
  if (!/^#([0-9a-f]{6}|[0-9a-f]{8})$/i.test(long)) return undefined;
  const opaque = long.slice(0, 7).toLowerCase();
  const share = long.length === 9 ? Number.parseInt(long.slice(7), 16) / 255 : 1;
  const under = partsOf(ground);
  const mixed = partsOf(opaque).map((part, at) => Math.round(part * share + (under[at] ?? 0) * (1 - share)));
  return `#${mixed.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}

/** People comment VS Code's files, and leave a comma after the last entry. */
function withoutComments(text: string): string {
  // What does not end reaches to the end of the text, so no character is looked at twice.
  const tokens = /"(?:[^"\\]|\\.)*(?:"|$)|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|,(?=\s*[}\]])/g;
  const plain = text.replace(/^\ufeff/, '').replace(tokens, (token) => (token.startsWith('"') ? token : ''));
  return plain.replace(tokens, (token) => (token.startsWith('"') ? token : ''));
}
