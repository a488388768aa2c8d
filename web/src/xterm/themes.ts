// The terminal's colours for each theme, and how the daemon is told about them.

import type { ITheme } from '@xterm/xterm';
import type { Theme } from '../protocol/messages';

export type ThemeName = 'light' | 'dark' | 'contrast';

/** Each colour is written as #rrggbb. */
export interface Colours {
  foreground: string;
  background: string;
  cursor: string;
  selection: string;
  /** The 16 ANSI colours, normal ones first. */
  palette: string[];
}

export const colours: Record<ThemeName, Colours> = {
  dark: {
    foreground: '#d4d7dc',
    background: '#16181c',
    cursor: '#e8eaed',
    selection: '#34506e',
    palette: [
      '#2a2d33',
      '#e06c75',
      '#8cc570',
      '#dcb567',
      '#6cabeb',
      '#c58ae0',
      '#5bbcc6',
      '#c9ccd2',
      '#70757f',
      '#f08c94',
      '#a6d98c',
      '#ecca85',
      '#8fc2f5',
      '#d8a8ee',
      '#7fd3db',
      '#f2f3f5',
    ],
  },
  light: {
    foreground: '#24272c',
    background: '#ffffff',
    cursor: '#24272c',
    selection: '#b9d3f0',
    palette: [
      '#24272c',
      '#b3261e',
      '#2a7a32',
      '#8a6100',
      '#1f5fbf',
      '#8632a6',
      '#0f7480',
      '#7b8089',
      '#5c616a',
      '#cf3a31',
      '#358f3e',
      '#a37400',
      '#2f74da',
      '#9c46bd',
      '#168a97',
      '#a9adb5',
    ],
  },
  contrast: {
    foreground: '#ffffff',
    background: '#000000',
    cursor: '#ffff00',
    selection: '#0050c8',
    palette: [
      '#000000',
      '#ff6b6b',
      '#5cff5c',
      '#ffff66',
      '#7ab8ff',
      '#ff8cff',
      '#66ffff',
      '#ffffff',
      '#b0b0b0',
      '#ff9a9a',
      '#9aff9a',
      '#ffff9a',
      '#a8d1ff',
      '#ffb8ff',
      '#a8ffff',
      '#ffffff',
    ],
  },
};

const names = [
  'black',
  'red',
  'green',
  'yellow',
  'blue',
  'magenta',
  'cyan',
  'white',
  'brightBlack',
  'brightRed',
  'brightGreen',
  'brightYellow',
  'brightBlue',
  'brightMagenta',
  'brightCyan',
  'brightWhite',
] as const;

export function xtermTheme({ foreground, background, cursor, selection, palette }: Colours): ITheme {
  const theme: ITheme = {
    foreground,
    background,
    cursor,
    cursorAccent: background,
    selectionBackground: selection,
  };
  names.forEach((key, index) => {
    const colour = palette[index];
    if (colour !== undefined) theme[key] = colour;
  });
  return theme;
}

/** The colours that the daemon reports to programs that ask. */
export function toldTheme({ foreground, background, cursor, palette }: Colours): Theme {
  return { foreground, background, cursor, palette };
}
