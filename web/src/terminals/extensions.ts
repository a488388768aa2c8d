// What the extensions of the session show and ask, and the commands they offer. What is meant for another session is
// not shown in this one.

import type { ServerMessage } from '../protocol/messages';
import type { Requests } from './requests';
import type { Action, State } from './state';
import type { Store } from './store';

export class Extensions {
  private readonly store: Store<State, Action>;
  private readonly requests: Requests;

  constructor(store: Store<State, Action>, requests: Requests) {
    this.store = store;
    this.requests = requests;
  }

  async listCommands(): Promise<void> {
    const { session } = this.store.get();
    try {
      const answer = await this.requests.connection?.request('commands', { session });
      if (answer && this.isMine(answer.session))
        this.store.dispatch({ type: 'commands', commands: answer.commands });
    } catch {
      // A daemon without extensions has no commands.
      this.store.dispatch({ type: 'commands', commands: [] });
    }
  }

  /** A line of the command bar: `/command arguments` or `! shell command`. */
  async run(line: string): Promise<void> {
    const { session } = this.store.get();
    const answer = await this.requests.ask((connection) => connection.request('run', { session, line }));
    if (answer === 'failed' || answer === undefined) return;
    if (answer.error) this.requests.toast('error', answer.error);
    else if (answer.text) this.requests.toast('info', answer.text);
  }

  /** `null` says that the question was dismissed. */
  answer(id: string, value: unknown): void {
    this.requests.connection?.tell('ui_answer', { id, value });
    this.store.dispatch({ type: 'question_closed', id });
  }

  receive(message: ServerMessage): void {
    switch (message.type) {
      case 'commands':
        if (message.request === undefined && this.isMine(message.data.session))
          this.store.dispatch({ type: 'commands', commands: message.data.commands });
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
