import { expect, test } from 'vitest';
import type { Notice } from '../protocol/messages';
import { isTold, Notices } from './notices';
import type { Preferences } from './preferences';

/** Preferences that nobody else has. */
function preferences(): Preferences {
  const make = () => {
    const values = new Map<string, unknown>();
    const listeners: (() => void)[] = [];
    return {
      get: (name: string) => values.get(name),
      set(name: string, value: unknown) {
        values.set(name, value);
        for (const each of listeners) each();
      },
      update(name: string, change: (kept: unknown) => unknown) {
        values.set(name, change(values.get(name)));
      },
      subscribe: (_name: string, changed: () => void) => listeners.push(changed),
    };
  };
  const session = make();
  return { ...make(), ofSession: () => session } as unknown as Preferences;
}

function notice(more: Partial<Notice> = {}): Notice {
  return {
    at: '2026-11-15T04:12:07.123Z',
    terminalId: 't1',
    session: 'main',
    kind: 'blocked',
    watched: false,
    ...more,
  };
}

test('what nobody looked at is unread until the list was seen', () => {
  const notices = new Notices(preferences());
  const told: Notice[] = [];
  notices.happened = (each) => told.push(each);
  notices.receive({ type: 'notice', data: notice() });
  notices.receive({ type: 'notice', data: notice({ at: '2026-11-15T04:13:00.000Z', watched: true }) });
  expect(notices.get().unread).toBe(1);
  expect(notices.get().all.map(({ at }) => at)).toEqual([
    '2026-11-15T04:13:00.000Z',
    '2026-11-15T04:12:07.123Z',
  ]);
  expect(told).toHaveLength(2);
  notices.read();
  expect(notices.get().unread).toBe(0);
  notices.receive({ type: 'notice', data: notice({ at: '2026-11-15T04:14:00.000Z' }) });
  expect(notices.get().unread).toBe(1);
});

test('a terminal has a rule of its own, or none', () => {
  const notices = new Notices(preferences());
  expect(notices.ruleOf('main', 't1')).toBeUndefined();
  notices.setRule('main', 't1', 'none');
  notices.setRule('main', 't2', 'waiting');
  expect([notices.ruleOf('main', 't1'), notices.ruleOf('main', 't2')]).toEqual(['none', 'waiting']);
  notices.setRule('main', 't1', undefined);
  expect(notices.ruleOf('main', 't1')).toBeUndefined();
  expect(notices.ruleOf('main', 't2')).toBe('waiting');
});

test('a person is told what the rule allows, and not while somebody looks', () => {
  expect(isTold(notice({ watched: true }), 'all', 10)).toBe(false);
  expect(isTold(notice(), 'waiting', 10)).toBe(true);
  expect(isTold(notice(), 'none', 10)).toBe(false);
  expect(isTold(notice({ kind: 'bell' }), 'all', 10)).toBe(true);
  expect(isTold(notice({ kind: 'bell' }), 'waiting', 10)).toBe(false);
  expect(isTold(notice({ kind: 'command_ended', duration: 9_999 }), 'all', 10)).toBe(false);
  expect(isTold(notice({ kind: 'command_ended', duration: 10_000 }), 'all', 10)).toBe(true);
});
