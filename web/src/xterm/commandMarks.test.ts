// With a real xterm.js: which rows are marked, and which command a person means.

import { Terminal } from '@xterm/xterm';
import { beforeEach, expect, test } from 'vitest';
import type { ShellCommand } from '../protocol/messages';
import { CommandMarks } from './commandMarks';

let terminal: Terminal;
let marks: CommandMarks;

beforeEach(() => {
  terminal = new Terminal({ rows: 5, cols: 20, scrollback: 20, allowProposedApi: true });
  marks = new CommandMarks(terminal, { pressed: () => {}, describe: ({ text }) => text ?? '' });
});

const write = (text: string) => new Promise<void>((resolve) => terminal.write(text, resolve));

function command(start: number, text: string, end: number | null = null, exitCode = 0): ShellCommand {
  const ended = end === null ? { end, exitCode: null } : { end, exitCode };
  return { text, directory: '/', start, ...ended, startedAt: null, endedAt: null };
}

async function run(start: number, text: string, output: string, exitCode = 0): Promise<void> {
  await write(`$ ${text}\r\n`);
  marks.marked(command(start, text), start);
  await write(output);
  marks.marked(command(start, text, start + 5, exitCode), start + 5);
}

const rows = () => marks.shown.map(({ command, at }) => [command?.text, at?.line]);

async function snapshot(text: string): Promise<void> {
  terminal.write('', () => marks.snapshotBegins());
  await write(`\x1bc${text}`);
  marks.snapshotEnds();
}

test('a command is in the row above its output', async () => {
  await run(10, 'ls', 'a\r\nb\r\n');
  await run(20, 'false', '', 1);
  expect(rows()).toEqual([
    ['ls', 0],
    ['false', 3],
  ]);
  expect(marks.current?.command).toEqual(command(20, 'false', 25, 1));
});

test('what a program prints marks nothing', async () => {
  await write('\x1b]133;C;start=7\x07evil\r\n\x1b]133;D;0;start=7\x07');
  expect(marks.lacksCommands).toBe(false);
  marks.know([command(7, 'evil', 9)]);
  expect(rows()).toEqual([]);
});

test('a snapshot brings its own marks, and what is not known of them is asked for', async () => {
  await run(10, 'old', 'x\r\n');
  await snapshot(
    '$ ls\r\n\x1b]133;C;start=10\x07a\r\n\x1b]133;D;0;start=10\x07$ top\r\n\x1b]133;C;start=20\x07',
  );
  expect(rows()).toEqual([]);
  expect(marks.lacksCommands).toBe(true);
  marks.know([command(10, 'ls', 15), command(20, 'top')]);
  expect(rows()).toEqual([
    ['ls', 0],
    ['top', 2],
  ]);
  await snapshot('$ ');
  expect(rows()).toEqual([]);
});

test('a mark that is told twice is one', async () => {
  await write('$ ls\r\n');
  marks.marked(command(10, 'ls'), 10);
  marks.marked(command(10, 'ls', 15), 10);
  expect(marks.current?.command?.end).toBe(null);
  await write('a\r\n');
  marks.marked(command(10, 'ls', 15), 15);
  marks.marked(command(10, 'ls', 15), 15);
  expect(rows()).toEqual([['ls', 0]]);
  expect(marks.current?.command?.end).toBe(15);
});

test('the command at the top is the one whose output is there', async () => {
  await run(10, 'seq', '1\r\n2\r\n3\r\n4\r\n5\r\n6\r\n7\r\n');
  await run(20, 'true', '');
  expect(marks.sticky?.command?.text).toBe('seq');
  terminal.scrollToTop();
  expect(marks.sticky).toBeUndefined();
  terminal.scrollLines(1);
  expect(marks.sticky?.command?.text).toBe('seq');
  expect(marks.current?.command?.text).toBe('seq');
});

test('output that scrolled out of reach still has its command, and erased output has none', async () => {
  await run(10, 'seq', Array.from({ length: 40 }, (_, at) => `${at}\r\n`).join(''));
  expect(marks.shown).toEqual([]);
  terminal.scrollToTop();
  expect(marks.sticky?.command?.text).toBe('seq');
  await write('$ clear\r\n');
  marks.marked(command(100, 'clear'), 100);
  await write('\x1b[H\x1b[2J\x1b[3J');
  terminal.scrollToTop();
  expect(marks.shown).toEqual([]);
});

test('nothing is left of what was there before a full reset, or went by long ago', async () => {
  await run(10, 'ls', 'a\r\n');
  await write('\x1bc');
  expect(rows()).toEqual([]);
  expect(marks.current).toBeUndefined();
  await run(20, 'ls', 'a\r\n');
  await run(30, 'seq', Array.from({ length: 40 }, (_, at) => `${at}\r\n`).join(''));
  await run(40, 'true', '');
  expect(marks.find(20)).toBeUndefined();
  expect(marks.find(30)).toBeDefined();
});

test('going from one to another, and to the end', async () => {
  await run(10, 'one', 'a\r\nb\r\nc\r\nd\r\ne\r\n');
  await run(20, 'two', 'f\r\n');
  expect(marks.go(-1)?.start).toBe(20);
  expect(marks.go(-1)?.start).toBe(10);
  expect(marks.go(-1)).toBeUndefined();
  expect(terminal.buffer.active.viewportY).toBe(0);
  expect(marks.chosen?.start).toBe(10);
  expect(marks.go(1)?.start).toBe(20);
  expect(marks.go(1)).toBeUndefined();
  expect(marks.chosen).toBeUndefined();
});

test('what a command printed is selected', async () => {
  await run(10, 'ls', 'a\r\nb\r\n');
  await run(20, 'true', '');
  const [ls, none] = marks.shown;
  expect(ls && marks.select(ls)).toBe(true);
  expect(none && marks.select(none)).toBe(false);
});
