// An extension that uses all of the types; `npm run check` is its test.

import { type ExtensionAPI, type SessionContext, StaleError } from '@holdfast/extension';

interface VM {
  id: string;
  pid: number;
  close(): Promise<void>;
}
declare const VM: { create(): Promise<VM> };

export default async function (pi: ExtensionAPI, session: SessionContext) {
  const vm: VM = await session.resources.getOrCreate('vm:one', () => VM.create(), {
    close: (vm) => vm.close(),
    describe: (vm) => `VM ${vm.id}`,
    pids: (vm) => [vm.pid],
  });
  pi.registerCommand('hello', {
    description: 'Greets',
    handler: async (args, ctx) => ctx.ui.notify(`Hello ${args || session.name} ${vm.id}`, 'success'),
  });
  pi.on('session_start', async (_event, ctx) => {
    const count = (await session.state.get<number>('count')) ?? 0;
    await session.state.set('count', count + 1);
    ctx.ui.setStatus('count', undefined);
  });
  pi.on('session_before_switch', async (event, ctx) => {
    const ok = await ctx.ui.confirm('VMs exist', `Leave ${event.from}?`);
    if (!ok) return { cancel: true };
    return undefined;
  });
  pi.on('user_bash', ({ command }) => ({ argv: ['ssh', vm.id, command] }), { mustDecide: true });
  pi.on('terminal_before_create', ({ argv }) => ({ argv: ['nice', ...argv] }));
  pi.registerTool<{ n: number }>({
    name: 'double',
    parameters: { type: 'object', properties: { n: { type: 'number' } } },
    async execute(_id, { n }, signal, onUpdate, ctx) {
      onUpdate('doubling');
      const { stdout } = await pi.exec('expr', [String(n), '*', '2'], { signal, cwd: ctx.cwd });
      return { content: [{ type: 'text', text: stdout }], details: { n } };
    },
  });
  const kept = await pi.exec('sleep', ['60'], { keep: true });
  const { exitCode } = await kept.wait();
  pi.events.on('done', (data) => console.log(data instanceof StaleError, exitCode));
  // @ts-expect-error: there is no such event.
  pi.on('session_begin', () => {});
  // @ts-expect-error: a switch is not routed.
  pi.on('session_before_switch', () => ({ argv: ['no'] }));
  // @ts-expect-error: there is nothing to decide.
  pi.on('session_switch', () => {}, { mustDecide: true });
}
