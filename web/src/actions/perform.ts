// Performs the page's actions, for its shortcuts and the command bar.

import { defaultPreferences, limitFont, type Preferences } from '../browser/preferences';
import type { TerminalsClient } from '../terminals/client';
import { moved } from '../terminals/order';
import { words } from '../words';
import type { XtermScreen } from '../xterm/screen';
import type { ShortcutAction } from './shortcuts';

/** What is open over the terminals, one at a time. */
export type Layer = 'none' | 'commands' | 'sessions' | 'help' | 'search';

export interface ActionContext {
  client: TerminalsClient;
  screenOf(terminalId: string): XtermScreen | undefined;
  preferences: Preferences;
  changePreferences(change: Partial<Preferences>): void;
  setLayer(layer: Layer): void;
  rename(terminalId: string | null): void;
  focusTabs(): void;
  focusBelow(): void;
}

const layers: Partial<Record<ShortcutAction, Layer>> = {
  command_bar: 'commands',
  search: 'search',
  sessions: 'sessions',
  help: 'help',
};

export function perform(action: ShortcutAction, context: ActionContext): void {
  const { client, preferences, changePreferences } = context;
  const { active } = client.state;
  const layer = layers[action];
  if (layer) return context.setLayer(layer);
  switch (action) {
    case 'new_terminal':
      return void client.newTerminal();
    case 'close_terminal':
      return active === null ? undefined : void client.closeTerminal(active);
    case 'rename_terminal':
      return context.rename(active);
    case 'next_terminal':
      return goTo(client, 1);
    case 'previous_terminal':
      return goTo(client, -1);
    case 'move_right':
      return move(client, 1);
    case 'move_left':
      return move(client, -1);
    case 'focus_tabs':
      return context.focusTabs();
    case 'focus_below':
      return context.focusBelow();
    case 'copy':
      return active === null ? undefined : void copySelection(context.screenOf(active));
    case 'larger':
      return changePreferences({ fontSize: limitFont(preferences.fontSize + 1) });
    case 'smaller':
      return changePreferences({ fontSize: limitFont(preferences.fontSize - 1) });
    case 'normal_size':
      return changePreferences({ fontSize: defaultPreferences.fontSize });
    case 'paste':
      return active === null ? undefined : void pasteFromClipboard(context, active);
    default: {
      const tab = client.state.tabs[Number(action.split('_')[1]) - 1];
      if (tab) client.activate(tab.terminalId);
    }
  }
}

function placeOfActive({ state }: TerminalsClient): { ids: string[]; at: number } {
  const ids = state.tabs.map(({ terminalId }) => terminalId);
  return { ids, at: ids.indexOf(state.active ?? '') };
}

function goTo(client: TerminalsClient, offset: 1 | -1): void {
  const { ids, at } = placeOfActive(client);
  const id = ids[(at + offset + ids.length) % ids.length];
  if (id !== undefined) client.activate(id);
}

function move(client: TerminalsClient, offset: 1 | -1): void {
  const { ids, at } = placeOfActive(client);
  const id = ids[at];
  if (id === undefined || ids[at + offset] === undefined) return;
  void client.reorder(moved(ids, id, ids[offset === 1 ? at + 2 : at - 1] ?? null));
}

async function copySelection(screen: XtermScreen | undefined): Promise<void> {
  const text = screen?.terminal.getSelection() ?? '';
  if (text === '') return;
  // Pages served without TLS have no clipboard API.
  if (navigator.clipboard) await navigator.clipboard.writeText(text);
  else document.execCommand('copy');
}

/** For a button. With its own key, the browser pastes, and needs no permission; see usePageKeys. */
async function pasteFromClipboard({ client, screenOf }: ActionContext, terminalId: string): Promise<void> {
  try {
    screenOf(terminalId)?.paste(await navigator.clipboard.readText());
  } catch {
    client.toast('warning', words.paste.unreadable);
  }
}
