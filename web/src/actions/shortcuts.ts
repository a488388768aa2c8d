// The page's own keys. All others go to the terminal. None of these is useful in a shell. Chromium and
// Firefox give the page all of them: those that they keep for themselves are in `reserved`.

import { words } from '../words';

export type ShortcutAction =
  | 'new_terminal'
  | 'close_terminal'
  | 'rename_terminal'
  | 'next_terminal'
  | 'previous_terminal'
  | 'move_right'
  | 'move_left'
  | 'focus_tabs'
  | 'focus_below'
  | 'command_bar'
  | 'search'
  | 'sessions'
  | 'copy'
  | 'paste'
  | 'larger'
  | 'smaller'
  | 'normal_size'
  | 'help'
  | `terminal_${number}`;

type Key = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey'>;
type Named = keyof typeof words.actions;

export interface Shortcut {
  action: Named;
  keys: string;
  does: string;
}

export const defaultCommandKeys = 'Ctrl+Shift+K';

const keys: Record<Exclude<Named, 'command_bar'>, string> = {
  new_terminal: 'Ctrl+Shift+Enter',
  close_terminal: 'Ctrl+Shift+X',
  rename_terminal: 'Ctrl+Shift+E',
  next_terminal: 'Ctrl+Shift+→',
  previous_terminal: 'Ctrl+Shift+←',
  move_right: 'Ctrl+Alt+Shift+→',
  move_left: 'Ctrl+Alt+Shift+←',
  focus_tabs: 'Ctrl+Shift+↑',
  focus_below: 'Ctrl+Shift+↓',
  search: 'Ctrl+Shift+F',
  sessions: 'Ctrl+Shift+S',
  copy: 'Ctrl+Shift+C',
  paste: 'Ctrl+Shift+V',
  larger: 'Ctrl++',
  smaller: 'Ctrl+-',
  normal_size: 'Ctrl+0',
  help: 'Ctrl+Shift+?',
};

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

/** Every shortcut, with the person's own key for the command bar. */
export function shortcutsWith(commandKeys: string): Shortcut[] {
  const all = { ...keys, command_bar: commandKeys };
  return (Object.keys(words.actions) as Named[]).map((action) => ({
    action,
    keys: all[action],
    does: words.actions[action],
  }));
}

export function keysFor(action: Exclude<Named, 'command_bar'>): string {
  return keys[action];
}

/** The page's action for the key; `undefined` if the key belongs to the terminal. */
export function actionOf(event: Key, commandKeys: string): ShortcutAction | undefined {
  // By key position, because on some systems Alt changes the character.
  const digit = /^Digit([1-9])$/.exec(event.code)?.[1];
  const isControl = event.ctrlKey || event.metaKey;
  if (digit !== undefined && event.altKey && !isControl && !event.shiftKey)
    return `terminal_${Number(digit)}`;
  const pressed = keysOf(event)?.replace(/^Ctrl\+=$/, 'Ctrl++');
  return shortcutsWith(commandKeys).find((each) => each.keys === pressed)?.action;
}

/** Why a key cannot open the command bar; `undefined` if it can. */
export function problemWith(pressed: string): string | undefined {
  if (reserved.includes(pressed)) return words.keys.reserved(pressed);
  if (Object.values(keys).includes(pressed)) return words.keys.taken(pressed);
  return /^Ctrl\+(Alt\+|Shift\+|Alt\+Shift\+)./.test(pressed) ? undefined : words.keys.press;
}

/** More lines for the help, without an entry in the table. */
export const moreKeys: readonly { keys: string; does: string }[] = [
  { keys: 'Alt+1 … Alt+9', does: words.moreKeys.terminals },
  { keys: 'Shift+PageUp, Shift+PageDown', does: words.moreKeys.scroll },
  { keys: 'Ctrl+click', does: words.moreKeys.link },
  { keys: 'Enter', does: words.moreKeys.enter },
];
