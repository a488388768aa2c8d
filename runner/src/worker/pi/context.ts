// The members of pi's ExtensionContext that Holdfast's own does not have.

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
  const cancelled = (name: string) => async () => {
    pi.needsAgent(name);
    return { cancelled: true };
  };
  return {
    hasUI: true as const,
    // As pi calls a place where components can be drawn.
    mode: 'tui' as const,
    sessionManager: sessionManager(extension, host),
    model: undefined,
    modelRegistry: modelRegistry(pi),
    scopedModels: [],
    thinkingLevel: 'off',
    isIdle: () => true,
    isProjectTrusted: () => true,
    abort: () => {},
    hasPendingMessages: () => false,
    shutdown: () => pi.needsAgent('shutdown'),
    getContextUsage: () => undefined,
    compact: () => pi.needsAgent('compact'),
    getSystemPrompt: () => '',
    getSystemPromptOptions: () => ({ cwd: host.info.cwd }),
    waitForIdle: async () => {},
    newSession: cancelled('newSession'),
    fork: cancelled('fork'),
    navigateTree: cancelled('navigateTree'),
    switchSession: cancelled('switchSession'),
    reload: async () => {
      await extension.call('reload', {}, generation);
    },
  };
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

function modelRegistry(pi: Extension['pi']) {
  const fails = (name: string) => async () => {
    pi.needsAgent(`modelRegistry.${name}`);
    throw new Error(`modelRegistry.${name} needs an agent, and none is attached to this session`);
  };
  return Object.freeze({
    getAll: () => [],
    getAvailable: () => [],
    find: () => undefined,
    hasConfiguredAuth: () => false,
    getApiKey: async () => undefined,
    getApiKeyForProvider: async () => undefined,
    getApiKeyAndHeaders: async () => ({ ok: false, error: 'no agent is attached to this session' }),
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
