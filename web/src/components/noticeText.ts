// A notice in words.

import type { Notice } from '../protocol/messages';
import { labelOf, type State, tabOf } from '../terminals/state';
import { words } from '../words';
import { durationText } from './stateText';

export function noticeText({ kind, command, exitCode, duration, text }: Notice): string {
  const { ended, blocked, done } = words.noticeTexts;
  const said = text === undefined ? '' : `: ${text}`;
  switch (kind) {
    case 'command_ended':
      return ended(command, exitCode, durationText(duration ?? 0));
    case 'bell':
      return words.bells.rang;
    case 'message':
      return text ?? '';
    case 'blocked':
      return `${blocked(command)}${said}`;
    case 'done':
      return `${done(command)}${said}`;
  }
}

/** Where it happened, as the tabs call it. */
export function placeText(notice: Notice, state: State): string {
  const tab = notice.session === state.session ? tabOf(state, notice.terminalId) : undefined;
  return tab ? labelOf(tab) : (notice.name ?? notice.session);
}
