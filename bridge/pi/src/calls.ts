// What Holdfast's extensions may ask of pi (docs/agents.md).

import type { ExtensionAPI, ExtensionContext } from '@earendil-works/pi-coding-agent';
import type { Data } from './connection.ts';

type Call = (params: Data) => unknown;
type Send = Parameters<ExtensionAPI['sendUserMessage']>;
type SendCustom = Parameters<ExtensionAPI['sendMessage']>;

/** `settled` gets who waits until pi has nothing more to do. */
export function callsOf(
  pi: ExtensionAPI,
  context: () => ExtensionContext,
  settled: (resolve: () => void) => void,
): Record<string, Call> {
  return {
    sendUserMessage: ({ content, options }) => pi.sendUserMessage(content as Send[0], options as Send[1]),
    sendMessage: ({ message, options }) => pi.sendMessage(message as SendCustom[0], options as SendCustom[1]),
    setModel: async ({ model }) => {
      const { provider, id } = model as { provider: string; id: string };
      const known = context().modelRegistry.find(provider, id);
      return known !== undefined && (await pi.setModel(known));
    },
    setThinkingLevel: ({ level }) =>
      pi.setThinkingLevel(level as Parameters<ExtensionAPI['setThinkingLevel']>[0]),
    setActiveTools: ({ names }) => pi.setActiveTools(names as string[]),
    abort: () => context().abort(),
    compact: ({ customInstructions }) =>
      new Promise((resolve, reject) =>
        context().compact({
          customInstructions: customInstructions as string | undefined,
          onComplete: resolve,
          onError: reject,
        }),
      ),
    shutdown: () => context().shutdown(),
    waitForIdle: () => (context().isIdle() ? undefined : new Promise<void>(settled)),
  };
}

/** What extensions ask for without waiting. */
export function stateOf(pi: ExtensionAPI, ctx: ExtensionContext): Data {
  const models = ctx.modelRegistry.getAvailable().map(({ provider, id, name }) => ({ provider, id, name }));
  return {
    isIdle: ctx.isIdle(),
    hasPendingMessages: ctx.hasPendingMessages(),
    model: ctx.model && { provider: ctx.model.provider, id: ctx.model.id, name: ctx.model.name },
    models,
    thinkingLevel: pi.getThinkingLevel(),
    contextUsage: ctx.getContextUsage(),
    systemPrompt: ctx.getSystemPrompt(),
    tools: pi.getAllTools().map(({ name, description, parameters }) => ({ name, description, parameters })),
    activeTools: pi.getActiveTools(),
  };
}
