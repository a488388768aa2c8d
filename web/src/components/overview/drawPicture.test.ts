import { expect, test } from 'vitest';
import { colours } from '../../xterm/themes';
import { colourOf, lookOf } from './drawPicture';

const { dark } = colours;

test('colours are those of the theme, of the cube, greys, or their own', () => {
  expect(colourOf('1', dark.palette)).toBe(dark.palette[1]);
  expect(colourOf('i9', dark.palette)).toBe(dark.palette[9]);
  expect(colourOf('i16', dark.palette)).toBe('rgb(0 0 0)');
  expect(colourOf('i196', dark.palette)).toBe('rgb(255 0 0)');
  expect(colourOf('i255', dark.palette)).toBe('rgb(238 238 238)');
  expect(colourOf('#123456', dark.palette)).toBe('#123456');
});

test('a style says how a run looks', () => {
  expect(lookOf('', dark)).toEqual({
    foreground: dark.foreground,
    background: undefined,
    isBold: false,
    isItalic: false,
    isDim: false,
  });
  expect(lookOf('fg=1 bg=i16 bold italic dim', dark)).toEqual({
    foreground: dark.palette[1],
    background: 'rgb(0 0 0)',
    isBold: true,
    isItalic: true,
    isDim: true,
  });
  expect(lookOf('inverse', dark)).toMatchObject({
    foreground: dark.background,
    background: dark.foreground,
  });
  expect(lookOf('fg=1 invisible', dark)).toBeUndefined();
});
