import { expect, test } from 'vitest';
import { Daemon } from './daemon.ts';

test('the example of the documentation greets', async () => {
  const daemon = await Daemon.start();
  daemon.write(
    'greeter.ts',
    `import type { ExtensionAPI, SessionContext } from "@holdfast/extension";

export default function (pi: ExtensionAPI, session: SessionContext) {
  pi.registerCommand("hello", {
    description: "Greets",
    handler: async (args, ctx) => ctx.ui.notify(\`Hello \${args || session.name}\`, "success"),
  });
}
`,
  );
  const t0 = performance.now();
  expect(await daemon.open('main', ['greeter.ts'])).toEqual([
    { name: 'greeter', generation: 1, status: 'loaded' },
  ]);
  console.log('open', performance.now() - t0);
  for (let i = 0; i < 3; i++) {
    const t = performance.now();
    expect(await daemon.reload('main', ['greeter.ts'])).toMatchObject([{ status: 'loaded' }]);
    console.log('reload', performance.now() - t);
  }
  const t1 = performance.now();
  await daemon.open('other', ['greeter.ts']);
  console.log('open 2', performance.now() - t1);
  await daemon.command('main', 'greeter', 'hello', 'you');
  expect(await daemon.wait('ui.notify')).toMatchObject({ text: 'Hello you', level: 'success', call: 'c' });
  expect(daemon.all('registered')[0]).toEqual({
    session: 'main',
    extension: 'greeter',
    generation: 1,
    commands: [{ name: 'hello', description: 'Greets' }],
    tools: [],
    events: [],
  });
});
