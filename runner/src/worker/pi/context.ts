// The members of pi's ExtensionContext that Holdfast's own does not have.

import type { Agent } from '../agent.ts';
import type { Extension } from '../extension.ts';
import type { Generation } from '../generation.ts';
import type { Host } from '../host.ts';
import type { CustomOptions, Make } from './custom.ts';
import type { Drawing } from './drawing.ts';
import type { Entry } from './entries.ts';
import { theme } from './theme.ts';
import type { Widget } from './widgets.ts';

export function piContext(extension: Extension, generation: Generation, host: Host) {
  const { pi } = extension;
  const { agent } = host;
  const { state } = agent;
  const session = (name: string) => async (target?: unknown, options?: object) =>
    (await pi.callAgent(name, { target, options }, { cancelled: true })) ?? { cancelled: false };
  return {
    hasUI: true as const,
    // As pi calls a place where components can be drawn.
    mode: 'tui' as const,
    sessionManager: sessionManager(extension, host),
    model: state.model,
    modelRegistry: modelRegistry(pi, agent),
    scopedModels: [],
    thinkingLevel: state.thinkingLevel ?? 'off',
    isIdle: () => agent.state.isIdle ?? true,
    isProjectTrusted: () => true,
    abort: () => {
      if (agent.offers('abort')) pi.tellAgent('abort', {});
    },
    hasPendingMessages: () => agent.state.hasPendingMessages ?? false,
    shutdown: () => pi.tellAgent('shutdown', {}),
    getContextUsage: () => agent.state.contextUsage,
    compact: (options: CompactOptions = {}) => void compact(pi, options),
    getSystemPrompt: () => agent.state.systemPrompt ?? '',
    getSystemPromptOptions: () => agent.state.systemPromptOptions ?? { cwd: host.info.cwd },
    waitForIdle: async () => {
      if (agent.offers('waitForIdle')) await pi.callAgent('waitForIdle', {}, undefined);
    },
    newSession: session('newSession'),
    fork: session('fork'),
    navigateTree: session('navigateTree'),
    switchSession: session('switchSession'),
    reload: async () => {
      await extension.call('reload', {}, generation);
    },
  };
}

interface CompactOptions {
  customInstructions?: string;
  onComplete?(result: unknown): void;
  onError?(error: unknown): void;
}

async function compact(pi: Extension['pi'], { customInstructions, onComplete, onError }: CompactOptions) {
  const nothing = Symbol('nothing');
  try {
    const result = await pi.callAgent<unknown>('compact', { customInstructions }, nothing);
    if (result !== nothing) onComplete?.(result);
  } catch (error) {
    onError?.(error);
  }
}

function sessionManager({ pi }: Extension, { entries, info }: Host) {
  const labelOf = (id: string) => {
    const last = pi.entries().findLast(({ type, targetId }) => type === 'label' && targetId === id);
    return last?.label as string | undefined;
  };
  const tree = (list: Entry[]): object[] => {
    const [first, ...rest] = list;
    return first ? [{ entry: first, label: labelOf(first.id), children: tree(rest) }] : [];
  };
  return Object.freeze({
    getCwd: () => info.cwd,
    getSessionDir: () => info.cwd,
    getSessionId: () => info.id,
    getSessionFile: () => undefined,
    getSessionName: () => pi.sessionName(),
    getHeader: () => ({ type: 'session', version: 3, id: info.id, cwd: info.cwd }),
    getEntries: () => pi.entries(),
    // A session has one branch.
    getBranch: (from?: string) => {
      const all = pi.entries();
      return from === undefined ? all : all.slice(0, all.findIndex(({ id }) => id === from) + 1);
    },
    getTree: () => tree(pi.entries()),
    getLeafId: () => pi.entries().at(-1)?.id ?? null,
    getLeafEntry: () => pi.entries().at(-1),
    getEntry: (id: string) => entries.get(id),
    getLabel: labelOf,
    buildContextEntries: () => pi.entries(),
    buildSessionProjection: () => pi.entries(),
  });
}

function modelRegistry(pi: Extension['pi'], agent: Agent) {
  const models = () => [...(agent.state.models ?? [])];
  const fails = (name: string) => async () => {
    pi.needsAgent(`modelRegistry.${name}`);
    throw new Error(agent.lacks(`modelRegistry.${name}`));
  };
  return Object.freeze({
    getAll: models,
    getAvailable: models,
    find: (provider: string, id: string) =>
      models().find((model) => model.provider === provider && model.id === id),
    hasConfiguredAuth: () => false,
    getApiKey: async () => undefined,
    getApiKeyForProvider: async () => undefined,
    getApiKeyAndHeaders: async () => ({ ok: false, error: agent.lacks('an API key') }),
    refresh: async () => {},
    complete: fails('complete'),
    stream: fails('stream'),
  });
}

interface Asking {
  /** Waits for a person, who may take longer than a handler. */
  wait<T>(ask: () => Promise<T>): Promise<T>;
  drawing: Drawing;
}

/** Members of `ui`. What only pi's own screen could show has no effect. */
export function piUi(extension: Extension, generation: Generation, { wait, drawing }: Asking) {
  const { pi } = extension;
  const nothing = () => generation.check();
  const names = ['onTerminalInput', 'addAutocompleteProvider'];
  const subscriptions = names.map((name) => [name, () => nothing]);
  const unseen = ['setTitle', 'setFooter', 'setHeader', 'setEditorComponent', 'setWorkingMessage'];
  unseen.push('setWorkingVisible', 'setWorkingIndicator', 'setHiddenThinkingLabel', 'setToolsExpanded');
  return {
    ...Object.fromEntries([...subscriptions, ...unseen.map((name) => [name, nothing])]),
    theme,
    getAllThemes: () => [{ name: theme.name, path: undefined }],
    getTheme: (name: string) => (name === theme.name ? theme : undefined),
    setTheme: () => ({ success: false, error: 'the page has its own themes' }),
    getToolsExpanded: () => false,
    getEditorComponent: () => undefined,
    setWidget: (key: string, widget: Widget) => {
      generation.check();
      pi.widgets.set(key, widget, generation);
    },
    setEditorText: (text: string) => {
      generation.check();
      pi.editorText = String(text);
      pi.notify(pi.editorText);
    },
    pasteToEditor: (text: string) => {
      generation.check();
      pi.editorText += String(text);
      pi.notify(String(text));
    },
    getEditorText: () => pi.editorText,
    editor: (title: string, prefill?: string) => wait(() => drawing.editor(title, prefill)),
    custom: (make: Make, options?: CustomOptions) => wait(() => drawing.custom(make, options)),
  };
}
