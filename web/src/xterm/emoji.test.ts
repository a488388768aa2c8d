import { Unicode11Addon } from '@xterm/addon-unicode11';
import { Terminal } from '@xterm/xterm';
import { expect, test } from 'vitest';
import { Emoji, hasJoiner, joinedEmoji } from './emoji';

const family = '👨‍👩‍👧';

test('joined emoji are one piece, others are not touched', () => {
  expect(joinedEmoji(`a ${family} b`)).toEqual([[2, 2 + family.length]]);
  expect(joinedEmoji('👩🏽‍🚀❤️‍🔥').length).toBe(2);
  expect(joinedEmoji(`${family}${family}`)).toEqual([
    [0, family.length],
    [family.length, 2 * family.length],
  ]);
  for (const plain of ['👨👩👧', '👨 ‍👩', 'क्‍ष', '1‍2', '']) expect(joinedEmoji(plain), plain).toEqual([]);
});

test('it begins with the first joiner', () => {
  const bytes = (text: string) => new TextEncoder().encode(text);
  expect(hasJoiner(bytes(`x${family}`))).toBe(true);
  expect(hasJoiner(bytes('👨👩 … “x” é 占'))).toBe(false);
  expect(hasJoiner(new Uint8Array([0x8d, 0x80, 0x8d]))).toBe(false);
  expect(hasJoiner(new Uint8Array())).toBe(false);
});

test('the cells stay those that the daemon counts', async () => {
  const terminal = new Terminal({ allowProposedApi: true, cols: 20, rows: 2 });
  terminal.loadAddon(new Unicode11Addon());
  terminal.unicode.activeVersion = '11';
  const width = () =>
    new Promise<number>((done) => terminal.write(`\r${family}`, () => done(terminal.buffer.active.cursorX)));
  const emoji = new Emoji(terminal);
  emoji.look(new TextEncoder().encode(family));
  const before = await width();
  terminal.open(document.body.appendChild(document.createElement('div')));
  emoji.join();
  expect([before, await width()]).toEqual([6, 6]);
});
