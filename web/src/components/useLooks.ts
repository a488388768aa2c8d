// What terminals are drawn with: as the person chose it for all, and for those of a profile.

import { useMemo } from 'react';
import type { Preferences } from '../settings/preferences';
import { lookOf } from '../settings/schemes';
import type { ScreenOptions } from '../xterm/screen';
import type { ThemeName } from '../xterm/themes';
import { useTheme } from './usePreferences';

export interface Looks {
  /** The page's. */
  theme: ThemeName;
  /** For terminals without a profile. */
  usual: ScreenOptions;
  /** The same object until something changes. */
  of(terminalId: string): ScreenOptions;
}

const themes: readonly ThemeName[] = ['light', 'dark', 'contrast'];

/** `name`: a theme's or a scheme's; any other is the theme's own. */
function optionsWith(name: string, preferences: Preferences, theme: ThemeName): ScreenOptions {
  const scheme = preferences.schemes.find((each) => each.name === name);
  const { fontFamily, fontSize, lineHeight, cursorStyle, cursorBlink, scrollback, screenReader, paste } =
    preferences;
  return {
    ...lookOf(scheme ?? themes.find((each) => each === name) ?? theme),
    ...{ fontFamily, fontSize, lineHeight, cursorStyle, cursorBlink, scrollback, screenReader, paste },
  };
}

export function useLooks(preferences: Preferences): Looks {
  const theme = useTheme(preferences.theme);
  return useMemo(() => {
    const made = new Map<string, ScreenOptions>();
    const named = (name: string) => {
      const options = made.get(name) ?? optionsWith(name, preferences, theme);
      made.set(name, options);
      return options;
    };
    const profileOf = new Map(preferences.profileOf);
    const coloursOf = new Map(preferences.profiles.map(({ name, colours }) => [name, colours]));
    return {
      theme,
      usual: named(preferences.scheme),
      of: (terminalId) => named(coloursOf.get(profileOf.get(terminalId) ?? '') || preferences.scheme),
    };
  }, [preferences, theme]);
}
