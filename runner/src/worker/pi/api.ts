// The members of pi's ExtensionAPI that Holdfast's own does not have. What belongs to a session
// works. What belongs to an agent asks the session's, or says that there is none: once, in one line.

import type { Extension } from '../extension.ts';
import type { Generation } from '../generation.ts';
import type { Host } from '../host.ts';

interface Flag {
  type: 'boolean' | 'string';
  description?: string;
  default?: boolean | string;
}

interface Message {
  customType: string;
  content: unknown;
  display?: boolean;
  details?: unknown;
}

type Commands = (
  name: string,
  command: { description?: string; handler: (...args: never[]) => unknown },
) => void;

export function piMembers(
  extension: Extension,
  generation: Generation,
  host: Host,
  registerCommand: Commands,
) {
  const { pi } = extension;
  const checked =
    <Args extends unknown[], T>(work: (...args: Args) => T) =>
    (...args: Args): T => {
      generation.check();
      return work(...args);
    };
  /** Kept for an agent; nothing shows that there is none. */
  const kept = checked(() => {});
  const { agent } = host;
  const append = (content: { type: string; [more: string]: unknown }) => pi.append(content);
  const flags = new Map<string, Flag>();
  const tools = () => host.order.flatMap(({ current }) => [...(current?.tools.values() ?? [])]);
  return {
    registerFlag: checked((name: string, flag: Flag) => {
      if (flags.size === 0) registerCommand('flags', flagsCommand(flags, pi.flags));
      flags.set(name, flag);
    }),
    getFlag: checked((name: string) => {
      if (!flags.has(name)) return undefined;
      return pi.flags.get(name) ?? flags.get(name)?.default;
    }),
    registerShortcut: checked(
      (key: string, shortcut: { description?: string; handler: (ctx: never) => unknown }) =>
        registerCommand(`key:${key}`, {
          description: shortcut.description ?? `what ${key} does`,
          handler: (_args: never, ctx: never) => shortcut.handler(ctx),
        }),
    ),
    registerMessageRenderer: kept,
    registerEntryRenderer: kept,
    registerToolRenderer: kept,
    registerMarkdownTransformer: kept,
    registerProvider: kept,
    unregisterProvider: kept,
    registerVirtualModel: kept,
    unregisterVirtualModel: kept,
    registerMcpServer: kept,
    unregisterMcpServer: kept,
    getMcpServers: checked(() => []),
    getSettings: checked(() => ({})),
    appendEntry: checked((customType: string, data?: unknown) => {
      append({ type: 'custom', customType, data });
    }),
    sendMessage: checked(
      ({ customType, content, display, details }: Message, options?: { triggerTurn?: boolean }) => {
        const message = { customType, content, display: display !== false, details };
        append({ type: 'custom_message', ...message });
        if (agent.offers('sendMessage')) return pi.tellAgent('sendMessage', { message, options });
        if (display !== false) pi.notify(textOf(content));
        if (options?.triggerTurn) pi.needsAgent('sendMessage with triggerTurn');
      },
    ),
    sendUserMessage: checked((content: unknown, options?: object) =>
      pi.tellAgent('sendUserMessage', { content, options }),
    ),
    setSessionName: checked((name: string) => {
      append({ type: 'session_info', name: String(name) });
    }),
    getSessionName: checked(() => pi.sessionName()),
    setLabel: checked((targetId: string, label: string | undefined) => {
      append({ type: 'label', targetId, label });
    }),
    getAllTools: checked(() => {
      const own = tools().map(({ tool: { name, description, parameters } }) => {
        return { name, description, parameters, sourceInfo: { source: 'extension' } };
      });
      const names = new Set(own.map(({ name }) => name));
      const ofAgent = (agent.state.tools ?? []).filter(({ name }) => !names.has(name));
      return [...own, ...ofAgent.map((tool) => ({ ...tool, sourceInfo: { source: 'builtin' } }))];
    }),
    getActiveTools: checked(() => {
      if (agent.state.activeTools) return [...agent.state.activeTools];
      const names = tools().map(({ tool }) => tool.name);
      return host.activeTools ? names.filter((name) => host.activeTools?.has(name)) : names;
    }),
    setActiveTools: checked((names: string[]) => {
      host.activeTools = new Set(names);
      if (agent.offers('setActiveTools')) pi.tellAgent('setActiveTools', { names });
    }),
    getCommands: checked(() =>
      host.order.flatMap(({ current }) =>
        [...(current?.commands ?? [])].map(([name, { description }]) => {
          return { name, description, source: 'extension', sourceInfo: { source: 'extension' } };
        }),
      ),
    ),
    setModel: checked(async (model: unknown) => (await pi.callAgent('setModel', { model }, false)) === true),
    getThinkingLevel: checked(() => agent.state.thinkingLevel ?? 'off'),
    setThinkingLevel: checked((level: string) => pi.tellAgent('setThinkingLevel', { level })),
  };
}

/** `/EXTENSION flags [NAME VALUE]`. */
function flagsCommand(
  flags: Map<string, Flag>,
  values: { get(name: string): unknown; set(name: string, value: unknown): Promise<void> },
) {
  const list = () =>
    [...flags].map(([name, flag]) => {
      const value = values.get(name) ?? flag.default;
      return `${name} = ${value ?? '(not set)'}${flag.description ? `  ${flag.description}` : ''}`;
    });
  return {
    description: 'lists the flags, or sets one: NAME VALUE',
    handler: async (args: string) => {
      const [, name = '', text = ''] = /^\s*(\S*)\s*(.*?)\s*$/.exec(args) ?? [];
      if (name === '') return list().join('\n');
      const flag = flags.get(name);
      if (!flag) throw new Error(`there is no flag ${name}; there are ${[...flags.keys()].join(', ')}`);
      await values.set(name, flagValue(flag, name, text));
      return `${name} = ${values.get(name)}. /reload starts the extension with it.`;
    },
  };
}

function flagValue({ type }: Flag, name: string, text: string): boolean | string {
  if (type === 'string') return text;
  if (text === 'true' || text === 'false') return text === 'true';
  throw new Error(`flag ${name} is true or false`);
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.map((each) => (each as { text?: string }).text ?? '').join('\n');
}
