// Every sentence that the page itself says to a person. What happened comes first, then what to do.

import type { RefusedError } from './protocol/connection';
import type { ClientType } from './protocol/messages';

/** A sentence of the daemon, as a sentence: it begins in lower case and has no full stop. */
function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1).replace(/\.$/, '')}.`;
}

function counted(count: number, what: string): string {
  return count === 1 ? `1 ${what}` : `${count} ${what}s`;
}

/** The daemon names terminals by ids, which no person has seen. */
const aboutTerminals: ClientType[] = ['attach', 'create', 'restore', 'rename', 'reorder', 'close', 'send'];

const gone = {
  text: 'This terminal is no longer there.',
  advice: 'It may have been closed in another window.',
};
const broken = { text: 'This page and the daemon do not understand each other.', advice: 'Reload the page.' };

/** What the daemon refused, and what to do about it. */
function refusal({ code, message, details, asked }: RefusedError): { text: string; advice?: string } {
  if (code === 'not_found' && aboutTerminals.includes(asked)) return gone;
  if (code === 'malformed' || code === 'unsupported' || code === 'mismatch') return broken;
  return { text: sentence(message), ...(details === undefined ? {} : { advice: details }) };
}

export const words = {
  yes: 'Yes',
  no: 'No',
  ok: 'OK',
  cancel: 'Cancel',
  close: 'Close',
  dismiss: 'Dismiss',
  tryAgain: 'Try again',
  notices: 'Notices',
  refusal,
  told: (error: string, details?: string) => [sentence(error), details].filter(Boolean).join(' '),

  actions: {
    new_terminal: 'New terminal',
    close_terminal: 'Close terminal',
    rename_terminal: 'Rename terminal',
    next_terminal: 'Next terminal',
    previous_terminal: 'Previous terminal',
    move_right: 'Move tab right',
    move_left: 'Move tab left',
    split_right: 'Split right',
    split_down: 'Split down',
    pane_left: 'Go to the pane on the left',
    pane_right: 'Go to the pane on the right',
    pane_up: 'Go to the pane above',
    pane_down: 'Go to the pane below',
    larger_pane: 'Larger pane',
    smaller_pane: 'Smaller pane',
    zoom_pane: 'Show this pane alone, or all again',
    pane_to_tab: 'Move this pane to a tab',
    broadcast: 'Type into all panes at once, or stop',
    broadcast_pane: 'Type into this pane with the others, or stop',
    focus_tabs: 'Go to the tabs (Escape returns)',
    focus_below: 'Go to a question, the notices, the status bar (Escape returns)',
    command_bar: 'Command bar',
    search: 'Find in the terminal',
    search_all: 'Find in all terminals',
    previous_command: 'Go to the previous command',
    next_command: 'Go to the next command',
    select_output: "Select a command's output",
    copy_output: "Copy a command's output",
    save_output: "Download a command's output",
    run_command: 'Run a command again',
    sessions: 'Sessions',
    copy: 'Copy',
    paste: 'Paste',
    larger: 'Larger text',
    smaller: 'Smaller text',
    normal_size: 'Reset text size',
    settings: 'Settings',
    help: 'Keyboard shortcuts',
    upload: 'Upload files',
    download: 'Download a file',
  },
  moreKeys: {
    terminals: 'Go to terminal 1 … 9',
    scroll: 'Scroll',
    link: 'Open a link',
    enter: 'Run an exited program again',
  },
  keys: {
    note: 'A terminal takes the size of the window that you last typed in, resized or clicked. On a Mac, Cmd works like Ctrl.',
    change: 'Change keys',
    press: 'Press the new key now, with Ctrl and Shift or Alt. Escape keeps the old one.',
    taken: (keys: string, action: string) => `${keys} is already the key for “${action}”. Press another one.`,
    reserved: (keys: string) => `${keys} belongs to the browser. Press another one.`,
  },
  themes: { system: 'System', light: 'Light', dark: 'Dark', contrast: 'High contrast' },
  theme: 'Theme',
  chooseTheme: (name: string) => `Theme: ${name.toLowerCase()}`,
  screenReader: (isOn: boolean) => `Screen reader: ${isOn ? 'off' : 'on'}`,
  bells: {
    ask: 'Notify about bells',
    rang: 'The bell rang.',
    allowed: 'Bells in a hidden window now show a notification.',
    denied: 'The browser does not allow notifications from this page.',
  },

  settings: {
    sectionsLabel: 'Parts of the settings',
    sections: {
      appearance: 'Appearance',
      terminal: 'Terminal',
      keys: 'Keys',
      profiles: 'Profiles',
      phone: 'Touch screen',
    },
    names: {
      theme: 'Theme',
      scheme: 'Terminal colours',
      fontFamily: 'Font',
      fontSize: 'Text size',
      lineHeight: 'Line height',
      screenReader: 'Screen reader',
      cursorStyle: 'Cursor',
      cursorBlink: 'Blinking cursor',
      scrollback: 'Scrollback lines',
      bell: 'Bell',
      paste: 'Pasting',
      keys: 'Keyboard shortcuts',
      profiles: 'Profiles',
      extraKeys: 'Extra keys',
    },
  },
  menu: {
    terminal: 'Terminal menu',
    tab: 'Tab menu',
    selectAll: 'Select all',
    withProfile: (name: string) => `New terminal: ${name}`,
  },
  palette: {
    terminal: 'terminal',
    session: 'session',
    command: 'command',
    setting: 'setting',
    action: 'action',
    none: 'Nothing found.',
    inSession: (session: string) => `in ${session}`,
    closeSetting: (name: string) => `Settings: ${name}`,
  },

  paste: {
    title: (lines: number, isRun: boolean) =>
      lines > 1 ? `Paste ${lines} lines?` : isRun ? 'Paste this line and run it?' : 'Paste this?',
    text: 'The program takes each line as soon as it is pasted. A shell runs it right away.',
    harmlessText: 'Your settings ask before every paste.',
    yes: 'Paste',
    unreadable:
      'The browser does not let this page read the clipboard. Allow it in the settings of this site.',
  },
  files: {
    label: 'Files on their way',
    drop: "Drop it to put it into the session's folder",
    title: 'Download a file',
    path: "Path, from the terminal's directory",
    footer: "Only files in the session's folder can be downloaded.",
    start: 'Download',
    cancel: (name: string) => `Cancel ${name}`,
    dismiss: (name: string) => `Dismiss ${name}`,
    moved: (done: string, size: string) => `${done} of ${size}`,
    states: {
      queued: 'waiting for the others',
      waiting: 'waiting for the network',
      done: { upload: 'uploaded', download: 'downloaded' },
    },
    viewOnly: 'You can only look at this terminal, so files cannot be sent.',
    folder: 'A folder cannot be uploaded. Put it into an archive first.',
    unreadable: 'The browser cannot read this file. Check that it is still there.',
    refused: 'The daemon did not take the file. Try again.',
    signIn: 'Sign in again, then try once more.',
  },
  closing: {
    title: 'Close this terminal?',
    text: (process: string) => `${process} is still running. Closing the terminal ends it.`,
    someProgram: 'A program',
  },
  question: {
    asker: (extension: string | undefined, more: number) =>
      `${extension === undefined ? 'An extension' : `Extension ${extension}`} asks${more > 0 ? ` · ${more} more` : ''}`,
    how: (keys: string) => `Press ${keys} or click to answer.`,
    closesIn: (seconds: number) => `Closes unanswered in ${seconds} s.`,
  },
  link: {
    title: 'Open this link?',
    text: 'The terminal shows another text for it. This is where it leads:',
    yes: 'Open',
  },

  tabs: {
    list: 'Terminals',
    all: 'All terminals',
    automatic: (number: number) => `Terminal ${number}`,
    close: (label: string) => `Close ${label}`,
    name: 'Terminal name',
    exited: (code: number) => (code === 0 ? 'finished' : `exited with ${code}`),
    failed: 'failed',
    restorable: 'stopped',
    reconnecting: 'reconnecting',
    bell: 'bell',
    activity: 'new output',
  },
  panes: {
    panes: 'panes',
    divider: 'Divider between panes',
    broadcast: 'Broadcast',
    broadcastTo: (label: string) => `Type into ${label} with the other marked panes`,
    zoom: (label: string) => `Show ${label} alone`,
  },
  terminal: {
    empty: 'No terminals in this session.',
    reconnecting: 'Reconnecting…',
    stopped: 'This terminal stopped. Reopen it with its saved output?',
    stoppedWhy: 'The machine or the keeper was restarted. Its program starts again.',
    reopen: (count: number) => (count === 1 ? 'Reopen' : `Reopen ${count} terminals`),
    reopenOne: 'Reopen only this one',
    takenOver: 'This terminal was opened somewhere else.',
    takeBack: 'Show it here',
    sized: (cols: number, rows: number) => `Sized by another window (${cols}×${rows})`,
    takeSize: "Use this window's size",
    exited: (code: number) => (code === 0 ? 'Finished' : `Exited with ${code}`),
    again: 'Press Enter to run it again',
    ranAgain: 'run again',
    redrawn: 'Some output could not be drawn. Redrawing the screen.',
  },
  typing: {
    waiting: 'Not sent yet:',
    asks: 'You typed this before the connection was lost. Send it now?',
    send: 'Send it',
    discard: 'Discard it',
    full: 'The connection is lost, and no more keys fit. Wait until it is back.',
    ended: 'The terminal had ended, so what you typed last was not sent.',
    unsure:
      'The connection was lost while a long text was sent. It may be incomplete. Look before you send it again.',
  },
  search: {
    label: 'Find in the terminal',
    placeholder: 'Find',
    none: 'No matches',
    found: (at: number, count: number) => `${at} of ${count}`,
    previous: 'Previous match',
    next: 'Next match',
    close: 'Close search',
    everywhere: 'Find in all terminals',
    choices: { matchCase: 'Match case', word: 'Whole words', regex: 'Regular expression' },
    signs: { matchCase: 'Aa', word: 'W', regex: '.*' },
    bad: 'Not a regular expression',
    where: (session: string, terminal: string) => `${session} · ${terminal}`,
    searching: 'Searching…',
    all: (count: number, terminals: number) =>
      `${counted(count, 'line')} in ${counted(terminals, 'terminal')}`,
    some: (shown: number, count: number) => `The newest ${shown} of ${counted(count, 'line')}`,
    skipped: (count: number) => `${counted(count, 'terminal')} could not be searched.`,
    gone: 'This line is no longer there. It scrolled out of what the page keeps.',
  },
  marks: {
    menu: 'Command menu',
    unknown: 'A command',
    running: 'running',
    ended: 'ended',
    done: 'finished',
    failed: (code: number) => `exited with ${code}`,
    took: (time: string) => `took ${time}`,
    select: 'Select its output',
    copy: 'Copy its output',
    save: 'Download its output',
    copyCommand: 'Copy the command',
    again: 'Run it again',
    none: 'There is no command here.',
    nothing: 'This command printed nothing.',
    selected: (what: string) => `At ${what}`,
    shown: 'Show the command',
    copied: 'Copied.',
    uncopied: 'The browser does not let this page copy.',
    missing: 'The beginning of this output is no longer kept.',
    busy: 'The shell is not at its prompt. Wait until it is.',
    unsure: 'This command is not known in full, so it cannot be run again.',
    file: 'output',
  },
  touchKeys: {
    label: 'Extra keys',
    names: {
      '←': 'Left',
      '↓': 'Down',
      '↑': 'Up',
      '→': 'Right',
      '⇧Tab': 'Shift Tab',
      '^C': 'Ctrl C',
      '^D': 'Ctrl D',
      '^L': 'Ctrl L',
      '^R': 'Ctrl R',
      '^Z': 'Ctrl Z',
    },
  },

  commands: {
    label: 'Command bar',
    button: 'Commands',
    placeholder: '/command, ! shell command, or an action',
    runHere: (command: string) => `Run in this session: ${command}`,
    hints: ['Tab completes', '↑ history', 'Escape closes'],
    results: 'Results',
    running: 'running…',
    failed: 'failed',
    exited: (code: number) => `exited with ${code}`,
    done: 'done',
    exitedLine: (line: string, code: number) => `${line} exited with ${code}`,
    ended: (line: string, keys: string) => `${line} has ended. Its output is in the command bar (${keys}).`,
    lost: (line: string) => `The connection was lost. ${line} may still be running.`,
  },
  sessions: {
    label: 'Sessions',
    placeholder: 'Session name',
    current: (name: string) => `${name} (current)`,
    hint: (terminals: number, isBackground: boolean) =>
      `${counted(terminals, 'terminal')}${isBackground ? ' · background' : ''}`,
    create: (name: string) => `New session: ${name}`,
    rename: (from: string, to: string) => `Rename ${from} to ${to}`,
    close: (name: string) => `Close session ${name}…`,
    closeTitle: (name: string) => `Close session ${name}?`,
    closeText: 'This closes its terminals and ends the programs running in them.',
    closeYes: 'Close session',
    footer: 'Type a new name to create or rename a session.',
    only: (name: string) => `This daemon has only the session ${name}.`,
  },

  connection: {
    connected: 'Connected',
    silent: 'Not responding…',
    connecting: 'Reconnecting…',
    signIn: 'Sign in again',
    refused: 'Refused',
    retry: (seconds: number, why?: 'offline' | 'away') =>
      `${why === 'offline' ? 'Offline · r' : why === 'away' ? 'No server · r' : 'R'}econnecting in ${seconds} s`,
    now: 'Now',
    viewOnly: 'View only',
    help: 'Help',
    awayTitle: (host: string) => `No answer from ${host}`,
    awayText:
      'Check that `holdfast serve` is running there, and that the network is up. This page keeps trying.',
  },
  refused: {
    origin: (origin: string) => ({
      title: 'Origin not allowed',
      text: `The daemon does not accept the origin ${origin}. Open the address that it printed, or start it with --allowed-origins ${origin}`,
    }),
    host: (host: string, hostname: string) => ({
      title: 'Unrecognized host name',
      text: `The daemon does not accept the host ${host}. Open the address that it printed, or start it with --allowed-hosts ${hostname}`,
    }),
    too_many: {
      title: 'Too many connections',
      text: 'You have as many windows and programs connected as the daemon allows, or too many sign-ins failed. Close windows you do not need, or wait a minute. This page tries again by itself.',
    },
    full: {
      title: 'The server is busy',
      text: 'It cannot take another connection right now. This page tries again by itself.',
    },
  },
  signIn: {
    title: 'Sign in',
    how: ['Run ', 'holdfast link', ' and open the link it prints, or paste a token.'],
    token: 'Token',
    unknownToken: 'Unknown token.',
    usedLink: 'This link was used before or has expired. Run `holdfast link` for a new one.',
    tooMany: 'Too many failed sign-ins. Wait a minute and try again.',
    noAnswer: 'The daemon does not answer.',
    confirmTitle: 'Sign in with this link?',
    confirmText: 'Another page opened this link. Continue only if you created it yourself.',
    out: 'Sign out',
    outOthers: 'Sign out other browsers',
  },
};
