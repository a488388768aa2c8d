import { Terminal } from '@xterm/xterm';
import { expect, test } from 'vitest';
import { catchFailures } from './failures';
import { keepQuiet } from './quiet';
import { unfinishedBytes, WholeCharacters } from './utf8';

async function sentFor(output: string): Promise<string[]> {
  const terminal = new Terminal({ allowProposedApi: true });
  const isWanted = keepQuiet(terminal);
  const sent: string[] = [];
  terminal.onData((data) => {
    if (isWanted(data)) sent.push(data);
  });
  await new Promise<void>((resolve) => terminal.write(output, resolve));
  return sent;
}

test('no query is answered: the daemon does that', async () => {
  const queries = [
    '\x1b[c',
    '\x1b[>c',
    '\x1b[=c',
    '\x1b[5n',
    '\x1b[6n',
    '\x1b[?6n',
    '\x1b[?25$p',
    '\x1b[4$p',
    '\x1b[>q',
    '\x1b]10;?\x07',
    '\x1b]11;?\x07',
    '\x1b]4;1;?\x07',
    '\x1bP$qm\x1b\\',
    '\x1bP+q544e\x1b\\',
    '\x1b[14t',
    '\x1b[18t',
  ];
  for (const query of queries) expect(await sentFor(query), JSON.stringify(query)).toEqual([]);
});

test('switching focus reports on sends none, as nobody moved the focus', async () => {
  expect(await sentFor('\x1b[?1004h')).toEqual([]);
  expect(await sentFor('\x1b[?25h\x1b[?1004;2004h')).toEqual([]);
});

test('what is typed is sent, also with focus reports on', async () => {
  const terminal = new Terminal({ allowProposedApi: true });
  const isWanted = keepQuiet(terminal);
  const sent: string[] = [];
  terminal.onData((data) => {
    if (isWanted(data)) sent.push(data);
  });
  await new Promise<void>((resolve) => terminal.write('\x1b[?1004h', resolve));
  await Promise.resolve();
  terminal.input('ls\r');
  terminal.input('\x1b[I');
  expect(sent).toEqual(['ls\r', '\x1b[I']);
});

test('characters are never cut in two', () => {
  const text = 'a\u00e9\u20ac😀日本';
  const bytes = new TextEncoder().encode(text);
  for (let cut = 0; cut <= bytes.length; ++cut) {
    const characters = new WholeCharacters();
    const parts = [characters.take(bytes.subarray(0, cut)), characters.take(bytes.subarray(cut))];
    const decoded = parts.map((part) => new TextDecoder('utf-8', { fatal: true }).decode(part));
    expect(decoded.join('')).toBe(text);
  }
});

test('bytes that are no UTF-8 are not held back for ever', () => {
  expect(unfinishedBytes(Uint8Array.of(0x80, 0x80, 0x80, 0x80))).toBe(0);
  expect(unfinishedBytes(Uint8Array.of(0xff))).toBe(1);
  const characters = new WholeCharacters();
  characters.take(Uint8Array.of(0xff));
  expect([...characters.take(Uint8Array.of(0x61))]).toEqual([0xff, 0x61]);
});

// Without this, neither these nor later writes would ever complete.
test('an exception of xterm.js is told, and does not stop it', async () => {
  const terminal = new Terminal({ allowProposedApi: true });
  const failures: unknown[] = [];
  catchFailures(terminal, (error) => failures.push(error));
  await new Promise<void>((resolve) => terminal.write('\x1b[999;999H\x1b[1J lost', resolve));
  expect(failures).toHaveLength(1);
  await new Promise<void>((resolve) => terminal.write('\x1bcshown', resolve));
  expect(terminal.buffer.active.getLine(0)?.translateToString(true)).toBe('shown');
});
