// The page's own keys. All others go to the terminal. None of these is useful in a shell, and none
// is reserved by browsers.

export type ShortcutAction =
  | 'new_terminal'
  | 'close_terminal'
  | 'rename_terminal'
  | 'next_terminal'
  | 'previous_terminal'
  | 'move_right'
  | 'move_left'
  | 'focus_tabs'
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

interface Shortcut {
  action: ShortcutAction;
  keys: string;
  does: string;
  matches(event: Key): boolean;
}

function control({ ctrlKey, metaKey }: Key): boolean {
  return ctrlKey || metaKey;
}

function ctrlShift(key: string, alt = false) {
  return (event: Key) =>
    control(event) && event.shiftKey && event.altKey === alt && event.key.toLowerCase() === key;
}

function ctrl(...keys: string[]) {
  return (event: Key) => control(event) && !event.altKey && keys.includes(event.key);
}

export const shortcuts: readonly Shortcut[] = [
  { action: 'new_terminal', keys: 'Ctrl+Shift+Enter', does: 'New terminal', matches: ctrlShift('enter') },
  { action: 'close_terminal', keys: 'Ctrl+Shift+X', does: 'Close terminal', matches: ctrlShift('x') },
  { action: 'rename_terminal', keys: 'Ctrl+Shift+E', does: 'Rename terminal', matches: ctrlShift('e') },
  { action: 'next_terminal', keys: 'Ctrl+Shift+→', does: 'Next terminal', matches: ctrlShift('arrowright') },
  {
    action: 'previous_terminal',
    keys: 'Ctrl+Shift+←',
    does: 'Previous terminal',
    matches: ctrlShift('arrowleft'),
  },
  {
    action: 'move_right',
    keys: 'Ctrl+Shift+Alt+→',
    does: 'Move tab right',
    matches: ctrlShift('arrowright', true),
  },
  {
    action: 'move_left',
    keys: 'Ctrl+Shift+Alt+←',
    does: 'Move tab left',
    matches: ctrlShift('arrowleft', true),
  },
  {
    action: 'focus_tabs',
    keys: 'Ctrl+Shift+↑',
    does: 'Focus the tabs (Escape returns)',
    matches: ctrlShift('arrowup'),
  },
  { action: 'command_bar', keys: 'Ctrl+Shift+P', does: 'Command bar', matches: ctrlShift('p') },
  { action: 'search', keys: 'Ctrl+Shift+F', does: 'Find in the terminal', matches: ctrlShift('f') },
  { action: 'sessions', keys: 'Ctrl+Shift+S', does: 'Sessions', matches: ctrlShift('s') },
  { action: 'copy', keys: 'Ctrl+Shift+C', does: 'Copy', matches: ctrlShift('c') },
  { action: 'paste', keys: 'Ctrl+Shift+V', does: 'Paste', matches: ctrlShift('v') },
  { action: 'larger', keys: 'Ctrl++', does: 'Larger text', matches: ctrl('+', '=') },
  {
    action: 'smaller',
    keys: 'Ctrl+-',
    does: 'Smaller text',
    matches: (event) => ctrl('-')(event) && !event.shiftKey,
  },
  { action: 'normal_size', keys: 'Ctrl+0', does: 'Reset text size', matches: ctrl('0') },
  { action: 'help', keys: 'Ctrl+Shift+?', does: 'Keyboard shortcuts', matches: ctrlShift('?') },
];

/** The page's action for the key; `undefined` if the key belongs to the terminal. */
export function actionOf(event: Key): ShortcutAction | undefined {
  // By key position, because on some systems Alt changes the character.
  const digit = /^Digit([1-9])$/.exec(event.code)?.[1];
  if (digit !== undefined && event.altKey && !control(event) && !event.shiftKey)
    return `terminal_${Number(digit)}`;
  return shortcuts.find(({ matches }) => matches(event))?.action;
}

/** More lines for the help, without an entry in the table. */
export const moreKeys: readonly { keys: string; does: string }[] = [
  { keys: 'Alt+1 … Alt+9', does: 'Go to terminal 1 … 9' },
  { keys: 'Shift+PageUp, Shift+PageDown', does: 'Scroll' },
  { keys: 'Ctrl+click', does: 'Open a link' },
  { keys: 'Enter', does: 'Run an exited program again' },
];
