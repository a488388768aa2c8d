// The events of a session's agent. docs/agents.md explains them; pi's package has stricter types.

interface Told<Data = Record<string, unknown>> {
  data: Data;
  result: undefined;
}

export interface Content {
  type: string;
  text?: string;
  [more: string]: unknown;
}

export interface ToolCall {
  toolCallId: string;
  toolName: string;
  /** May be changed in place. */
  input: Record<string, unknown>;
}

export interface Cancellation {
  cancel?: boolean;
  reason?: string;
}

interface Messages {
  data: { messages: unknown[] };
  result: { messages?: unknown[] };
}

interface Boundary {
  data: { entries?: object[]; continue?: boolean; [more: string]: unknown };
  result: { entries?: object[]; continue?: boolean };
}

interface BeforeSession<More = unknown> {
  data: Record<string, unknown>;
  result: Cancellation & More;
}

export interface AgentEvents {
  /** A handler that throws stops the call, unless it is registered with `mustDecide: false`. */
  tool_call: { data: ToolCall; result: { block?: boolean; reason?: string; terminate?: boolean } };
  tool_result: {
    data: ToolCall & { content: Content[]; details?: unknown; isError: boolean };
    result: { content?: Content[]; details?: unknown; isError?: boolean; usage?: object };
  };
  input: {
    data: { text: string; images?: Content[]; source: string };
    result: { action: 'continue' | 'handled' } | { action: 'transform'; text: string; images?: Content[] };
  };
  before_agent_start: {
    data: {
      prompt: string;
      images?: Content[];
      systemPrompt: string;
      systemPromptOptions: Record<string, unknown>;
    };
    result: { message?: object; systemPrompt?: string };
  };
  context: Messages;
  context_with_system: Messages;
  message_end: { data: { message: object }; result: { message?: object } };
  turn_end: Boundary;
  agent_before_settle: Boundary;
  before_provider_request: { data: { payload: unknown }; result: unknown };
  before_provider_headers: { data: { headers: Record<string, string> }; result: unknown };
  session_before_fork: BeforeSession<{ skipConversationRestore?: boolean }>;
  session_before_compact: BeforeSession<{ compaction?: object }>;
  session_before_tree: BeforeSession<{
    summary?: object;
    customInstructions?: string;
    replaceInstructions?: boolean;
    label?: string;
  }>;
  resources_discover: {
    data: { cwd: string; reason: string };
    result: { skillPaths?: string[]; promptPaths?: string[]; themePaths?: string[] };
  };
  agent_start: Told;
  agent_end: Told<{ messages?: unknown[] }>;
  agent_settled: Told;
  turn_start: Told;
  message_start: Told;
  message_update: Told;
  tool_execution_start: Told;
  tool_execution_update: Told;
  tool_execution_end: Told;
  model_select: Told;
  thinking_level_select: Told;
  session_compact: Told;
  session_tree: Told;
}

/** What extensions may ask of the agent. Without one, the user is told so once. */
export interface AgentCalls {
  /** The agent answers it. */
  sendUserMessage(content: string | Content[], options?: { deliverAs?: 'steer' | 'followUp' }): void;
  /** False if the agent cannot use it. */
  setModel(model: object): Promise<boolean>;
  getThinkingLevel(): string;
  setThinkingLevel(level: string): void;
}

/** What is known of the agent. */
export interface AgentView {
  readonly model: object | undefined;
  readonly thinkingLevel: string;
  isIdle(): boolean;
  hasPendingMessages(): boolean;
  abort(): void;
  waitForIdle(): Promise<void>;
  getSystemPrompt(): string;
}
