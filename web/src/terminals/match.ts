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
  | { kind: 'adopt'; terminal: TerminalInfo }
  /** It ended with the machine, and this page showed it: it is made again, with its history. */
  | { kind: 'restore'; terminal: TerminalInfo }
  /** So did this one, but it waits for a person to ask for it. */
  | { kind: 'offer'; terminal: TerminalInfo };

/**
 * A shell comes back by itself where it was open. A program with arguments may do anything, so it is not run behind the
 * person's back.
 */
function isShell({ command }: TerminalInfo): boolean {
  return command.length <= 1;
}

/** The steps stand in the order of the tabs, with adopted terminals behind them in the daemon's order. */
export function matchTerminals(tabs: readonly KnownTab[], terminals: readonly TerminalInfo[]): Step[] {
  const byId = new Map(terminals.map((each) => [each.terminalId, each]));
  const steps: Step[] = [];
  for (const { terminalId, name, seenExit } of tabs) {
    const terminal = byId.get(terminalId);
    byId.delete(terminalId);
    const named = name === undefined ? {} : { name };
    if (terminal?.status === 'restorable')
      steps.push({ kind: isShell(terminal) ? 'restore' : 'offer', terminal });
    else if (!terminal) steps.push({ kind: 'create', terminalId, ...named });
    else if (terminal.status === 'running' || seenExit) steps.push({ kind: 'attach', terminal });
    else steps.push({ kind: 'create', terminalId, ...named, terminal });
  }
  const unshown = [...byId.values()].sort((a, b) => a.order - b.order);
  const isRestorable = ({ status }: TerminalInfo) => status === 'restorable';
  return [
    ...steps,
    ...unshown.map((terminal): Step => ({ kind: isRestorable(terminal) ? 'offer' : 'adopt', terminal })),
  ];
}
