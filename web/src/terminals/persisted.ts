// What the page remembers over a refresh: the tabs of one session of one daemon. It is kept in
// sessionStorage, so each browser tab has its own. Stored data can be damaged and is only a hint;
// the daemon decides.

import { isRecord } from '../protocol/shape';

export interface PersistedTab {
  terminalId: string;
  /** The number in a name like "Terminal 3": its place. */
  number: number;
  name?: string;
}

export interface PersistedTabs {
  tabs: PersistedTab[];
  active: string | null;
  /** How many terminals this page has numbered. */
  counter: number;
}

export type Storage = Pick<globalThis.Storage, 'getItem' | 'setItem' | 'removeItem'>;

const idPattern = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$/;
const version = 1;

export function tabsKey(origin: string, session: string): string {
  return `holdfast:${origin}:${session}:tabs`;
}

function sessionKey(origin: string): string {
  return `holdfast:${origin}:session`;
}

function parseTab(value: unknown): PersistedTab | undefined {
  if (!isRecord(value)) return undefined;
  const { terminalId, number, name } = value;
  if (typeof terminalId !== 'string' || !idPattern.test(terminalId)) return undefined;
  if (typeof number !== 'number' || !Number.isSafeInteger(number) || number < 1) return undefined;
  if (typeof name === 'string' && name !== '') return { terminalId, number, name };
  return { terminalId, number };
}

/** Drops damaged tabs and keeps the others. Never fails, whatever is stored. */
export function parseTabs(stored: string | null): PersistedTabs {
  const none: PersistedTabs = { tabs: [], active: null, counter: 0 };
  if (stored === null) return none;
  let value: unknown;
  try {
    value = JSON.parse(stored);
  } catch {
    return none;
  }
  if (!isRecord(value) || value.version !== version || !Array.isArray(value.tabs)) return none;
  const tabs: PersistedTab[] = [];
  for (const each of value.tabs.map(parseTab))
    if (each && !tabs.some(({ terminalId }) => terminalId === each.terminalId)) tabs.push(each);
  const counter = typeof value.counter === 'number' ? Math.floor(value.counter) || 0 : 0;
  return {
    tabs,
    active: tabs.find(({ terminalId }) => terminalId === value.active)?.terminalId ?? null,
    counter: Math.max(counter, 0, ...tabs.map((tab) => tab.number)),
  };
}

export function loadTabs(storage: Storage, origin: string, session: string): PersistedTabs {
  try {
    return parseTabs(storage.getItem(tabsKey(origin, session)));
  } catch {
    return parseTabs(null); // The browser forbids storage.
  }
}

export function saveTabs(
  storage: Storage,
  origin: string,
  session: string,
  { tabs, active, counter }: PersistedTabs,
): void {
  try {
    storage.setItem(
      tabsKey(origin, session),
      JSON.stringify({
        version,
        tabs: tabs.map(({ terminalId, number, name }) => ({ terminalId, number, name })),
        active,
        counter,
      }),
    );
  } catch {
    // Storage is full or forbidden, so tabs come from the daemon alone.
  }
}

export function forgetTabs(storage: Storage, origin: string, session: string): void {
  try {
    storage.removeItem(tabsKey(origin, session));
  } catch {
    // As above.
  }
}

/** The session that this page showed last. */
export function loadSession(storage: Storage, origin: string): string | undefined {
  try {
    return storage.getItem(sessionKey(origin)) ?? undefined;
  } catch {
    return undefined;
  }
}

export function saveSession(storage: Storage, origin: string, session: string): void {
  try {
    storage.setItem(sessionKey(origin), session);
  } catch {
    // As above.
  }
}
