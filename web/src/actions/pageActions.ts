// The page's own actions in the command bar, next to the extensions' commands.

import { type Preferences, themeChoices } from '../settings/preferences';
import { words } from '../words';
import type { Entry } from './palette';
import { type ShortcutAction, shortcutsWith } from './shortcuts';

export interface PageActionsContext {
  preferences: Preferences;
  changePreferences(change: Partial<Preferences>): void;
  perform(action: ShortcutAction): void;
  toast(level: 'info' | 'warning', text: string): void;
  onSignOut?: (() => Promise<void>) | undefined;
  onSignOutOthers?: (() => Promise<string>) | undefined;
}

const hidden: ShortcutAction[] = ['command_bar', 'focus_tabs', 'focus_below', 'copy', 'paste'];

function action(label: string, run: () => void, keys?: string): Entry {
  return { id: `action ${label}`, kind: 'action', label, run, ...(keys ? { keys } : {}) };
}

async function allowNotifications(toast: PageActionsContext['toast']): Promise<void> {
  const answer = 'Notification' in window ? await Notification.requestPermission() : 'denied';
  if (answer === 'granted') toast('info', words.bells.allowed);
  else toast('warning', words.bells.denied);
}

function signOutActions({ toast, onSignOut, onSignOutOthers }: PageActionsContext): Entry[] {
  const failed = () => toast('warning', words.signIn.noAnswer);
  return [
    ...(onSignOut ? [action(words.signIn.out, () => void onSignOut().catch(failed))] : []),
    ...(onSignOutOthers
      ? [
          action(
            words.signIn.outOthers,
            () => void onSignOutOthers().then((text) => toast('info', text), failed),
          ),
        ]
      : []),
  ];
}

export function pageActions(context: PageActionsContext): Entry[] {
  const { preferences, changePreferences, perform, toast } = context;
  return [
    ...shortcutsWith(preferences.keys)
      .filter((each) => !hidden.includes(each.action))
      .map(({ action: name, keys, does }) => action(does, () => perform(name), keys)),
    ...themeChoices.map((theme) =>
      action(words.chooseTheme(words.themes[theme]), () => changePreferences({ theme })),
    ),
    action(words.screenReader(preferences.screenReader), () =>
      changePreferences({ screenReader: !preferences.screenReader }),
    ),
    action(words.bells.ask, () => void allowNotifications(toast)),
    ...signOutActions(context),
  ];
}
