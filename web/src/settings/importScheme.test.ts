import { expect, test } from 'vitest';
import { colours } from '../xterm/themes';
import { importScheme } from './importScheme';
import { contrastOf, hardToRead, lookOf, parseScheme } from './schemes';

const hex = (at: number) => `#${at.toString(16).padStart(2, '0').repeat(3)}`;
const component = (at: number) =>
  ['Red', 'Green', 'Blue'].map((part) => `<key>${part} Component</key><real>${at / 255}</real>`).join('');
const entry = (name: string, at: number) =>
  `<key>${name}</key><dict><key>Color Space</key><string>sRGB</string>${component(at)}</dict>`;

function plist(change = (text: string) => text) {
  const all = [
    ...Array.from({ length: 16 }, (_, at) => entry(`Ansi ${at} Color`, at * 16)),
    entry('Background Color', 1),
    entry('Foreground Color', 250),
    entry('Cursor Color', 200),
    entry('Selection Color', 90),
    entry('Badge Color', 3),
  ].join('\n');
  return change(`<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0"><dict>${all}</dict></plist>`);
}

const names = ['Black', 'Red', 'Green', 'Yellow', 'Blue', 'Magenta', 'Cyan', 'White'];
const ansi = [...names, ...names.map((name) => `Bright${name}`)];
const codeColours = {
  'terminal.background': '#000',
  'terminal.foreground': '#ABCDEF',
  'terminal.selectionBackground': '#ffffff80',
  ...Object.fromEntries(ansi.map((name, at) => [`terminal.ansi${name}`, hex(at * 16)])),
};

test("iTerm2's colours", () => {
  expect(importScheme('Solarized Dark.itermcolors', plist())).toEqual({
    scheme: {
      name: 'Solarized Dark',
      colours: {
        background: hex(1),
        foreground: hex(250),
        cursor: hex(200),
        selection: hex(90),
        palette: Array.from({ length: 16 }, (_, at) => hex(at * 16)),
      },
    },
  });
});

test('what is wrong in an iTerm2 file is named', () => {
  const wrong = (change: (text: string) => string) => importScheme('x.itermcolors', plist(change));
  expect(wrong((text) => text.replace('Ansi 7 Color', 'Ansi 70 Color'))).toEqual({
    problem: 'The colour “Ansi 7 Color” is missing in this file.',
  });
  expect(wrong((text) => text.replace(`<real>${250 / 255}</real>`, '<real>2</real>'))).toEqual({
    problem: '“Foreground Color” is not a colour.',
  });
  for (const change of [
    (text: string) => text.slice(0, -9),
    (text: string) => text.replace('<plist', '<html').replace('</plist', '</html'),
    (text: string) => text.replace('<!DOCTYPE plist', '<!DOCTYPE plist [<!ENTITY a "b">]><x'),
    (text: string) => text.replace('<key>Badge Color</key>', ''),
  ])
    expect(wrong(change)).toEqual({ problem: expect.stringContaining('not an iTerm2 colour scheme') });
});

test("VS Code's themes, with comments and a comma too many", () => {
  const text = `// My theme\n{ "name": "Mine", "type": "dark", /* of "all" */ "colors": ${JSON.stringify(codeColours).slice(0, -1)}, // last\n } , }`;
  expect(importScheme('theme.json', text)).toEqual({
    scheme: {
      name: 'Mine',
      colours: {
        background: '#000000',
        foreground: '#abcdef',
        cursor: '#abcdef',
        // Half of white over black.
        selection: '#808080',
        palette: Array.from({ length: 16 }, (_, at) => hex(at * 16)),
      },
    },
  });
});

test("VS Code's settings, and its colours alone", () => {
  for (const value of [{ 'workbench.colorCustomizations': codeColours }, codeColours])
    expect(importScheme('settings.json', JSON.stringify(value))).toMatchObject({
      scheme: { name: 'settings' },
    });
});

test("Windows Terminal's schemes", () => {
  const value = {
    name: 'Campbell',
    background: '#0C0C0C',
    foreground: '#CCCCCC',
    cursorColor: '#FFFFFF',
    selectionBackground: '#FFFFFF',
    ...Object.fromEntries(
      ansi.map((name, at) => [
        (name.charAt(0).toLowerCase() + name.slice(1))
          .replace('magenta', 'purple')
          .replace('Magenta', 'Purple'),
        hex(at),
      ]),
    ),
  };
  expect(importScheme('x.json', JSON.stringify(value))).toMatchObject({
    scheme: { name: 'Campbell', colours: { background: '#0c0c0c', palette: { 5: hex(5), 13: hex(13) } } },
  });
  const { purple: _gone, ...rest } = value as Record<string, string>;
  expect(importScheme('x.json', JSON.stringify(rest))).toEqual({
    problem: 'The colour “purple” is missing in this file.',
  });
});

test('everything else is refused, whatever it is', () => {
  const problemOf = (text: string) => {
    const found = importScheme('x.json', text);
    return 'problem' in found ? found.problem : 'none';
  };
  for (const text of ['', '{', '7', 'null', '[]', '{}', '"black"', 'body { color: red }'])
    expect(problemOf(text), text).toContain('not a colour scheme');
  expect(problemOf('{"colors":{"editor.background":"#000000"}}')).toContain('terminal.ansiBlack');
  expect(problemOf(JSON.stringify({ ...codeColours, 'terminal.ansiRed': 'red' }))).toBe(
    '“terminal.ansiRed” is not a colour.',
  );
  expect(problemOf(JSON.stringify({ ...codeColours, 'terminal.ansiRed': { a: 1 } }))).toContain('ansiRed');
  expect(problemOf(' '.repeat(300_000))).toContain('too large');
});

test('text that means harm costs no time', () => {
  const begun = performance.now();
  for (const piece of ['/*', '"\\"', '"', ', ', '//', '[', '<'])
    importScheme('x.json', piece.repeat(Math.floor(200_000 / piece.length)));
  expect(performance.now() - begun).toBeLessThan(2000);
});

test('contrast is measured as WCAG says, and what is pale is told', () => {
  expect(contrastOf('#000000', '#ffffff')).toBeCloseTo(21);
  expect(contrastOf('#777777', '#ffffff')).toBeCloseTo(4.48, 2);
  expect(contrastOf('#ffff00', '#ffffff')).toBeCloseTo(1.07, 2);
  const palette = [...colours.light.palette];
  palette[3] = '#ffff00';
  expect(hardToRead({ ...colours.light, foreground: '#999999', palette })).toEqual({
    text: contrastOf('#999999', '#ffffff'),
    colours: 1,
  });
  for (const theme of ['light', 'dark', 'contrast'] as const)
    expect(hardToRead(colours[theme]), theme).toEqual({ text: undefined, colours: 0 });
});

test('a stored scheme is checked again', () => {
  const good = { name: 'x', colours: colours.dark };
  expect(parseScheme(good)).toEqual(good);
  expect(lookOf(good).colours).toBe(colours.dark);
  expect(parseScheme({ ...good, name: '' })).toBeUndefined();
  expect(parseScheme({ ...good, colours: { ...colours.dark, cursor: 'red' } })).toBeUndefined();
  expect(parseScheme({ ...good, colours: { ...colours.dark, palette: [] } })).toBeUndefined();
});
