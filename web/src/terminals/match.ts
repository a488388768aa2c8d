// What becomes of each tab when a connection is there again: the tabs of this page against the daemon's terminals.

import type { TerminalInfo } from '../protocol/messages';

export interface KnownTab {
  terminalId: string;
  name?: string;
  /** Its program had ended, and this page says so: it is not run again behind the user's back. */
  seenExit?: boolean;
}

export type Step =
  /** It lives: look at it again. */
  | { kind: 'attach'; terminal: TerminalInfo }
  /** It does not: a fresh terminal takes its place. `terminal` is the exited one, if it is still kept. */
  | { kind: 'create'; terminalId: string; name?: string; terminal?: TerminalInfo }
  /** No tab shows it: it gets one. */
  | { kind: 'adopt'; terminal: TerminalInfo };

/** The steps stand in the order of the tabs, with adopted terminals behind them in the daemon's order. */
export function matchTerminals(tabs: readonly KnownTab[], terminals: readonly TerminalInfo[]): Step[] {
  const byId = new Map(terminals.map((each) => [each.terminalId, each]));
  const steps: Step[] = [];
  for (const { terminalId, name, seenExit } of tabs) {
    const terminal = byId.get(terminalId);
    byId.delete(terminalId);
    const named = name === undefined ? {} : { name };
    if (!terminal) steps.push({ kind: 'create', terminalId, ...named });
    else if (terminal.status === 'running' || seenExit) steps.push({ kind: 'attach', terminal });
    else steps.push({ kind: 'create', terminalId, ...named, terminal });
  }
  const unshown = [...byId.values()].sort((a, b) => a.order - b.order);
  return [...steps, ...unshown.map((terminal): Step => ({ kind: 'adopt', terminal }))];
}
