// Tools: checked, with progress, cancellable.

import { expect, test } from 'vitest';
import type { Daemon } from './daemon.ts';
import { startDaemon } from './start.ts';

async function open(code: string): Promise<Daemon> {
  const daemon = await startDaemon();
  daemon.write('one.ts', code);
  expect(await daemon.open('main', ['one.ts'])).toEqual([{ name: 'one', generation: 1, status: 'loaded' }]);
  return daemon;
}

const sum = `export default (pi) => pi.registerTool({
  name: "sum",
  description: "Adds",
  parameters: {
    type: "object", required: ["numbers"], additionalProperties: false,
    properties: { numbers: { type: "array", items: { type: "number" } }, how: { enum: ["fast", "slow"] } },
  },
  async execute(id, { numbers, how }, signal, onUpdate, ctx) {
    onUpdate("adding");
    onUpdate({ content: [{ type: "text", text: "still" }] });
    if (how === "slow") await new Promise((_, reject) => signal.addEventListener("abort", () => reject(new Error("stopped"))));
    const total = numbers.reduce((a, b) => a + b, 0);
    return numbers.length > 2 ? String(total) : { content: [{ type: "text", text: String(total) }], details: { id } };
  },
});`;

test('tools are checked, tell how far they are, and return', async () => {
  const daemon = await open(sum);
  expect(daemon.all('registered')[0].tools).toMatchObject([
    { name: 'sum', description: 'Adds', parameters: { required: ['numbers'] } },
  ]);
  expect(await daemon.tool('main', 'one', 'sum', { numbers: [1, 2, 3] })).toEqual({
    content: [{ type: 'text', text: '6' }],
  });
  expect(await daemon.tool('main', 'one', 'sum', { numbers: [1] }, 'call7')).toEqual({
    content: [{ type: 'text', text: '1' }],
    details: { id: 'call7' },
  });
  expect(daemon.all('progress', ({ call }) => call === 'call7').map(({ text }) => text)).toEqual([
    'adding',
    'still',
  ]);
});

test.each([
  [{}, "must have required property 'numbers'"],
  [{ numbers: ['x'] }, 'numbers.0 must be number'],
  [{ numbers: [], how: 'odd' }, 'how must be equal to one of the allowed values: fast, slow'],
  [{ numbers: [], more: 1 }, 'must NOT have additional properties: more'],
])('tool parameters that do not fit are refused: %j', async (input, reason) => {
  const daemon = await open(sum);
  const refused = daemon.tool('main', 'one', 'sum', input);
  await expect(refused).rejects.toMatchObject({ code: -32602, message: `tool sum: ${reason}` });
});

test('a tool whose parameters are no schema is refused when it is registered', async () => {
  const daemon = await startDaemon();
  daemon.write('one.ts', sum.replace('"object"', '"thing"'));
  const [outcome] = await daemon.open('main', ['one.ts']);
  expect(outcome).toMatchObject({
    status: 'failed',
    error: { message: expect.stringContaining('not a valid JSON Schema') },
  });
});

test('tools and commands can be cancelled', async () => {
  const daemon = await open(`${sum.replace('export default (pi) =>', 'const tool = (pi) =>')}
    export default (pi) => { tool(pi); pi.registerCommand("wait", { handler: (_args, { signal, ui }) => {
      ui.notify("waiting");
      return new Promise((resolve) => signal.addEventListener("abort", () => resolve("cancelled")));
    } }); };`);
  const tool = daemon.tool('main', 'one', 'sum', { numbers: [1], how: 'slow' }, 't');
  await daemon.wait('progress', ({ call }) => call === 't');
  daemon.notify('cancel', { call: 't' });
  await expect(tool).rejects.toMatchObject({ code: -32000, message: 'stopped' });
  const command = daemon.command('main', 'one', 'wait', '', { call: 'w' });
  await daemon.wait('ui.notify');
  daemon.notify('cancel', { call: 'w' });
  expect(await command).toBe('cancelled');
});
