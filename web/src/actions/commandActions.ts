// What can be done with a command that a shell ran.

import type { ShellCommand } from '../protocol/messages';
import { durationOf, saidDuration } from '../terminals/duration';
import { words } from '../words';
import { type Mark, resultOf } from '../xterm/commandMarks';
import type { ActionContext } from './perform';
import type { ShortcutAction } from './shortcuts';

/** Its line, how it ended, and how long it took. */
export function describeCommand(command: ShellCommand): string {
  return `${command.text ?? words.marks.unknown} · ${saidResult(command)}`;
}

export function saidResult(command: ShellCommand): string {
  const result = resultOf(command);
  const took = durationOf(command.startedAt, command.endedAt);
  const said = result === 'failed' ? words.marks.failed(command.exitCode ?? 0) : words.marks[result];
  return took === undefined ? said : `${said} · ${words.marks.took(saidDuration(took))}`;
}

/** `mark`: the command that is meant; by default the one that a person looks at. */
export function performCommand(
  action: ShortcutAction,
  context: ActionContext,
  terminalId: string,
  mark?: Mark,
): void {
  const { client, screenOf } = context;
  const commands = screenOf(terminalId)?.commands;
  if (!commands) return;
  if (action === 'previous_command') return void commands.go(-1);
  if (action === 'next_command') return void commands.go(1);
  const meant = mark ?? commands.current;
  if (!meant?.command) return client.toast('info', words.marks.none);
  if (action === 'select_output') {
    if (!commands.select(meant)) client.toast('info', words.marks.nothing);
  } else if (action === 'copy_output') void copyOutput(context, terminalId, meant);
  else if (action === 'save_output') void saveOutput(context, terminalId, meant);
  else if (action === 'run_command') void runAgain(context, terminalId, meant.command);
}

async function outputOf({ client }: ActionContext, terminalId: string, { start }: Mark): Promise<string> {
  const output = await client.commands.output(terminalId, start);
  if (!output) return '';
  if (output.missing > 0) client.toast('warning', words.marks.missing);
  else if (output.text === '') client.toast('info', words.marks.nothing);
  return output.text;
}

async function copyOutput(context: ActionContext, terminalId: string, mark: Mark): Promise<void> {
  const text = await outputOf(context, terminalId, mark);
  if (text !== '') await copyText(context, text);
}

export async function copyText({ client }: ActionContext, text: string): Promise<void> {
  try {
    // Pages served without TLS have no clipboard API.
    await navigator.clipboard.writeText(text);
    client.toast('info', words.marks.copied);
  } catch {
    client.toast('warning', words.marks.uncopied);
  }
}

async function saveOutput(context: ActionContext, terminalId: string, mark: Mark): Promise<void> {
  const text = await outputOf(context, terminalId, mark);
  if (text === '') return;
  const address = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  const link = Object.assign(document.createElement('a'), { href: address, download: fileName(mark) });
  link.click();
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

function fileName({ command }: Mark): string {
  const name = (command?.text ?? '')
    .replace(/[^\p{L}\p{N}._-]+/gu, '-')
    .replace(/^[-.]+|-+$/g, '')
    .slice(0, 40);
  return `${name || words.marks.file}.txt`;
}

async function runAgain({ client }: ActionContext, terminalId: string, command: ShellCommand): Promise<void> {
  const how = await client.runCommand(terminalId, command);
  if (how !== 'typed') client.toast('info', words.marks[how]);
}
