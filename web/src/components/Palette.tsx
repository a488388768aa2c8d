// The command bar with everything that it finds. The other sessions and their terminals are asked for
// when it opens.

import { useEffect, useState } from 'react';
import { type PaletteContext, paletteEntries } from '../actions/palette';
import type { TerminalInfo } from '../protocol/messages';
import type { State } from '../terminals/state';
import { CommandBar } from './CommandBar';

interface Props {
  context: PaletteContext;
  state: State;
  onClose(): void;
}

export function Palette({ context, state, onClose }: Props) {
  const { client } = context;
  const [all, setAll] = useState<TerminalInfo[]>([]);
  useEffect(() => {
    let isOpen = true;
    void client.sessions.list();
    void client.allTerminals().then((found) => {
      if (isOpen) setAll(found);
    });
    return () => {
      isOpen = false;
    };
  }, [client]);
  return (
    <CommandBar
      commands={state.commands}
      runs={state.runs}
      entries={paletteEntries(context, all)}
      onRun={(line) => void client.extensions.run(line)}
      onClose={onClose}
    />
  );
}
