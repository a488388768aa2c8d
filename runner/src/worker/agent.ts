// The session's agent as the daemon describes it (docs/agents.md).

export interface Model {
  provider?: string;
  id?: string;
  [more: string]: unknown;
}

interface ToolOfAgent {
  name: string;
  description?: string;
  parameters?: object;
}

/** What extensions ask for without waiting. */
interface State {
  isIdle?: boolean;
  hasPendingMessages?: boolean;
  model?: Model;
  models?: Model[];
  thinkingLevel?: string;
  contextUsage?: object;
  systemPrompt?: string;
  systemPromptOptions?: object;
  tools?: ToolOfAgent[];
  activeTools?: string[];
}

interface Description {
  name: string;
  calls: string[];
  state: State;
}

export class Agent {
  #present: Description | undefined;

  set(present: unknown) {
    this.#present = (present ?? undefined) as Description | undefined;
  }

  get name(): string | undefined {
    return this.#present?.name;
  }

  get state(): State {
    return this.#present?.state ?? {};
  }

  offers(call: string): boolean {
    return this.#present?.calls.includes(call) ?? false;
  }

  /** Why it cannot be called. */
  lacks(member: string): string {
    if (this.#present) return `${member} is not offered by ${this.#present.name}, the agent of this session`;
    return `${member} needs an agent, and none is attached to this session`;
  }
}
