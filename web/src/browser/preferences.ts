// The user's preferences in this browser: theme, font size, screen reader, the command bar's key. Kept
// in localStorage.

import { defaultCommandKeys, problemWith } from '../actions/shortcuts';
import { isRecord } from '../protocol/shape';
import type { ThemeName } from '../xterm/themes';

export type ThemeChoice = ThemeName | 'system';

export interface Preferences {
  theme: ThemeChoice;
  fontSize: number;
  screenReader: boolean;
  /** The keys that open the command bar. */
  commandKeys: string;
}

export const themeChoices: readonly ThemeChoice[] = ['system', 'light', 'dark', 'contrast'];
export const defaultPreferences: Preferences = {
  theme: 'system',
  fontSize: 14,
  screenReader: false,
  commandKeys: defaultCommandKeys,
};
const key = 'holdfast:preferences';
const smallestFont = 8;
const largestFont = 32;

export function limitFont(size: number): number {
  return Math.min(largestFont, Math.max(smallestFont, Math.round(size)));
}

export function parsePreferences(stored: string | null): Preferences {
  let value: unknown;
  try {
    value = JSON.parse(stored ?? '');
  } catch {
    return defaultPreferences;
  }
  if (!isRecord(value)) return defaultPreferences;
  return {
    theme: themeChoices.find((each) => each === value.theme) ?? defaultPreferences.theme,
    fontSize:
      typeof value.fontSize === 'number' && Number.isFinite(value.fontSize)
        ? limitFont(value.fontSize)
        : defaultPreferences.fontSize,
    screenReader: value.screenReader === true,
    commandKeys:
      typeof value.commandKeys === 'string' && problemWith(value.commandKeys) === undefined
        ? value.commandKeys
        : defaultPreferences.commandKeys,
  };
}

export function loadPreferences(): Preferences {
  try {
    return parsePreferences(localStorage.getItem(key));
  } catch {
    return defaultPreferences;
  }
}

export function savePreferences(preferences: Preferences): void {
  try {
    localStorage.setItem(key, JSON.stringify(preferences));
  } catch {
    // The browser forbids storage, so the choice lasts until the page is closed.
  }
}

const queries = { contrast: '(prefers-contrast: more)', light: '(prefers-color-scheme: light)' };

export function systemTheme(): ThemeName {
  if (matchMedia(queries.contrast).matches) return 'contrast';
  return matchMedia(queries.light).matches ? 'light' : 'dark';
}

/** Calls `changed` whenever the system's theme changes. Returns what ends that. */
export function watchSystemTheme(changed: () => void): () => void {
  const lists = Object.values(queries).map((query) => matchMedia(query));
  for (const list of lists) list.addEventListener('change', changed);
  return () => {
    for (const list of lists) list.removeEventListener('change', changed);
  };
}
