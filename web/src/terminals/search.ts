// Looks for lines in all terminals, of all sessions, and in the saved output of those that stopped.

import { LostError, RefusedError } from '../protocol/connection';
import type { FoundLine } from '../protocol/messages';
import { words } from '../words';
import type { Find } from './find';
import type { Requests } from './requests';

/** Of these many the panel shows the lines; the others are counted. */
const most = 500;

export interface FoundEverywhere {
  matches: FoundLine[];
  /** How many lines match in all. */
  count: number;
  skipped: string[];
}

export class Search {
  private readonly requests: Requests;
  private latest = 0;

  constructor(requests: Requests) {
    this.requests = requests;
  }

  /**
   * The newest search alone counts: `undefined` if another one began meanwhile, or the connection was
   * lost. A text says why nothing can be found.
   */
  async find({ text, matchCase, word, regex }: Find): Promise<FoundEverywhere | string | undefined> {
    const mine = ++this.latest;
    const { connection } = this.requests;
    connection?.cancel('search');
    if (!connection || text === '') return undefined;
    try {
      const { matches, leftOut, skipped } = await connection.request('search', {
        pattern: text,
        ignoreCase: !matchCase,
        word,
        literal: !regex,
        limit: most,
      });
      if (mine !== this.latest) return undefined;
      return { matches, count: matches.length + leftOut, skipped };
    } catch (error) {
      if (mine !== this.latest || error instanceof LostError) return undefined;
      if (error instanceof RefusedError) return words.refusal(error).text;
      throw error;
    }
  }
}
