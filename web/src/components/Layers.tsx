// What opens on top of the terminals: the command bar, the sessions, the help and all questions.

import { useCallback } from 'react';
import type { PageAction } from '../actions/pageActions';
import type { Layer } from '../actions/perform';
import type { TerminalsClient } from '../terminals/client';
import type { State } from '../terminals/state';
import { CommandBar } from './CommandBar';
import { Help } from './Help';
import { Confirm, Question } from './Questions';
import { SessionSwitcher } from './SessionSwitcher';

export interface PasteQuestion {
  text: string;
  answer(isWanted: boolean): void;
}

interface Props {
  client: TerminalsClient;
  state: State;
  layer: Layer;
  actions(): PageAction[];
  pasting: PasteQuestion | null;
  onClose(): void;
  /** A question was answered; the focus returns to the terminal. */
  onAnswered(): void;
}

export function Layers({ client, state, layer, actions, pasting, onClose, onAnswered }: Props) {
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
      {layer === 'help' && <Help onClose={onClose} />}
      {question && (
        <Question
          key={question.id}
          question={question}
          onAnswer={(value) => {
            client.extensions.answer(question.id, value);
            onAnswered();
          }}
        />
      )}
      {closing && (
        <Confirm
          title="Close this terminal?"
          text={`${closing.process} is still running. Closing the terminal ends it.`}
          yes="Close"
          onYes={() => void client.confirmClose(closing.terminalId).then(onAnswered)}
          onNo={() => {
            client.cancelClose();
            onAnswered();
          }}
        />
      )}
      {pasting && (
        <Confirm
          title={`Paste ${pasting.text.trimEnd().split(/\r\n|\r|\n/).length} lines?`}
          text="This program reads each line as soon as it is pasted. A shell runs them right away."
          code={pasting.text}
          yes="Paste"
          onYes={() => pasting.answer(true)}
          onNo={() => pasting.answer(false)}
        />
      )}
    </>
  );
}
