// Performs the page's actions, for its shortcuts and the command bar.

import { defaultPreferences, limitFont, type Preferences } from '../settings/preferences';
import type { TerminalsClient } from '../terminals/client';
import { moved } from '../terminals/order';
import { groupsOf, inOrder } from '../terminals/paneState';
import { words } from '../words';
import type { XtermScreen } from '../xterm/screen';
import { performCommand } from './commandActions';
import type { SettingName } from './settingNames';
import type { ShortcutAction } from './shortcuts';

/** What is open over the terminals, one at a time. */
export type Layer =
  | 'none'
  | 'commands'
  | 'sessions'
  | 'overview'
  | 'notices'
  | 'help'
  | 'search'
  | 'search all'
  | 'settings'
  | 'download'
  | `settings ${SettingName}`;

export interface ActionContext {
  client: TerminalsClient;
  screenOf(terminalId: string): XtermScreen | undefined;
  preferences: Preferences;
  changePreferences(change: Partial<Preferences>): void;
  setLayer(layer: Layer): void;
  rename(terminalId: string | null): void;
  focusTabs(): void;
  focusBelow(): void;
  /** Lets the person choose files for a terminal. */
  upload(terminalId: string): void;
}

/** Of a split, how much a pane grows at once. */
const paneStep = 0.05;

const layers: Partial<Record<ShortcutAction, Layer>> = {
  command_bar: 'commands',
  search: 'search',
  search_all: 'search all',
  sessions: 'sessions',
  overview: 'overview',
  notices: 'notices',
  settings: 'settings',
  help: 'help',
  download: 'download',
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
      return moveTab(client, active, 1);
    case 'move_left':
      return moveTab(client, active, -1);
    case 'split_right':
      return void client.panes.split('right');
    case 'split_down':
      return void client.panes.split('down');
    case 'pane_left':
      return client.panes.go('left');
    case 'pane_right':
      return client.panes.go('right');
    case 'pane_up':
      return client.panes.go('up');
    case 'pane_down':
      return client.panes.go('down');
    case 'larger_pane':
      return client.panes.grow(paneStep);
    case 'smaller_pane':
      return client.panes.grow(-paneStep);
    case 'zoom_pane':
      return client.panes.zoom();
    case 'pane_to_tab':
      return active === null ? undefined : client.panes.toTab(active);
    case 'broadcast':
      return client.panes.broadcastToAll();
    case 'broadcast_pane':
      return active === null ? undefined : client.panes.broadcastTo(active);
    case 'focus_tabs':
      return context.focusTabs();
    case 'focus_below':
      return context.focusBelow();
    case 'copy':
      return active === null ? undefined : void copySelection(context.screenOf(active));
    case 'previous_command':
    case 'next_command':
    case 'select_output':
    case 'copy_output':
    case 'save_output':
    case 'run_command':
      return active === null ? undefined : performCommand(action, context, active);
    case 'upload':
      return active === null ? undefined : context.upload(active);
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

/** The tabs, by the terminal that was active last in each, and that terminal's place. */
function placeOf({ state }: TerminalsClient, terminalId: string | null): { ids: string[]; at: number } {
  const ids = groupsOf(state).map(({ lead }) => lead);
  return { ids, at: ids.indexOf(terminalId ?? '') };
}

function goTo(client: TerminalsClient, offset: 1 | -1): void {
  const { ids, at } = placeOf(client, client.state.active);
  const id = ids[(at + offset + ids.length) % ids.length];
  if (id !== undefined) client.activate(id);
}

export function moveTab(client: TerminalsClient, terminalId: string | null, offset: 1 | -1): void {
  const { ids, at } = placeOf(client, terminalId);
  const id = ids[at];
  if (id === undefined || ids[at + offset] === undefined) return;
  const order = moved(ids, id, ids[offset === 1 ? at + 2 : at - 1] ?? null);
  void client.reorder(inOrder(client.state, order));
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
