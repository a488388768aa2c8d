// The preferences as the page reads them: the user's, which the daemon keeps, and this device's. What
// the user never chose is as this browser has it.

import type { Keeper } from '../terminals/preferences';
import { fieldNames, ofTheDevice, type Preferences, parseField, parsePreferences } from './preferences';

type Name = keyof Preferences;

export class Settings {
  private readonly user: Keeper;
  private readonly device: Keeper;
  private readonly listeners = new Set<() => void>();
  private preferences: Preferences;

  constructor(user: Keeper, device: Keeper) {
    this.user = user;
    this.device = device;
    this.preferences = parsePreferences((name) => this.stored(name));
    for (const keeper of new Set([user, device]))
      for (const name of fieldNames) keeper.subscribe(name, () => this.changed(name));
  }

  readonly get = (): Preferences => this.preferences;

  readonly change = (part: Partial<Preferences>): void => {
    for (const name of fieldNames) if (part[name] !== undefined) this.keeperOf(name).set(name, part[name]);
  };

  /** Changes what is kept, also what another window changes meanwhile. */
  readonly update = <N extends Name>(name: N, change: (old: Preferences[N]) => Preferences[N]): void => {
    this.keeperOf(name).update(name, (kept) => change(parseField(name, kept)));
  };

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  private changed(name: Name): void {
    this.preferences = { ...this.preferences, [name]: parseField(name, this.stored(name)) };
    for (const listener of [...this.listeners]) listener();
  }

  private stored(name: string): unknown {
    return this.keeperOf(name).get(name) ?? this.device.get(name);
  }

  private keeperOf(name: string): Keeper {
    return ofTheDevice.some((each) => each === name) ? this.device : this.user;
  }
}
