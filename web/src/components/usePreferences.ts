// The preferences and the theme as React hooks.

import { createContext, useCallback, useContext, useEffect, useState, useSyncExternalStore } from 'react';
import { keysFor, type Named } from '../actions/shortcuts';
import { systemTheme, watchSystemTheme } from '../browser/systemTheme';
import { BrowserStore } from '../settings/keep';
import type { Preferences, ThemeChoice } from '../settings/preferences';
import { Settings } from '../settings/settings';
import type { TerminalsClient } from '../terminals/client';
import type { ThemeName } from '../xterm/themes';

const here = new BrowserStore();
here.watch();

/** Where components find the settings; without a provider, those of this browser alone. */
export const SettingsContext = createContext(new Settings(here, here));

/** The settings of the user whose client this is. */
export function useSettings({ preferences }: TerminalsClient): Settings {
  const [settings] = useState(() => new Settings(preferences, here));
  return settings;
}

export function usePreferences(of?: Settings): [Preferences, (change: Partial<Preferences>) => void] {
  const around = useContext(SettingsContext);
  const settings = of ?? around;
  return [useSyncExternalStore(settings.subscribe, settings.get), settings.change];
}

/** The chosen theme, or the system's current one. */
export function useTheme(choice: ThemeChoice): ThemeName {
  const [system, setSystem] = useState(systemTheme);
  useEffect(() => watchSystemTheme(() => setSystem(systemTheme())), []);
  return choice === 'system' ? system : choice;
}

/** The keys that an action has, as the person chose them. */
export function useKeysFor(): (action: Named) => string {
  const [{ keys }] = usePreferences();
  return useCallback((action) => keysFor(action, keys), [keys]);
}

/** An action and its keys, for a button's title. */
export function titled(label: string, keys: string): string {
  return keys === '' ? label : `${label} (${keys})`;
}
