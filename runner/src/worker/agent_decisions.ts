// The events of agents that handlers decide about (docs/agents.md). Names and fields are pi's.

type Data = Record<string, unknown>;
type Test = (value: unknown) => boolean;

interface Rule {
  /** What an answer may have. */
  fields?: Record<string, Test>;
  /** A field that handlers may also change in place. */
  editable?: string;
  /** The answer as a whole is the new value of this field. */
  whole?: string;
  /** Fields of which those of all handlers count, and the names of the lists they end up in. */
  collected?: Record<string, string>;
  /** No other handler is asked after this answer. */
  ends?(values: Data): boolean;
}

const isAny = () => true;
const isFlag: Test = (value) => typeof value === 'boolean';
const isText: Test = (value) => typeof value === 'string';
const isList: Test = (value) => Array.isArray(value);
const isObject: Test = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

const isCancelled = ({ cancel }: Data) => cancel === true;
const cancel = { cancel: isFlag, reason: isText };
const boundary: Rule = { fields: { entries: isList, continue: isFlag } };
const messages: Rule = { fields: { messages: isList }, editable: 'messages' };

const rules: Record<string, Rule> = {
  tool_call: {
    fields: { block: isFlag, reason: isText, terminate: isFlag },
    editable: 'input',
    ends: ({ block }) => block === true,
  },
  tool_result: { fields: { content: isList, details: isAny, isError: isFlag, usage: isObject } },
  input: {
    fields: {
      action: (value) => value === 'continue' || value === 'transform' || value === 'handled',
      text: isText,
      images: isList,
    },
    ends: ({ action }) => action === 'handled',
  },
  before_agent_start: {
    fields: { message: isObject, systemPrompt: isText },
    editable: 'systemPromptOptions',
    collected: { message: 'messages' },
  },
  context: messages,
  context_with_system: messages,
  message_end: { fields: { message: isObject } },
  turn_end: boundary,
  agent_before_settle: boundary,
  before_provider_request: { whole: 'payload' },
  before_provider_headers: { editable: 'headers' },
  session_before_fork: { fields: { ...cancel, skipConversationRestore: isFlag }, ends: isCancelled },
  session_before_compact: { fields: { ...cancel, compaction: isObject }, ends: isCancelled },
  session_before_tree: {
    fields: {
      ...cancel,
      summary: isObject,
      customInstructions: isText,
      replaceInstructions: isFlag,
      label: isText,
    },
    ends: isCancelled,
  },
  resources_discover: {
    fields: { skillPaths: isList, promptPaths: isList, themePaths: isList },
    collected: { skillPaths: 'skillPaths', promptPaths: 'promptPaths', themePaths: 'themePaths' },
  },
  cache_warming_decision: { fields: { action: isText } },
};

export function isAgents(event: string): boolean {
  return Object.hasOwn(rules, event);
}

/** What the answer says; undefined if it is invalid. */
export function readAgents(event: string, answer: unknown): Data | undefined {
  const { fields, whole } = rules[event] ?? {};
  if (whole) return { [whole]: answer };
  if (!fields) return {};
  if (!isObject(answer)) return undefined;
  const given = Object.entries(answer as Data).filter(([, value]) => value !== undefined);
  const known = given.filter(([name]) => Object.hasOwn(fields, name));
  // All of them may be misspelt.
  if (known.length === 0 && given.length > 0) return undefined;
  if (!known.every(([name, value]) => fields[name]?.(value))) return undefined;
  const values = Object.fromEntries(known);
  if (event !== 'input') return values;
  return values.action === 'transform' && !isText(values.text) ? undefined : whatCounts(values);
}

function whatCounts({ action, ...values }: Data): Data {
  if (action === 'handled') return { action };
  return action === 'transform' ? { action, ...values } : {};
}

export function endsAsking(event: string, values: Data): boolean {
  return rules[event]?.ends?.(values) ?? false;
}

/** The event's data for one handler, which may change a field without the others noticing. */
export function forHandler(event: string, data: Data): Data {
  const field = rules[event]?.editable;
  return field && Object.hasOwn(data, field) ? { ...data, [field]: structuredClone(data[field]) } : data;
}

/** What a handler has changed in place. */
export function editsIn(event: string, before: Data, after: Data): Data {
  const field = rules[event]?.editable;
  if (!field || JSON.stringify(before[field]) === JSON.stringify(after[field])) return {};
  return { [field]: after[field] };
}

/** What was decided so far, with what one more handler says. */
export function joined(event: string, decided: Data, values: Data): Data {
  const { collected = {} } = rules[event] ?? {};
  const all = { ...decided };
  for (const [name, value] of Object.entries(values)) {
    const list = collected[name];
    if (list)
      all[list] = [...((decided[list] as unknown[]) ?? []), ...(Array.isArray(value) ? value : [value])];
    else all[name] = value;
  }
  return all;
}
