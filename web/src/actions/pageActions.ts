// The page's own actions in the command bar, next to the extensions' commands.

import { type Preferences, type ThemeChoice, themeChoices } from '../browser/preferences';
import { type ShortcutAction, shortcuts } from './shortcuts';

export interface PageAction {
  label: string;
  keys?: string;
  run(): void;
}

interface Context {
  preferences: Preferences;
  changePreferences(change: Partial<Preferences>): void;
  perform(action: ShortcutAction): void;
  toast(level: 'info' | 'warning', text: string): void;
  onSignOut?: (() => Promise<void>) | undefined;
  onSignOutOthers?: (() => Promise<string>) | undefined;
}

const themeLabels: Record<ThemeChoice, string> = {
  system: 'Theme: system',
  light: 'Theme: light',
  dark: 'Theme: dark',
  contrast: 'Theme: high contrast',
};

const hidden: ShortcutAction[] = ['command_bar', 'focus_tabs', 'copy', 'paste'];

async function allowNotifications(toast: Context['toast']): Promise<void> {
  const answer = 'Notification' in window ? await Notification.requestPermission() : 'denied';
  if (answer === 'granted') toast('info', 'Bells in a hidden window now show a notification.');
  else toast('warning', 'The browser does not allow notifications from this page.');
}

function signOutActions({ toast, onSignOut, onSignOutOthers }: Context): PageAction[] {
  const failed = () => toast('warning', 'The daemon does not answer.');
  return [
    ...(onSignOut ? [{ label: 'Sign out', run: () => void onSignOut().catch(failed) }] : []),
    ...(onSignOutOthers
      ? [
          {
            label: 'Sign out other browsers',
            run: () => void onSignOutOthers().then((text) => toast('info', text), failed),
          },
        ]
      : []),
  ];
}

export function pageActions(context: Context): PageAction[] {
  const { preferences, changePreferences, perform, toast } = context;
  return [
    ...shortcuts
      .filter(({ action }) => !hidden.includes(action))
      .map(({ action, keys, does }) => ({ label: does, keys, run: () => perform(action) })),
    ...themeChoices.map((theme) => ({
      label: themeLabels[theme],
      run: () => changePreferences({ theme }),
    })),
    {
      label: preferences.screenReader ? 'Screen reader: off' : 'Screen reader: on',
      run: () => changePreferences({ screenReader: !preferences.screenReader }),
    },
    { label: 'Notify about bells', run: () => void allowNotifications(toast) },
    ...signOutActions(context),
  ];
}
