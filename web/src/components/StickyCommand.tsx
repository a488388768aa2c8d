// The command whose output is read, at the top of the terminal while the command itself is above it.

import { useSyncExternalStore } from 'react';
import { describeCommand, saidResult } from '../actions/commandActions';
import { words } from '../words';
import { type CommandMarks, resultOf } from '../xterm/commandMarks';
import './StickyCommand.css';

interface Props {
  commands: CommandMarks;
  /** Of a row, in pixels. */
  rowHeight: number | undefined;
}

/** As in TerminalView.css. */
const above = 4;

export function StickyCommand({ commands, rowHeight }: Props) {
  const start = useSyncExternalStore(commands.subscribe, () => commands.sticky?.start);
  const chosen = useSyncExternalStore(commands.subscribe, () => commands.chosen?.command);
  const mark = start === undefined ? undefined : commands.find(start);
  const command = mark?.command;
  return (
    <>
      <span className="hf-hidden" role="status">
        {chosen && words.marks.selected(describeCommand(chosen))}
      </span>
      {mark && command && (
        <button
          type="button"
          className={`hf-sticky hf-sticky--${resultOf(command)}`}
          // It covers one row, and no part of another.
          style={rowHeight === undefined ? {} : { height: above + rowHeight }}
          title={`${words.marks.shown}: ${describeCommand(command)}`}
          // The terminal keeps the focus.
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => commands.reveal(mark)}
        >
          <code>{(command.text ?? words.marks.unknown).split('\n', 1)[0]}</code>
          <span>{saidResult(command)}</span>
        </button>
      )}
    </>
  );
}
