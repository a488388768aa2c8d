// What a terminal does, in words.

import type { TerminalState } from '../protocol/messages';
import { words } from '../words';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** Whole seconds, minutes, hours or days. */
export function durationText(milliseconds: number): string {
  const { seconds, minutes, hours, days } = words.durations;
  if (milliseconds < minute) return seconds(Math.max(0, Math.floor(milliseconds / 1000)));
  if (milliseconds < hour) return minutes(Math.floor(milliseconds / minute));
  if (milliseconds < day) return hours(Math.floor(milliseconds / hour));
  return days(Math.floor(milliseconds / day));
}

/** Empty if there is nothing to say. */
export function stateText(state: TerminalState, now = Date.now()): string {
  const { kind, command, exitCode, progress, text } = state;
  const since = state.since === undefined ? undefined : durationText(now - Date.parse(state.since));
  const said = text === undefined ? '' : `: ${text}`;
  switch (kind) {
    case 'unknown':
      return '';
    case 'prompt':
      return words.states.prompt;
    case 'running': {
      const percent = progress === undefined ? '' : ` ${words.states.progress(progress)}`;
      return `${words.states.running(command)}${percent}${since ? words.states.lasting(since) : ''}${said}`;
    }
    case 'succeeded':
      return `${words.states.succeeded(command)}${said}`;
    case 'failed':
      return `${words.states.failed(command, exitCode)}${said}`;
    case 'waiting':
      return `${words.states.waiting(command)}${said}`;
    case 'exited':
      return words.terminal.exited(exitCode ?? 0);
  }
}
