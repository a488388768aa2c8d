// The command bar. `/command` runs an extension's command, `! command` runs in the session's
// shell, and anything else searches everything that there is, in one list.

import { useEffect, useState } from 'react';
import type { Entry } from '../actions/palette';
import { ranked } from '../actions/rank';
import { addLine, loadHistory, saveHistory } from '../browser/lineHistory';
import type { CommandInfo } from '../protocol/messages';
import type { Run } from '../terminals/state';
import { words } from '../words';
import { Picker, type PickerItem } from './Picker';
import { Runs } from './Runs';

interface Props {
  commands: CommandInfo[];
  /** What there is besides extensions' commands. */
  entries: Entry[];
  /** Lines that are running, or whose result is too long for a notice. */
  runs: Run[];
  onRun(line: string): void;
  onClose(): void;
}

/** More than anybody reads. */
const mostFound = 50;

export function CommandBar({ commands, entries, runs, onRun, onClose }: Props) {
  const [history, setHistory] = useState(loadHistory);
  const [isWaiting, setWaiting] = useState(false);
  const [line, setLine] = useState('');
  const [back, setBack] = useState(0);

  const showsRuns = line === '' && runs.length > 0;

  // A notice has shown the result.
  useEffect(() => {
    if (isWaiting && runs.length === 0) onClose();
  }, [isWaiting, runs.length, onClose]);

  function run(text: string): void {
    const lines = addLine(history, text.trim());
    saveHistory(lines);
    setHistory(lines);
    setBack(0);
    setLine('');
    setWaiting(true);
    onRun(text.trim());
  }

  function items(): PickerItem[] {
    if (line.startsWith('!')) {
      const command = line.slice(1).trim();
      if (command === '') return [];
      return [{ id: '!', label: words.commands.runHere(command), completion: line, choose: () => run(line) }];
    }
    if (line.startsWith('/')) return commandItems(line);
    return ranked(line, [...entries, ...commandEntries()])
      .slice(0, mostFound)
      .map(({ id, kind, label, hint, keys, run: choose }) => ({
        id,
        label,
        kind: words.palette[kind],
        ...(hint === undefined ? {} : { hint }),
        ...(keys === undefined ? {} : { keys }),
        choose() {
          if (kind !== 'command') onClose();
          choose();
        },
      }));
  }

  function commandEntries(): Entry[] {
    return commands.map(({ name, extension, description }) => ({
      id: `command ${extension}/${name}`,
      kind: 'command',
      label: `/${name}`,
      hint: description ?? extension,
      run: () => run(`/${name}`),
    }));
  }

  function commandItems(typed: string): PickerItem[] {
    const word = typed.slice(1).split(' ')[0] ?? '';
    const hasArguments = typed.includes(' ');
    return commands
      .filter(({ name }) => (hasArguments ? name === word : name.startsWith(word)))
      .map(({ name, extension, description }) => ({
        id: `${extension}/${name}`,
        label: `/${name}`,
        hint: description ?? extension,
        completion: hasArguments ? typed : `/${name} `,
        choose: () => run(hasArguments ? typed : `/${name}`),
      }));
  }

  return (
    <Picker
      label={words.commands.label}
      placeholder={words.commands.placeholder}
      line={line}
      items={showsRuns ? [] : items()}
      nothing={line !== '' && !/^[/!]/.test(line) ? words.palette.none : undefined}
      panel={showsRuns && <Runs runs={runs} />}
      footer={words.commands.hints.map((hint) => <span key={hint}>{hint}</span>)}
      onLine={setLine}
      onSubmit={() => {
        if (/^(\/|!)\s*\S/.test(line)) run(line);
      }}
      onClose={onClose}
      onHistory={() => {
        const earlier = history[history.length - 1 - back];
        if (earlier === undefined) return;
        setBack(back + 1);
        setLine(earlier);
      }}
    />
  );
}
