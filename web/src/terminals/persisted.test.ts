import { expect, test } from 'vitest';
import { loadTabs, parseTabs, saveTabs, tabsKey } from './persisted';

class MemoryStorage {
  readonly items = new Map<string, string>();
  getItem(key: string) {
    return this.items.get(key) ?? null;
  }
  setItem(key: string, value: string) {
    this.items.set(key, value);
  }
  removeItem(key: string) {
    this.items.delete(key);
  }
}

const tabs = {
  tabs: [
    { terminalId: 'b', number: 2, name: 'build' },
    { terminalId: 'a', number: 1 },
  ],
  active: 'a',
  counter: 4,
};

test('T025: id, name, order, active tab and counter come back as they were stored', () => {
  const storage = new MemoryStorage();
  saveTabs(storage, 'ws://host', 'main', tabs);
  expect(loadTabs(storage, 'ws://host', 'main')).toEqual(tabs);
});

test('T025: each session and each daemon has its own', () => {
  const storage = new MemoryStorage();
  saveTabs(storage, 'ws://host', 'main', tabs);
  expect(loadTabs(storage, 'ws://host', 'work').tabs).toEqual([]);
  expect(loadTabs(storage, 'ws://other', 'main').tabs).toEqual([]);
});

test('what is stored may be anything', () => {
  const none = { tabs: [], active: null, counter: 0 };
  for (const stored of [
    null,
    '',
    '{',
    'null',
    '[]',
    '7',
    '"x"',
    '{}',
    '{"version":1}',
    '{"version":2,"tabs":[]}',
  ])
    expect(parseTabs(stored), String(stored)).toEqual(none);
});

test('damaged tabs are dropped, whole ones kept', () => {
  const stored = JSON.stringify({
    version: 1,
    tabs: [
      { terminalId: 'a', number: 3, name: '' },
      null,
      { terminalId: '../../etc', number: 1 },
      { terminalId: 'b', number: -1 },
      { terminalId: 'a', number: 5 },
      { terminalId: 'c', number: 4, name: 9 },
    ],
    active: 'gone',
    counter: 'many',
  });
  expect(parseTabs(stored)).toEqual({
    tabs: [
      { terminalId: 'a', number: 3 },
      { terminalId: 'c', number: 4 },
    ],
    active: null,
    counter: 4,
  });
});

test('a browser that forbids storage or has none left is no failure', () => {
  const forbidden = {
    getItem(): string {
      throw new Error('forbidden');
    },
    setItem(): void {
      throw new Error('full');
    },
    removeItem(): void {},
  };
  saveTabs(forbidden, 'ws://host', 'main', tabs);
  expect(loadTabs(forbidden, 'ws://host', 'main').tabs).toEqual([]);
  expect(tabsKey('ws://host', 'main')).toContain('main');
});
