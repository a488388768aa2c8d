// A provider for pi that answers by a script, without a model: `call NAME JSON` in a message makes it
// call that tool, then it says what came of it. Everything else is repeated.

import { fauxAssistantMessage, fauxProvider, fauxToolCall } from '@earendil-works/pi-ai';

interface Part {
  type: string;
  text?: string;
}

const textOf = (content: string | Part[]) =>
  typeof content === 'string' ? content : content.map(({ text = '' }) => text).join('');

export default function (pi: { registerProvider(provider: unknown): void }) {
  const faux = fauxProvider({ provider: 'scripted', models: [{ id: 'script' }] });
  const answer = ({ messages }: { messages: { role: string; content: string | Part[] }[] }) => {
    faux.appendResponses([answer as never]);
    const last = messages.filter(({ role }) => role !== 'system').at(-1);
    const text = textOf(last?.content ?? '');
    const [, name, input] = (last?.role === 'user' && /^call (\S+) (\{.*\})$/s.exec(text)) || [];
    if (name && input) return fauxAssistantMessage([fauxToolCall(name, JSON.parse(input))], { stopReason: 'toolUse' });
    return fauxAssistantMessage(`${last?.role} said: ${text.trim()};`);
  };
  faux.setResponses([answer as never]);
  pi.registerProvider(faux.provider);
}
