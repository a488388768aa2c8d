// New terminals with their profiles.

import { useEffect } from 'react';
import { addProfileOf, fromProfile } from '../settings/profiles';
import type { Settings } from '../settings/settings';
import type { TerminalsClient } from '../terminals/client';
import { usePreferences } from './usePreferences';

/** Opens a terminal with the named profile; without a name, with the one that new terminals have. */
export function useProfiles(client: TerminalsClient, settings: Settings): (profile?: string) => void {
  const [{ profiles, profile: usual }] = usePreferences(settings);
  const fromOf = (name: string) => {
    const found = profiles.find((each) => each.name === name);
    return found && fromProfile(found);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: these two decide it.
  useEffect(() => {
    client.setUsual(fromOf(usual) ?? {}, (terminalId, profile) =>
      settings.update('profileOf', (known) => addProfileOf(known, terminalId, profile)),
    );
  }, [client, profiles, usual, settings]);
  return (name) => void client.newTerminal(name === undefined ? undefined : fromOf(name));
}
