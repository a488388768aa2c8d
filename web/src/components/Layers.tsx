// What opens on top of the terminals: the command bar, the sessions, the help and all questions.

import { useCallback } from 'react';
import type { PageAction } from '../actions/pageActions';
import type { Layer } from '../actions/perform';
import { keysFor } from '../actions/shortcuts';
import type { TerminalsClient } from '../terminals/client';
import type { State } from '../terminals/state';
import { words } from '../words';
import { CommandBar } from './CommandBar';
import { Confirm } from './Confirm';
import { Help } from './Help';
import { Question } from './Question';
import { SessionSwitcher } from './SessionSwitcher';

/** The page asks before it pastes a text or follows a link. */
export interface OwnQuestion {
  about: 'paste' | 'link';
  text: string;
  answer(isWanted: boolean): void;
}

interface Props {
  client: TerminalsClient;
  state: State;
  layer: Layer;
  actions(): PageAction[];
  asking: OwnQuestion | null;
  commandKeys: string;
  onCommandKeys(keys: string): void;
  onClose(): void;
  /** A question was answered; the focus returns to the terminal. */
  onAnswered(): void;
}

export function Layers(props: Props) {
  const { client, state, layer, actions, asking, commandKeys, onCommandKeys, onClose, onAnswered } = props;
  const { closing } = state;
  const question = state.questions[0];
  const closeCommands = useCallback(() => {
    client.extensions.dismissRuns();
    onClose();
  }, [client, onClose]);
  return (
    <>
      {layer === 'commands' && (
        <CommandBar
          commands={state.commands}
          runs={state.runs}
          actions={actions()}
          onRun={(line) => void client.extensions.run(line)}
          onClose={closeCommands}
        />
      )}
      {layer === 'sessions' && <SessionSwitcher client={client} state={state} onClose={onClose} />}
      {layer === 'help' && <Help commandKeys={commandKeys} onCommandKeys={onCommandKeys} onClose={onClose} />}
      {question && (
        <Question
          key={question.id}
          question={question}
          more={state.questions.length - 1}
          keys={keysFor('focus_below')}
          onAnswer={(value) => {
            client.extensions.answer(question.id, value);
            onAnswered();
          }}
        />
      )}
      {closing && (
        <Confirm
          title={words.closing.title}
          text={words.closing.text(closing.process)}
          yes={words.close}
          onYes={() => void client.confirmClose(closing.terminalId).then(onAnswered)}
          onNo={() => {
            client.cancelClose();
            onAnswered();
          }}
        />
      )}
      {asking?.about === 'paste' && (
        <Confirm
          title={words.paste.title(asking.text.trimEnd().split(/\r\n|\r|\n/).length)}
          text={words.paste.text}
          code={asking.text}
          yes={words.paste.yes}
          onYes={() => asking.answer(true)}
          onNo={() => asking.answer(false)}
        />
      )}
      {asking?.about === 'link' && (
        <Confirm
          title={words.link.title}
          text={words.link.text}
          code={asking.text}
          yes={words.link.yes}
          onYes={() => asking.answer(true)}
          onNo={() => asking.answer(false)}
        />
      )}
    </>
  );
}
