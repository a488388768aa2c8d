import { expect, test } from 'vitest';
import { durationText, stateText } from './stateText';

const now = Date.parse('2026-11-15T12:00:00.000Z');

test('a state says what runs, for how long, and what the program said', () => {
  const since = '2026-11-15T11:56:30.000Z';
  expect(stateText({ kind: 'running', command: 'make', since }, now)).toBe('make is running, for 3 min');
  expect(stateText({ kind: 'running', command: 'make', progress: 40, text: 'Linking' }, now)).toBe(
    'make is running 40 %: Linking',
  );
  expect(stateText({ kind: 'waiting', command: 'agent', since, text: 'May I?' }, now)).toBe(
    'agent is waiting for you: May I?',
  );
  expect(stateText({ kind: 'waiting' }, now)).toBe('Waiting for you');
  expect(stateText({ kind: 'failed', command: 'make', exitCode: 2, since }, now)).toBe('make failed with 2');
  expect(stateText({ kind: 'succeeded', command: 'make', exitCode: 0 }, now)).toBe('make succeeded');
  expect(stateText({ kind: 'prompt' }, now)).toBe('At the prompt');
  expect(stateText({ kind: 'unknown' }, now)).toBe('');
});

test('a command of several lines is one line here', () => {
  expect(stateText({ kind: 'succeeded', command: 'for i in 1 2\ndo echo $i\ndone' }, now)).toBe(
    'for i in 1 2 … succeeded',
  );
});

test('durations have one unit', () => {
  expect([0, 59_999, 60_000, 3_599_000, 3_600_000, 86_400_000, -5].map(durationText)).toEqual([
    '0 s',
    '59 s',
    '1 min',
    '59 min',
    '1 h',
    '1 d',
    '0 s',
  ]);
});
