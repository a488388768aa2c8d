// The page's own keys. All others go to the terminal. None of these is useful in a shell. Chromium and
// Firefox give the page all of them: those that they keep for themselves are in `reserved`. A person
// can choose others.

import { isRecord } from '../protocol/shape';
import { words } from '../words';

export type ShortcutAction =
  | 'new_terminal'
  | 'close_terminal'
  | 'rename_terminal'
  | 'next_terminal'
  | 'previous_terminal'
  | 'move_right'
  | 'move_left'
  | 'split_right'
  | 'split_down'
  | 'pane_left'
  | 'pane_right'
  | 'pane_up'
  | 'pane_down'
  | 'larger_pane'
  | 'smaller_pane'
  | 'zoom_pane'
  | 'pane_to_tab'
  | 'broadcast'
  | 'broadcast_pane'
  | 'focus_tabs'
  | 'focus_below'
  | 'command_bar'
  | 'search'
  | 'search_all'
  | 'previous_command'
  | 'next_command'
  | 'select_output'
  | 'copy_output'
  | 'save_output'
  | 'run_command'
  | 'sessions'
  | 'overview'
  | 'notices'
  | 'copy'
  | 'paste'
  | 'larger'
  | 'smaller'
  | 'normal_size'
  | 'settings'
  | 'help'
  | 'upload'
  | 'download'
  | `terminal_${number}`;

type Key = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey'>;
export type Named = keyof typeof words.actions;

/** The keys that a person chose; an empty text is none. What is not in it has its usual key. */
export type ChosenKeys = Partial<Record<Named, string>> & { digits?: Digits };

/** What is held with 1 … 9 to go to that terminal; empty: nothing does. */
export const digitChoices = ['Alt', 'Ctrl+Alt', ''] as const;
export type Digits = (typeof digitChoices)[number];

export interface Shortcut {
  action: Named;
  keys: string;
  does: string;
}

const usual: Record<Named, string> = {
  new_terminal: 'Ctrl+Shift+Enter',
  close_terminal: 'Ctrl+Shift+X',
  rename_terminal: 'Ctrl+Shift+E',
  next_terminal: 'Ctrl+Shift+→',
  previous_terminal: 'Ctrl+Shift+←',
  move_right: 'Ctrl+Alt+Shift+→',
  move_left: 'Ctrl+Alt+Shift+←',
  split_right: 'Ctrl+Shift+D',
  split_down: 'Ctrl+Shift+O',
  pane_left: 'Alt+Shift+←',
  pane_right: 'Alt+Shift+→',
  pane_up: 'Alt+Shift+↑',
  pane_down: 'Alt+Shift+↓',
  larger_pane: 'Ctrl+Alt+Shift+↑',
  smaller_pane: 'Ctrl+Alt+Shift+↓',
  zoom_pane: 'Ctrl+Shift+Z',
  pane_to_tab: 'Ctrl+Shift+Y',
  broadcast: 'Ctrl+Shift+B',
  broadcast_pane: 'Ctrl+Alt+Shift+B',
  focus_tabs: 'Ctrl+Shift+↑',
  focus_below: 'Ctrl+Shift+↓',
  command_bar: 'Ctrl+Shift+K',
  search: 'Ctrl+Shift+F',
  search_all: 'Ctrl+Shift+G',
  previous_command: 'Ctrl+Alt+PageUp',
  next_command: 'Ctrl+Alt+PageDown',
  select_output: 'Ctrl+Alt+Shift+A',
  copy_output: 'Ctrl+Alt+Shift+C',
  save_output: 'Ctrl+Alt+Shift+S',
  run_command: 'Ctrl+Alt+Shift+R',
  sessions: 'Ctrl+Shift+S',
  overview: 'Ctrl+Shift+A',
  notices: 'Ctrl+Shift+H',
  copy: 'Ctrl+Shift+C',
  paste: 'Ctrl+Shift+V',
  larger: 'Ctrl++',
  smaller: 'Ctrl+-',
  normal_size: 'Ctrl+0',
  settings: 'Ctrl+,',
  help: 'Ctrl+Shift+?',
  upload: '',
  download: '',
};

const actionNames = Object.keys(usual) as Named[];

/** Browsers act on these before the page sees them. */
const reserved = ['N', 'P', 'Q', 'T', 'W', 'Tab'].map((key) => `Ctrl+Shift+${key}`);

const arrows: Record<string, string> = { ArrowLeft: '←', ArrowRight: '→', ArrowUp: '↑', ArrowDown: '↓' };

/** The pressed keys as the help writes them; `undefined` for a key that only modifies others. */
export function keysOf(event: Key): string | undefined {
  const { key, ctrlKey, metaKey, shiftKey, altKey } = event;
  if (['Control', 'Meta', 'Shift', 'Alt', 'AltGraph'].includes(key)) return undefined;
  const name = arrows[key] ?? (key === ' ' ? 'Space' : key.length === 1 ? key.toUpperCase() : key);
  const held = [
    ctrlKey || metaKey ? 'Ctrl' : '',
    altKey ? 'Alt' : '',
    // With these, Shift only makes the character.
    shiftKey && !/^[+=]$/.test(key) ? 'Shift' : '',
  ];
  return [...held, name].filter(Boolean).join('+');
}

/** What was chosen for one action is no longer another's usual key. */
export function keysFor(action: Named, chosen: ChosenKeys = {}): string {
  const own = chosen[action];
  if (own !== undefined) return own;
  return Object.values(chosen).includes(usual[action]) ? '' : usual[action];
}

export function shortcutsWith(chosen: ChosenKeys): Shortcut[] {
  return actionNames.map((action) => ({
    action,
    keys: keysFor(action, chosen),
    does: words.actions[action],
  }));
}

/** The page's action for the key; `undefined` if the key belongs to the terminal. */
export function actionOf(event: Key, chosen: ChosenKeys): ShortcutAction | undefined {
  // By key position, because on some systems Alt changes the character.
  const digit = /^Digit([1-9])$/.exec(event.code)?.[1];
  const { digits = 'Alt' } = chosen;
  const isControl = event.ctrlKey || event.metaKey;
  const isHeld = event.altKey && !event.shiftKey && isControl === (digits === 'Ctrl+Alt');
  if (digit !== undefined && digits !== '' && isHeld) return `terminal_${Number(digit)}`;
  const pressed = writtenKeys(event);
  return pressed === undefined ? undefined : actionNames.find((each) => keysFor(each, chosen) === pressed);
}

/** As in the table: Ctrl and = is where Ctrl and + is on most keyboards. */
export function writtenKeys(event: Key): string | undefined {
  return keysOf(event)?.replace(/^Ctrl\+=$/, 'Ctrl++');
}

/** Why an action cannot have these keys; `undefined` if it can. */
export function problemWith(pressed: string, action: Named, chosen: ChosenKeys): string | undefined {
  if (reserved.includes(pressed)) return words.keys.reserved(pressed);
  const taker = actionNames.find((each) => each !== action && keysFor(each, chosen) === pressed);
  if (taker) return words.keys.taken(pressed, words.actions[taker]);
  return isForThePage(pressed) ? undefined : words.keys.press;
}

/** The others are the shell's. */
function isForThePage(keys: string): boolean {
  return /^Ctrl\+(Alt\+|Shift\+|Alt\+Shift\+)./.test(keys) || Object.values(usual).includes(keys);
}

/** What is stored may come from another version: what cannot be a key here is left out. */
export function parseKeys(value: unknown): ChosenKeys | undefined {
  if (!isRecord(value)) return undefined;
  const chosen: ChosenKeys = {};
  for (const action of actionNames) {
    const keys = value[action];
    if (typeof keys !== 'string' || keys.length > 40 || reserved.includes(keys)) continue;
    const isNew = !Object.values(chosen).includes(keys);
    if (keys === '' || (isForThePage(keys) && isNew)) chosen[action] = keys;
  }
  const digits = digitChoices.find((each) => each === value.digits);
  return digits === undefined ? chosen : { ...chosen, digits };
}

export function digitKeys(digits: Digits = 'Alt'): string {
  return digits === '' ? '' : `${digits}+1 … ${digits}+9`;
}

/** More lines for the help, without an entry in the table. */
export const moreKeys: readonly { keys: string; does: string }[] = [
  { keys: 'Shift+PageUp, Shift+PageDown', does: words.moreKeys.scroll },
  { keys: 'Ctrl+click', does: words.moreKeys.link },
  { keys: 'Enter', does: words.moreKeys.enter },
];
