// What happened in the terminals of all sessions and that a person may want to hear of. The daemon
// keeps it, and how far it was read, so it is the same on all devices.

import type { Connection } from '../protocol/connection';
import type { Notice, ServerMessage } from '../protocol/messages';
import { isRecord } from '../protocol/shape';
import type { Keeper, Preferences } from './preferences';

export type Rule = 'all' | 'waiting' | 'none';

const rules: readonly Rule[] = ['all', 'waiting', 'none'];
const seen = 'notices_seen';
const ruleName = 'notify';
const mostKept = 200;

export interface NoticeList {
  /** The newest first. */
  all: readonly Notice[];
  /** How many of them nobody has seen. */
  unread: number;
}

export class Notices {
  /** Something has happened just now. */
  happened: (notice: Notice) => void = () => {};
  private readonly preferences: Preferences;
  private readonly listeners = new Set<() => void>();
  private list: NoticeList = { all: [], unread: 0 };

  constructor(preferences: Preferences) {
    this.preferences = preferences;
    preferences.subscribe(seen, () => this.changed(this.list.all));
  }

  readonly get = (): NoticeList => this.list;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** What came before this page did, or while it was away. */
  async load(connection: Connection): Promise<void> {
    try {
      const { notices } = await connection.request('notices', {});
      this.changed([...notices].reverse());
    } catch {
      // The connection is lost, or the daemon is older: then there are none.
    }
  }

  receive(message: ServerMessage): void {
    if (message.type !== 'notice') return;
    this.changed([message.data, ...this.list.all].slice(0, mostKept));
    this.happened(message.data);
  }

  /** A person has seen the list. */
  read(): void {
    const newest = this.list.all[0]?.at;
    if (newest !== undefined && newest !== this.seenUntil()) this.preferences.set(seen, newest);
  }

  isUnread({ at, watched }: Notice): boolean {
    return !watched && at > this.seenUntil();
  }

  /** `undefined`: the terminal has no rule of its own. */
  ruleOf(session: string, terminalId: string): Rule | undefined {
    const kept = this.keeper(session).get(ruleName);
    return isRecord(kept) ? rules.find((each) => each === kept[terminalId]) : undefined;
  }

  setRule(session: string, terminalId: string, rule: Rule | undefined): void {
    this.keeper(session).update(ruleName, (kept) => {
      const { [terminalId]: _old, ...others } = isRecord(kept) ? kept : {};
      return rule === undefined ? others : { ...others, [terminalId]: rule };
    });
  }

  private keeper(session: string): Keeper {
    return this.preferences.ofSession(session);
  }

  private seenUntil(): string {
    const kept = this.preferences.get(seen);
    return typeof kept === 'string' ? kept : '';
  }

  private changed(all: readonly Notice[]): void {
    this.list = { all, unread: all.filter((each) => this.isUnread(each)).length };
    for (const listener of [...this.listeners]) listener();
  }
}

/** Whether a person is told of it at once, by this rule. Where somebody looks, nobody needs to be told. */
export function isTold(notice: Notice, rule: Rule, shortestSeconds: number): boolean {
  if (notice.watched || rule === 'none') return false;
  const { kind, duration = 0 } = notice;
  if (kind === 'blocked' || kind === 'message') return true;
  if (rule === 'waiting') return false;
  return kind !== 'command_ended' || duration >= shortestSeconds * 1000;
}
