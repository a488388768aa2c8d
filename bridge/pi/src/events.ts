// Pi's events as Holdfast's extensions get them, and what their decisions mean for pi.

import type { Data } from './connection.ts';

/** The events that are sent, if an extension listens. `tool_call` is sent always. */
export const events = [
  'input',
  'before_agent_start',
  'agent_start',
  'agent_end',
  'agent_before_settle',
  'agent_settled',
  'turn_start',
  'turn_end',
  'message_start',
  'message_update',
  'message_end',
  'context',
  'context_with_system',
  'tool_call',
  'tool_result',
  'tool_execution_start',
  'tool_execution_update',
  'tool_execution_end',
  'before_provider_request',
  'before_provider_headers',
  'after_provider_response',
  'cache_warming_decision',
  'resources_discover',
  'model_select',
  'thinking_level_select',
  'session_before_switch',
  'session_before_fork',
  'session_before_compact',
  'session_before_tree',
  'session_compact',
  'session_compact_failed',
  'session_info_changed',
  'session_tree',
] as const;

/** After these, what extensions know of pi is another. */
export const changesState: ReadonlySet<string> = new Set([
  'agent_start',
  'agent_end',
  'agent_settled',
  'turn_end',
  'model_select',
  'thinking_level_select',
  'session_compact',
]);

export type Event = Data & { type: string };

/** What pi's handler returns for a decision. Changes what pi wants to have changed in place. */
export function asResult(event: Event, decision: Data | null): unknown {
  if (!decision) return undefined;
  const { type } = event;
  if (type === 'tool_call') replace(event.input as Data, decision.input);
  if (type === 'before_agent_start') {
    replace(event.systemPromptOptions as Data, decision.systemPromptOptions);
    return withMessage(decision);
  }
  if (type === 'before_provider_headers') return replace(event.headers as Data, decision.headers);
  if (type === 'before_provider_request') return decision.payload;
  return decision;
}

/** What pi's handler returns if an extension has refused, or could not be asked. */
export function asRefusal({ type }: Event, reason: string): unknown {
  if (type === 'tool_call') return { block: true, reason };
  if (type === 'input') return { action: 'handled' };
  if (type.startsWith('session_before_')) return { cancel: true };
  return undefined;
}

function replace(present: Data | undefined, by: unknown): undefined {
  if (!present || typeof by !== 'object' || by === null) return;
  for (const key of Object.keys(present)) delete present[key];
  Object.assign(present, by);
}

/** Pi takes one message from one handler. */
function withMessage({ messages, systemPrompt }: Data) {
  const all = (messages ?? []) as { content: unknown }[];
  const [first] = all;
  const message = first && { display: true, ...first, content: all.flatMap(({ content }) => partsOf(content)) };
  return { ...(message ? { message } : {}), ...(systemPrompt === undefined ? {} : { systemPrompt }) };
}

function partsOf(content: unknown): unknown[] {
  return Array.isArray(content) ? content : [{ type: 'text', text: String(content) }];
}
