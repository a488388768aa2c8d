// The page's own actions in the command bar, next to the extensions' commands.

import { type Preferences, themeChoices } from '../browser/preferences';
import { words } from '../words';
import { type ShortcutAction, shortcutsWith } from './shortcuts';

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

const hidden: ShortcutAction[] = ['command_bar', 'focus_tabs', 'focus_below', 'copy', 'paste'];

async function allowNotifications(toast: Context['toast']): Promise<void> {
  const answer = 'Notification' in window ? await Notification.requestPermission() : 'denied';
  if (answer === 'granted') toast('info', words.bells.allowed);
  else toast('warning', words.bells.denied);
}

function signOutActions({ toast, onSignOut, onSignOutOthers }: Context): PageAction[] {
  const failed = () => toast('warning', words.signIn.noAnswer);
  return [
    ...(onSignOut ? [{ label: words.signIn.out, run: () => void onSignOut().catch(failed) }] : []),
    ...(onSignOutOthers
      ? [
          {
            label: words.signIn.outOthers,
            run: () => void onSignOutOthers().then((text) => toast('info', text), failed),
          },
        ]
      : []),
  ];
}

export function pageActions(context: Context): PageAction[] {
  const { preferences, changePreferences, perform, toast } = context;
  return [
    ...shortcutsWith(preferences.commandKeys)
      .filter(({ action }) => !hidden.includes(action))
      .map(({ action, keys, does }) => ({ label: does, keys, run: () => perform(action) })),
    ...themeChoices.map((theme) => ({
      label: words.chooseTheme(words.themes[theme]),
      run: () => changePreferences({ theme }),
    })),
    {
      label: words.screenReader(preferences.screenReader),
      run: () => changePreferences({ screenReader: !preferences.screenReader }),
    },
    { label: words.bells.ask, run: () => void allowNotifications(toast) },
    ...signOutActions(context),
  ];
}
