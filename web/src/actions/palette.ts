// What the command bar finds besides extensions' commands: terminals, sessions, settings, actions.

import type { TerminalInfo } from '../protocol/messages';
import type { TerminalsClient } from '../terminals/client';
import { mayCreate } from '../terminals/scope';
import { labelOf } from '../terminals/state';
import { words } from '../words';
import { type PageActionsContext, pageActions } from './pageActions';
import type { Layer } from './perform';
import { settingLabel, settingNames } from './settingNames';

export type Kind = 'terminal' | 'session' | 'command' | 'setting' | 'action';

export interface Entry {
  id: string;
  kind: Kind;
  label: string;
  hint?: string | undefined;
  keys?: string | undefined;
  run(): void;
}

export interface PaletteContext extends PageActionsContext {
  client: TerminalsClient;
  setLayer(layer: Layer): void;
  newTerminal(profile?: string): void;
}

/** Terminals of other sessions have the names that they have there. */
export function elsewhere(
  all: readonly TerminalInfo[],
  shown: string,
): { info: TerminalInfo; label: string }[] {
  const places = new Map<string, number>();
  return [...all]
    .sort((a, b) => a.order - b.order)
    .map((info) => {
      const place = (places.get(info.session) ?? 0) + 1;
      places.set(info.session, place);
      return { info, label: info.name || info.title || words.tabs.automatic(place) };
    })
    .filter(({ info }) => info.session !== shown);
}

function terminals({ client }: PaletteContext, all: readonly TerminalInfo[]): Entry[] {
  const { tabs, active, session } = client.state;
  const here = tabs
    .filter(({ terminalId }) => terminalId !== active)
    .map(
      (tab): Entry => ({
        id: `terminal ${tab.terminalId}`,
        kind: 'terminal',
        label: labelOf(tab),
        hint: tab.workingDirectory,
        run: () => client.activate(tab.terminalId),
      }),
    );
  const others = elsewhere(all, session).map(
    ({ info, label }): Entry => ({
      id: `terminal ${info.terminalId}`,
      kind: 'terminal',
      label,
      hint: [words.palette.inSession(info.session), info.workingDirectory].filter(Boolean).join(' · '),
      run: () => void client.goTo(info.session, info.terminalId),
    }),
  );
  return [...here, ...others];
}

function sessions({ client }: PaletteContext): Entry[] {
  return client.state.sessions
    .filter(({ name }) => name !== client.state.session)
    .map(({ name, terminals, kind }) => ({
      id: `session ${name}`,
      kind: 'session',
      label: name,
      hint: words.sessions.hint(terminals, kind === 'background'),
      run: () => void client.switchSession(name),
    }));
}

function settings({ setLayer }: PaletteContext): Entry[] {
  return settingNames.map((name) => ({
    id: `setting ${name}`,
    kind: 'setting',
    label: settingLabel(name),
    run: () => setLayer(`settings ${name}`),
  }));
}

function profiles({ client, preferences, newTerminal }: PaletteContext): Entry[] {
  if (!mayCreate(client.state.scope)) return [];
  return preferences.profiles.map(({ name }) => ({
    id: `profile ${name}`,
    kind: 'action',
    label: words.menu.withProfile(name),
    run: () => newTerminal(name),
  }));
}

/** `all`: the terminals of all sessions, once they are known. */
export function paletteEntries(context: PaletteContext, all: readonly TerminalInfo[]): Entry[] {
  return [
    ...pageActions(context),
    ...profiles(context),
    ...terminals(context, all),
    ...sessions(context),
    ...settings(context),
  ];
}
