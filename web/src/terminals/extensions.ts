// What the session's extensions show and ask, and their commands. Messages for other sessions are
// ignored.

import type { CommandInfo, RunResult, ServerMessage } from '../protocol/messages';
import { words } from '../words';
import type { Requests } from './requests';
import type { Action, State } from './state';
import type { Store } from './store';

const longestNotice = 200;

/** Whether a result fits in a notice, which disappears. The command bar shows longer ones. */
export function isBrief({ text = '', error = '' }: RunResult): boolean {
  return [text, error].every((each) => each.length <= longestNotice && !each.trim().includes('\n'));
}

export class Extensions {
  private readonly store: Store<State, Action>;
  private readonly requests: Requests;
  private readonly showSession: (name: string) => void;
  private lastRun = 0;

  constructor(store: Store<State, Action>, requests: Requests, showSession: (name: string) => void) {
    this.store = store;
    this.requests = requests;
    this.showSession = showSession;
  }

  /**
   * Makes this connection a surface of the session. Everything its extensions show and ask follows
   * the answer. A daemon without extensions refuses, and has nothing to show.
   */
  async open(): Promise<void> {
    const { session } = this.store.get();
    const expected = ['unsupported', 'not_found'];
    const answer = await this.requests.ask(
      (connection) => connection.request('commands', { session }),
      expected,
    );
    if (answer === undefined && this.isMine(session)) this.opened([]);
  }

  private opened(commands: CommandInfo[]): void {
    this.store.dispatch({ type: 'extensions_opened', commands });
  }

  /** A line of the command bar: `/command arguments` or `! shell command`. */
  async run(line: string): Promise<void> {
    const { session } = this.store.get();
    const id = ++this.lastRun;
    this.store.dispatch({ type: 'run_started', id, line });
    const answer = await this.requests.ask((connection) =>
      connection.request('run', { session, line }, (text) =>
        this.store.dispatch({ type: 'run_progress', id, text }),
      ),
    );
    if (answer !== 'failed' && answer !== undefined) return this.ended(id, line, answer);
    this.store.dispatch({ type: 'run_dropped', id });
    if (!this.requests.connection) this.requests.toast('error', words.commands.lost(line));
  }

  private ended(id: number, line: string, result: RunResult): void {
    const hasProgress = this.store.get().runs.some((run) => run.id === id && run.progress !== '');
    const isTold = isBrief(result) && (!hasProgress || (result.text && !result.error));
    if (isTold) this.tell(line, result);
    this.store.dispatch(isTold ? { type: 'run_dropped', id } : { type: 'run_ended', id, result });
    if (result.session !== undefined) this.showSession(result.session);
  }

  private tell(line: string, { text, error, exitCode = 0 }: RunResult): void {
    if (error) this.requests.toast('error', error);
    else if (exitCode !== 0)
      this.requests.toast(
        'warning',
        [text?.trim(), words.commands.exitedLine(line, exitCode)].filter(Boolean).join(' · '),
      );
    else if (text) this.requests.toast('info', text.trim());
  }

  /** Removes the results that have been shown. */
  dismissRuns(): void {
    this.store.dispatch({ type: 'runs_dismissed' });
  }

  /** `null` means that the question was dismissed. */
  answer(id: string, value: unknown): void {
    this.requests.connection?.tell('ui_answer', { id, value });
    this.store.dispatch({ type: 'question_closed', id });
  }

  receive(message: ServerMessage): void {
    switch (message.type) {
      case 'commands':
        if (!this.isMine(message.data.session)) return;
        if (message.request !== undefined) this.opened(message.data.commands);
        else this.store.dispatch({ type: 'commands', commands: message.data.commands });
        return;
      case 'notify':
        if (this.isMine(message.data.session)) this.requests.toast(message.data.level, message.data.text);
        return;
      case 'ui_request':
        if (this.isMine(message.data.session))
          this.store.dispatch({ type: 'question', question: message.data });
        return;
      case 'ui_closed':
        return this.store.dispatch({ type: 'question_closed', id: message.data.id });
      case 'status': {
        const { session, key, text } = message.data;
        if (this.isMine(session)) this.store.dispatch({ type: 'status_item', key, text });
      }
    }
  }

  private isMine(session: string): boolean {
    return session === this.store.get().session;
  }
}
