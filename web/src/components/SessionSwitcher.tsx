// The user's sessions: switch to one, create one, rename or close the current one.

import { useEffect, useState } from 'react';
import type { TerminalsClient } from '../terminals/client';
import type { State } from '../terminals/state';
import { words } from '../words';
import { Confirm } from './Confirm';
import { Picker, type PickerItem } from './Picker';

interface Props {
  client: TerminalsClient;
  state: State;
  onClose(): void;
}

export function SessionSwitcher({ client, state, onClose }: Props) {
  const [line, setLine] = useState('');
  const [closing, setClosing] = useState(false);
  const { session, sessions, sessionsSupported } = state;
  useEffect(() => void client.sessions.list(), [client]);

  if (closing)
    return (
      <Confirm
        title={words.sessions.closeTitle(session)}
        text={words.sessions.closeText}
        yes={words.sessions.closeYes}
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
      label: each.name === session ? words.sessions.current(each.name) : each.name,
      hint: words.sessions.hint(each.terminals, each.kind === 'background'),
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
        label: words.sessions.create(name),
        completion: line,
        choose() {
          onClose();
          void client.sessions.create(name);
        },
      },
      {
        id: 'rename',
        label: words.sessions.rename(session, name),
        completion: line,
        choose() {
          onClose();
          void client.sessions.rename(session, name);
        },
      },
    );
  if (sessionsSupported && name === '' && sessions.length > 0)
    items.push({ id: 'close', label: words.sessions.close(session), choose: () => setClosing(true) });

  return (
    <Picker
      label={words.sessions.label}
      placeholder={words.sessions.placeholder}
      line={line}
      items={items}
      footer={<span>{sessionsSupported ? words.sessions.footer : words.sessions.only(session)}</span>}
      onLine={setLine}
      onSubmit={() => {}}
      onClose={onClose}
    />
  );
}
