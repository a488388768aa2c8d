import { expect, test } from 'vitest';
import type { TerminalState } from '../protocol/messages';
import type { Tab, TabStatus } from './state';
import { attentionOf, mostUrgent, stateOfTab } from './urgency';

function tab(state: TerminalState | undefined, status: TabStatus = { kind: 'connected' }): Tab {
  const made: Tab = { terminalId: 't', number: 1, status, activity: false, bell: false };
  return state ? { ...made, state } : made;
}

test('what waits for a person comes first, then what failed', () => {
  const states: TerminalState[] = [
    { kind: 'prompt' },
    { kind: 'running' },
    { kind: 'failed', exitCode: 2 },
    { kind: 'waiting', text: 'May I?' },
    { kind: 'succeeded' },
  ];
  expect(mostUrgent(states)).toEqual({ kind: 'waiting', text: 'May I?' });
  expect(mostUrgent(states.filter(({ kind }) => kind !== 'waiting'))).toEqual({
    kind: 'failed',
    exitCode: 2,
  });
  expect(mostUrgent([{ kind: 'prompt' }, { kind: 'running' }])).toEqual({ kind: 'running' });
  expect(mostUrgent([])).toBeUndefined();
});

test('the page says how many wait, and what is most urgent', () => {
  const waiting = tab({ kind: 'waiting' });
  expect(attentionOf([waiting, tab({ kind: 'failed' }), waiting])).toEqual({ kind: 'waiting', waiting: 2 });
  expect(attentionOf([tab(undefined)])).toEqual({ kind: 'unknown', waiting: 0 });
  expect(attentionOf([])).toEqual({ kind: 'unknown', waiting: 0 });
});

test('an exited terminal waits for nobody', () => {
  expect(stateOfTab(tab({ kind: 'waiting' }, { kind: 'exited', exitCode: 1 }))).toEqual({
    kind: 'exited',
    exitCode: 1,
  });
});
