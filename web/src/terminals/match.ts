// Decides what to do with each tab after reconnecting, by comparing the page's tabs with the
// daemon's terminals.

import type { TerminalInfo } from '../protocol/messages';

export interface KnownTab {
  terminalId: string;
  name?: string;
  /** The page already shows that its program exited, so it is not run again unasked. */
  seenExit?: boolean;
}

export type Step =
  /** It is running: attach to it. */
  | { kind: 'attach'; terminal: TerminalInfo }
  /** It is not: create a new one in its place. `terminal` is the exited one, if still kept. */
  | { kind: 'create'; terminalId: string; name?: string; terminal?: TerminalInfo }
  /** No tab shows it: add one. */
  | { kind: 'adopt'; terminal: TerminalInfo }
  /** It ended with the machine, and this page showed it: restore it with its history. */
  | { kind: 'restore'; terminal: TerminalInfo }
  /** It ended with the machine, and waits until the user restores it. */
  | { kind: 'offer'; terminal: TerminalInfo };

/**
 * A shell is restored by itself where it was open. A program with arguments could do anything, so
 * it is not run unasked.
 */
function isShell({ command }: TerminalInfo): boolean {
  return command.length <= 1;
}

/**
 * Steps in tab order, followed by adopted terminals in the daemon's order. A page that may not create
 * terminals keeps the exited ones, and drops the tabs of those that are gone.
 */
export function matchTerminals(
  tabs: readonly KnownTab[],
  terminals: readonly TerminalInfo[],
  mayCreate = true,
): Step[] {
  const byId = new Map(terminals.map((each) => [each.terminalId, each]));
  const steps: Step[] = [];
  for (const { terminalId, name, seenExit } of tabs) {
    const terminal = byId.get(terminalId);
    byId.delete(terminalId);
    const named = name === undefined ? {} : { name };
    if (terminal?.status === 'restorable')
      steps.push({ kind: mayCreate && isShell(terminal) ? 'restore' : 'offer', terminal });
    else if (!terminal && !mayCreate) continue;
    else if (!terminal) steps.push({ kind: 'create', terminalId, ...named });
    else if (terminal.status === 'running' || seenExit || !mayCreate)
      steps.push({ kind: 'attach', terminal });
    else steps.push({ kind: 'create', terminalId, ...named, terminal });
  }
  const unshown = [...byId.values()].sort((a, b) => a.order - b.order);
  const isRestorable = ({ status }: TerminalInfo) => status === 'restorable';
  return [
    ...steps,
    ...unshown.map((terminal): Step => ({ kind: isRestorable(terminal) ? 'offer' : 'adopt', terminal })),
  ];
}
