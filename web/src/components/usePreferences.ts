// The preferences and the theme as React hooks.

import { useCallback, useEffect, useState } from 'react';
import {
  loadPreferences,
  type Preferences,
  savePreferences,
  systemTheme,
  type ThemeChoice,
  watchSystemTheme,
} from '../browser/preferences';
import type { ThemeName } from '../xterm/themes';

export function usePreferences(): [Preferences, (change: Partial<Preferences>) => void] {
  const [preferences, setPreferences] = useState(loadPreferences);
  const change = useCallback((part: Partial<Preferences>) => {
    setPreferences((old) => {
      const next = { ...old, ...part };
      savePreferences(next);
      return next;
    });
  }, []);
  return [preferences, change];
}

/** The chosen theme, or the system's current one. */
export function useTheme(choice: ThemeChoice): ThemeName {
  const [system, setSystem] = useState(systemTheme);
  useEffect(() => watchSystemTheme(() => setSystem(systemTheme())), []);
  return choice === 'system' ? system : choice;
}
