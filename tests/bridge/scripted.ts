// A provider for pi that answers by a script, without a model. `call NAME JSON` in a message makes it
// call that tool; `then call …` may follow. It says what came of the last one. Everything else is
// repeated.

import { fauxAssistantMessage, fauxProvider, fauxToolCall } from '@earendil-works/pi-ai';

interface Part {
  type: string;
  text?: string;
}

interface Message {
  role: string;
  content: string | Part[];
}

const textOf = (content: string | Part[] = '') =>
  typeof content === 'string' ? content : content.map(({ text = '' }) => text).join('');

/** The calls that a message asks for. */
const callsIn = (text: string) => (text.startsWith('call ') ? text.slice(5).split(' then call ') : []);

export default function (pi: { registerProvider(provider: unknown): void }) {
  const faux = fauxProvider({ provider: 'scripted', models: [{ id: 'script' }] });
  const answer = ({ messages }: { messages: Message[] }) => {
    faux.appendResponses([answer as never]);
    const all = messages.filter(({ role }) => role !== 'system');
    const asked = all.findLastIndex(({ role }) => role === 'user');
    const done = all.slice(asked).filter(({ role }) => role === 'toolResult').length;
    const [, name, input] = /^(\S+) (\{.*\})$/s.exec(callsIn(textOf(all[asked]?.content))[done] ?? '') ?? [];
    if (name && input) return fauxAssistantMessage([fauxToolCall(name, JSON.parse(input))], { stopReason: 'toolUse' });
    const last = all.at(-1);
    return fauxAssistantMessage(`${last?.role} said: ${textOf(last?.content).trim()};`);
  };
  faux.setResponses([answer as never]);
  pi.registerProvider(faux.provider);
}
