// Which of several terminals a person has to see to first.

import type { TerminalState } from '../protocol/messages';
import type { Tab } from './state';

export type StateKind = TerminalState['kind'];

const order: readonly StateKind[] = [
  'waiting',
  'failed',
  'succeeded',
  'running',
  'exited',
  'prompt',
  'unknown',
];

/** What an exited terminal shows is its exit, also if it was never told. */
export function stateOfTab({ state, status }: Tab): TerminalState {
  if (status.kind === 'exited') return { kind: 'exited', exitCode: status.exitCode };
  return state ?? { kind: 'unknown' };
}

export function mostUrgent(states: readonly TerminalState[]): TerminalState | undefined {
  return order.flatMap((kind) => states.filter((each) => each.kind === kind))[0];
}

/** What the page shows of itself where only its title and its icon are seen. */
export interface Attention {
  kind: StateKind;
  /** How many terminals wait for a person. */
  waiting: number;
}

export function attentionOf(tabs: readonly Tab[]): Attention {
  const states = tabs.map(stateOfTab);
  return {
    kind: mostUrgent(states)?.kind ?? 'unknown',
    waiting: states.filter(({ kind }) => kind === 'waiting').length,
  };
}
