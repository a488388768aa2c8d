// The commands that shells ran, as the daemon tells of them.

import { LostError, RefusedError } from '../protocol/connection';
import type { ServerData, ShellCommand } from '../protocol/messages';
import type { Requests } from './requests';
import type { Typing } from './typing';

/** The daemon tells the beginning of a longer one: running that would be another command. */
const longest = 2000;
/** The shell integration binds it: clears what was typed at the prompt. */
const clear = '\x1b[133;133~';

export type RunAgain = 'typed' | 'busy' | 'unsure';

export class ShellCommands {
  private readonly requests: Requests;
  private readonly typing: Typing;

  constructor(requests: Requests, typing: Typing) {
    this.requests = requests;
    this.typing = typing;
  }

  /** All that the daemon knows; `undefined` if it cannot tell now. */
  async all(terminalId: string): Promise<ShellCommand[] | undefined> {
    return (await this.list(terminalId))?.commands;
  }

  /** What a command printed, as far as it is kept. */
  async output(terminalId: string, start: number): Promise<ServerData<'command_output'> | undefined> {
    const answer = await this.requests.ask((connection) =>
      connection.request('command_output', { terminalId, start }),
    );
    return answer === 'failed' ? undefined : answer;
  }

  /** Types it at the prompt of its shell, in place of what somebody left there. */
  async runAgain(terminalId: string, { text }: ShellCommand): Promise<RunAgain> {
    if (text === null || text === '' || text.length >= longest) return 'unsure';
    if ((await this.list(terminalId, 1))?.state !== 'prompt') return 'busy';
    this.typing.add(terminalId, 'text', clear);
    this.typing.add(terminalId, 'paste', text);
    this.typing.add(terminalId, 'text', '\r');
    return 'typed';
  }

  private async list(terminalId: string, limit?: number): Promise<ServerData<'commands_of'> | undefined> {
    const { connection } = this.requests;
    if (!connection) return undefined;
    try {
      return await connection.request('commands_of', {
        terminalId,
        ...(limit === undefined ? {} : { limit }),
      });
    } catch (error) {
      // It is gone, or the connection is; a later snapshot asks again.
      if (error instanceof RefusedError || error instanceof LostError) return undefined;
      throw error;
    }
  }
}
