// The page's state and its reducer. Terminal output is not part of it; it goes straight to the
// terminal emulators.

import type {
  CommandInfo,
  NotifyLevel,
  RunResult,
  SessionInfo,
  TerminalInfo,
  TerminalState,
  UiRequest,
} from '../protocol/messages';
import { words } from '../words';
import type { Step } from './match';
import { noPanes, type PaneState, panesAfter, successorOf } from './paneState';
import type { PersistedTabs } from './persisted';
import { everything, type Scope } from './scope';

export interface Size {
  rows: number;
  cols: number;
}

/** Why the daemon refuses this page. */
export type Refusal = 'sign_in' | 'origin' | 'host' | 'too_many' | 'full';

/** Nobody answers at the daemon's address. */
export type Away = 'away';

export type ConnectionState =
  | { kind: 'connecting' }
  /** `isSilent`: it does not answer. */
  | { kind: 'connected'; isSilent?: boolean }
  /** `until` is a time in milliseconds. */
  | { kind: 'waiting'; until: number; offline: boolean; isAway?: boolean }
  | { kind: 'refused'; why: Refusal };

export type TabStatus =
  | { kind: 'reconnecting' }
  | { kind: 'connected' }
  | { kind: 'exited'; exitCode: number }
  /** It ended with the machine or the keeper, and can be restored with its output. */
  | { kind: 'restorable' }
  /** Another viewer took it over. */
  | { kind: 'detached' }
  | { kind: 'failed'; error: string; details?: string };

export interface Tab {
  terminalId: string;
  number: number;
  name?: string;
  title?: string;
  status: TabStatus;
  /** The terminal's size, which another viewer may have set. */
  size?: Size;
  workingDirectory?: string;
  command?: string[];
  /** What it does. */
  state?: TerminalState;
  /** There is output since it was last shown. */
  activity: boolean;
  bell: boolean;
  /** What was typed and is not known to have arrived. `asks`: the person has to say what to do. */
  pending?: { text: string; asks: boolean };
}

export interface Toast {
  id: number;
  level: NotifyLevel;
  text: string;
}

/** A command bar line that is running, or whose result is too long for a notice. */
export interface Run {
  id: number;
  line: string;
  /** Output so far. */
  progress: string;
  result: RunResult | null;
}

export interface State {
  connection: ConnectionState;
  user: string | null;
  version: string | null;
  scope: Scope;
  session: string;
  sessions: SessionInfo[];
  /** False for a daemon that has only one session. */
  sessionsSupported: boolean;
  tabs: Tab[];
  active: string | null;
  counter: number;
  panes: PaneState;
  commands: CommandInfo[];
  runs: Run[];
  toasts: Toast[];
  lastToast: number;
  questions: UiRequest[];
  statusItems: { key: string; text: string }[];
  /** A terminal to close once the user confirms, because a program is running in it. */
  closing: { terminalId: string; process: string } | null;
}

export type Action =
  | { type: 'connection'; connection: ConnectionState }
  | { type: 'welcomed'; user: string; version: string; scope: Scope }
  | { type: 'session_opened'; session: string; stored: PersistedTabs }
  | { type: 'matched'; steps: Step[] }
  | { type: 'tab_added'; terminalId: string; name?: string; activate: boolean }
  | { type: 'tab_removed'; terminalId: string }
  | { type: 'tab_status'; terminalId: string; status: TabStatus }
  | { type: 'tab_info'; info: TerminalInfo }
  | { type: 'tab_state'; terminalId: string; state: TerminalState }
  | { type: 'tab_replaced'; terminalId: string; by: string }
  | { type: 'tab_size'; terminalId: string; size: Size }
  | { type: 'tab_title'; terminalId: string; title: string }
  | { type: 'tab_renamed'; terminalId: string; name: string }
  | { type: 'tab_activity'; terminalId: string }
  | { type: 'tab_bell'; terminalId: string }
  | { type: 'tab_pending'; terminalId: string; pending: Tab['pending'] | null }
  | { type: 'activated'; terminalId: string }
  | { type: 'reordered'; terminalIds: readonly string[] }
  | { type: 'panes'; panes: Partial<PaneState> }
  | { type: 'sessions'; sessions: SessionInfo[] }
  | { type: 'sessions_unsupported' }
  | { type: 'session_renamed'; name: string; newName: string }
  | { type: 'commands'; commands: CommandInfo[] }
  | { type: 'extensions_opened'; commands: CommandInfo[] }
  | { type: 'run_started'; id: number; line: string }
  | { type: 'run_progress'; id: number; text: string }
  | { type: 'run_ended'; id: number; result: RunResult }
  | { type: 'run_dropped'; id: number }
  | { type: 'runs_dismissed' }
  | { type: 'toast'; level: NotifyLevel; text: string }
  | { type: 'toast_dismissed'; id: number }
  | { type: 'question'; question: UiRequest }
  | { type: 'question_closed'; id: string }
  | { type: 'status_item'; key: string; text: string | null }
  | { type: 'closing'; closing: State['closing'] };

const mostToasts = 5;
const mostProgress = 256 * 1024;

export function initialState(session: string, stored: PersistedTabs): State {
  return {
    connection: { kind: 'connecting' },
    user: null,
    version: null,
    scope: everything,
    session,
    sessions: [],
    sessionsSupported: true,
    ...restored(stored),
    panes: noPanes,
    commands: [],
    runs: [],
    toasts: [],
    lastToast: 0,
    questions: [],
    statusItems: [],
    closing: null,
  };
}

function restored({ tabs, active, counter }: PersistedTabs): Pick<State, 'tabs' | 'active' | 'counter'> {
  return {
    tabs: tabs.map((tab) => freshTab(tab.terminalId, tab.number, tab.name)),
    active: active ?? tabs[0]?.terminalId ?? null,
    counter,
  };
}

function freshTab(terminalId: string, number: number, name?: string): Tab {
  return {
    terminalId,
    number,
    ...(name ? { name } : {}),
    status: { kind: 'reconnecting' },
    activity: false,
    bell: false,
  };
}

export function labelOf(tab: Tab): string {
  return tab.name || tab.title || words.tabs.automatic(tab.number);
}

export function tabOf(state: State, terminalId: string | null): Tab | undefined {
  return state.tabs.find((tab) => tab.terminalId === terminalId);
}

export function persistedOf({ tabs, active, counter }: State): PersistedTabs {
  return {
    tabs: tabs.map(({ terminalId, number, name }) =>
      name === undefined ? { terminalId, number } : { terminalId, number, name },
    ),
    active,
    counter,
  };
}

function changeTab(state: State, terminalId: string, change: (tab: Tab) => Tab): State {
  return {
    ...state,
    tabs: state.tabs.map((tab) => (tab.terminalId === terminalId ? change(tab) : tab)),
  };
}

function changeRun(state: State, id: number, change: (run: Run) => Run): State {
  return { ...state, runs: state.runs.map((run) => (run.id === id ? change(run) : run)) };
}

/** Adds the text as lines of its own, and drops the oldest if there are too many. */
function addLines(progress: string, text: string): string {
  return `${progress}${text.trimEnd()}\n`.slice(-mostProgress);
}

function informed(tab: Tab, info: TerminalInfo): Tab {
  const { name: _name, state: _state, ...unnamed } = tab;
  return {
    ...unnamed,
    ...(info.name ? { name: info.name } : {}),
    ...(info.title === undefined ? {} : { title: info.title }),
    ...(info.workingDirectory === undefined ? {} : { workingDirectory: info.workingDirectory }),
    ...(info.state === undefined ? {} : { state: info.state }),
    command: info.command,
    size: { rows: info.rows, cols: info.cols },
  };
}

function addTab(state: State, terminalId: string, name?: string): State {
  if (tabOf(state, terminalId)) return state;
  const counter = state.counter + 1;
  return { ...state, counter, tabs: [...state.tabs, freshTab(terminalId, counter, name)] };
}

function matched(state: State, steps: Step[]): State {
  let next = state;
  for (const step of steps) {
    if (step.kind === 'adopt' || step.kind === 'offer') next = addTab(next, step.terminal.terminalId);
    if (step.kind !== 'create')
      next = changeTab(next, step.terminal.terminalId, (tab) => informed(tab, step.terminal));
  }
  return { ...next, active: tabOf(next, next.active)?.terminalId ?? next.tabs[0]?.terminalId ?? null };
}

function removeTab(state: State, terminalId: string): State {
  const index = state.tabs.findIndex((tab) => tab.terminalId === terminalId);
  if (index < 0) return state;
  const tabs = state.tabs.filter((_, at) => at !== index);
  const next = {
    ...state,
    tabs,
    closing: state.closing?.terminalId === terminalId ? null : state.closing,
  };
  return state.active === terminalId ? activated(next, successorOf(state, terminalId)) : next;
}

/** Whoever looks at a tab knows what happened in it. */
function activated(state: State, terminalId: string | null): State {
  const tabs = state.tabs.map((tab) =>
    tab.terminalId === terminalId ? { ...tab, activity: false, bell: false } : tab,
  );
  return { ...state, tabs, active: terminalId };
}

/** The named ids come first, in that order. The others follow in their old order. */
function reorder(tabs: readonly Tab[], terminalIds: readonly string[]): Tab[] {
  const place = new Map(terminalIds.map((id, index) => [id, index]));
  const placeOf = (tab: Tab) => place.get(tab.terminalId) ?? terminalIds.length;
  return [...tabs].sort((a, b) => placeOf(a) - placeOf(b));
}

/** A terminal without a name is called by its place, as Alt+1 finds it: every window says the same. */
function numbered(state: State): State {
  if (state.tabs.every(({ number }, at) => number === at + 1)) return state;
  return { ...state, tabs: state.tabs.map((tab, at) => ({ ...tab, number: at + 1 })) };
}

export function reduce(state: State, action: Action): State {
  const next = numbered(reduced(state, action));
  const panes = panesAfter(state, next);
  return panes === next.panes ? next : { ...next, panes };
}

function reduced(state: State, action: Action): State {
  switch (action.type) {
    case 'connection': {
      if (action.connection.kind === 'connected') return { ...state, connection: action.connection };
      const tabs = state.tabs.map(
        (tab): Tab => (tab.status.kind === 'connected' ? { ...tab, status: { kind: 'reconnecting' } } : tab),
      );
      return { ...state, tabs, connection: action.connection, questions: [], closing: null };
    }
    case 'welcomed':
      return { ...state, user: action.user, version: action.version, scope: action.scope };
    case 'session_opened':
      return {
        ...state,
        session: action.session,
        ...restored(action.stored),
        commands: [],
        questions: [],
        statusItems: [],
        closing: null,
      };
    case 'matched':
      return matched(state, action.steps);
    case 'tab_added': {
      const next = addTab(state, action.terminalId, action.name);
      return action.activate || next.active === null ? { ...next, active: action.terminalId } : next;
    }
    case 'tab_removed':
      return removeTab(state, action.terminalId);
    case 'tab_status':
      return changeTab(state, action.terminalId, (tab) => ({ ...tab, status: action.status }));
    case 'tab_info':
      return changeTab(state, action.info.terminalId, (tab) => informed(tab, action.info));
    case 'tab_state':
      return changeTab(state, action.terminalId, (tab) => ({ ...tab, state: action.state }));
    case 'tab_replaced': {
      const next = changeTab(state, action.terminalId, (tab) => ({ ...tab, terminalId: action.by }));
      return next.active === action.terminalId ? { ...next, active: action.by } : next;
    }
    case 'tab_size':
      return changeTab(state, action.terminalId, (tab) => ({ ...tab, size: action.size }));
    case 'tab_title':
      return changeTab(state, action.terminalId, (tab) => ({ ...tab, title: action.title }));
    case 'tab_renamed':
      return changeTab(state, action.terminalId, ({ name: _name, ...tab }) =>
        action.name === '' ? tab : { ...tab, name: action.name },
      );
    case 'tab_activity':
      return changeTab(state, action.terminalId, (tab) => ({ ...tab, activity: true }));
    case 'tab_bell':
      return changeTab(state, action.terminalId, (tab) => ({ ...tab, bell: true }));
    case 'tab_pending':
      return changeTab(state, action.terminalId, ({ pending: _old, ...tab }) =>
        action.pending ? { ...tab, pending: action.pending } : tab,
      );
    case 'activated':
      return activated(state, action.terminalId);
    case 'reordered':
      return { ...state, tabs: reorder(state.tabs, action.terminalIds) };
    case 'panes':
      return { ...state, panes: { ...state.panes, ...action.panes } };
    case 'sessions':
      return { ...state, sessions: action.sessions, sessionsSupported: true };
    case 'sessions_unsupported':
      return { ...state, sessionsSupported: false };
    case 'session_renamed':
      return {
        ...state,
        session: state.session === action.name ? action.newName : state.session,
        sessions: state.sessions.map((each) =>
          each.name === action.name ? { ...each, name: action.newName } : each,
        ),
      };
    case 'commands':
      return { ...state, commands: action.commands };
    case 'extensions_opened':
      return { ...state, commands: action.commands, questions: [], statusItems: [] };
    case 'run_started': {
      const { id, line } = action;
      return { ...state, runs: [...state.runs, { id, line, progress: '', result: null }] };
    }
    case 'run_progress':
      return changeRun(state, action.id, (run) => ({
        ...run,
        progress: addLines(run.progress, action.text),
      }));
    case 'run_ended':
      return changeRun(state, action.id, (run) => ({ ...run, result: action.result }));
    case 'run_dropped':
      return { ...state, runs: state.runs.filter((run) => run.id !== action.id) };
    case 'runs_dismissed':
      return { ...state, runs: state.runs.filter((run) => run.result === null) };
    case 'toast': {
      const toast = { id: state.lastToast + 1, level: action.level, text: action.text };
      if (state.toasts.some(({ level, text }) => level === toast.level && text === toast.text)) return state;
      return { ...state, lastToast: toast.id, toasts: [...state.toasts, toast].slice(-mostToasts) };
    }
    case 'toast_dismissed':
      return { ...state, toasts: state.toasts.filter((each) => each.id !== action.id) };
    case 'question': {
      const others = state.questions.filter((each) => each.id !== action.question.id);
      return { ...state, questions: [...others, action.question] };
    }
    case 'question_closed':
      return { ...state, questions: state.questions.filter((each) => each.id !== action.id) };
    case 'status_item': {
      const others = state.statusItems.filter((each) => each.key !== action.key);
      const { key, text } = action;
      return { ...state, statusItems: text === null ? others : [...others, { key, text }] };
    }
    case 'closing':
      return { ...state, closing: action.closing };
  }
}
