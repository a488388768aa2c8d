// The user's sessions: switch to one, create one, rename or close the current one.

import { useEffect, useState } from 'react';
import type { TerminalsClient } from '../terminals/client';
import type { State } from '../terminals/state';
import { Picker, type PickerItem } from './Picker';
import { Confirm } from './Questions';

interface Props {
  client: TerminalsClient;
  state: State;
  onClose(): void;
}

function terminalsHint(count: number, kind: string): string {
  const terminals = count === 1 ? '1 terminal' : `${count} terminals`;
  return kind === 'background' ? `${terminals} · background` : terminals;
}

export function SessionSwitcher({ client, state, onClose }: Props) {
  const [line, setLine] = useState('');
  const [closing, setClosing] = useState(false);
  const { session, sessions, sessionsSupported } = state;
  useEffect(() => void client.sessions.list(), [client]);

  if (closing)
    return (
      <Confirm
        title={`Close session ${session}?`}
        text="This closes its terminals and ends the programs running in them."
        yes="Close session"
        onYes={() => {
          onClose();
          void client.sessions.close(session);
        }}
        onNo={onClose}
      />
    );

  const name = line.trim();
  const items: PickerItem[] = sessions
    .filter((each) => each.name.toLowerCase().includes(name.toLowerCase()))
    .map((each) => ({
      id: `switch ${each.name}`,
      label: each.name === session ? `${each.name} (current)` : each.name,
      hint: terminalsHint(each.terminals, each.kind),
      completion: each.name,
      choose() {
        onClose();
        void client.switchSession(each.name);
      },
    }));
  if (sessionsSupported && name !== '' && !sessions.some((each) => each.name === name))
    items.push(
      {
        id: 'new',
        label: `New session: ${name}`,
        completion: line,
        choose() {
          onClose();
          void client.sessions.create(name);
        },
      },
      {
        id: 'rename',
        label: `Rename ${session} to ${name}`,
        completion: line,
        choose() {
          onClose();
          void client.sessions.rename(session, name);
        },
      },
    );
  if (sessionsSupported && name === '' && sessions.length > 0)
    items.push({ id: 'close', label: `Close session ${session}…`, choose: () => setClosing(true) });

  return (
    <Picker
      label="Sessions"
      placeholder="Session name"
      line={line}
      items={items}
      footer={
        sessionsSupported ? (
          <span>Type a new name to create or rename a session.</span>
        ) : (
          <span>This daemon has only the session {session}.</span>
        )
      }
      onLine={setLine}
      onSubmit={() => {}}
      onClose={onClose}
    />
  );
}
