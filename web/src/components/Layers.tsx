// What opens on top of the terminals: the command bar, the sessions, the help and all questions.

import { useCallback } from 'react';
import type { PaletteContext } from '../actions/palette';
import type { Layer } from '../actions/perform';
import type { FoundLine } from '../protocol/messages';
import type { TerminalsClient } from '../terminals/client';
import type { Find } from '../terminals/find';
import type { State } from '../terminals/state';
import { words } from '../words';
import type { Colours } from '../xterm/themes';
import { Confirm } from './Confirm';
import { LazySettings } from './LazySettings';
import { later } from './later';
import { Palette } from './Palette';
import { useKeysFor } from './usePreferences';

const FindEverywhere = later(async () => (await import('./FindEverywhere')).FindEverywhere);
const Help = later(async () => (await import('./Help')).Help);
const NoticeList = later(async () => (await import('./NoticeList')).NoticeList);
const Overview = later(async () => (await import('./overview/Overview')).Overview);
const Question = later(async () => (await import('./Question')).Question);
const SessionSwitcher = later(async () => (await import('./SessionSwitcher')).SessionSwitcher);

/** The page asks before it pastes a text or follows a link. */
export interface OwnQuestion {
  about: 'paste' | 'link';
  text: string;
  /** Of a paste: the program would act on each line. */
  isRisky?: boolean;
  answer(isWanted: boolean): void;
}

interface Props {
  client: TerminalsClient;
  state: State;
  layer: Layer;
  palette: PaletteContext;
  asking: OwnQuestion | null;
  /** What was looked for in all terminals last. */
  find: Find;
  onFind(find: Find): void;
  onGo(line: FoundLine): void;
  /** Of the terminals. */
  colours: Colours;
  onClose(): void;
  /** A question was answered; the focus returns to the terminal. */
  onAnswered(): void;
}

export function Layers(props: Props) {
  const { client, state, layer, palette, asking, colours, onClose, onAnswered } = props;
  const keysFor = useKeysFor();
  const { closing } = state;
  const question = state.questions[0];
  const closeCommands = useCallback(() => {
    client.extensions.dismissRuns();
    onClose();
  }, [client, onClose]);
  return (
    <>
      {layer === 'commands' && <Palette context={palette} state={state} onClose={closeCommands} />}
      {layer === 'sessions' && <SessionSwitcher client={client} state={state} onClose={onClose} />}
      {layer === 'search all' && (
        <FindEverywhere
          client={client}
          initial={props.find}
          onFind={props.onFind}
          onGo={props.onGo}
          onClose={onClose}
        />
      )}
      {layer === 'notices' && <NoticeList client={client} state={state} onClose={onClose} />}
      {layer === 'overview' && <Overview client={client} state={state} colours={colours} onClose={onClose} />}
      {layer === 'help' && <Help onChange={() => palette.setLayer('settings keys')} onClose={onClose} />}
      {layer.startsWith('settings') && <LazySettings layer={layer} onClose={onClose} />}
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
          title={words.paste.title(asking.text.trimEnd().split(/\r\n|\r|\n/).length, asking.isRisky === true)}
          text={asking.isRisky ? words.paste.text : words.paste.harmlessText}
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
