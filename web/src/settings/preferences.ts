// Everything that a person can choose. Each field is stored by itself, and read with suspicion: it may
// come from another version, so what makes no sense here falls back to what is usual, field by field.

import { defaultExtraKeys, type PhoneKey, phoneKeys } from '../actions/extraKeys';
import { type ChosenKeys, parseKeys } from '../actions/shortcuts';
import type { PasteRule } from '../xterm/paste';
import { mostProfiles, type Profile, type ProfileOf, parseProfile, parseProfileOf } from './profiles';
import { mostSchemes, parseScheme, type Scheme } from './schemes';

export const themeChoices = ['system', 'light', 'dark', 'contrast'] as const;
export const cursorStyles = ['block', 'bar', 'underline'] as const;
export const bells = ['visual', 'sound', 'both', 'none'] as const;
export const pasteRules: readonly PasteRule[] = ['risky', 'unbracketed', 'always'];

export const notifyRules = ['all', 'waiting', 'none'] as const;

export type NotifyRule = (typeof notifyRules)[number];
export type ThemeChoice = (typeof themeChoices)[number];
export type CursorStyle = (typeof cursorStyles)[number];
export type Bell = (typeof bells)[number];

export interface Preferences {
  theme: ThemeChoice;
  /** The imported scheme that the terminals have; empty: the theme's colours. */
  scheme: string;
  schemes: Scheme[];
  /** Empty: the standard one. */
  fontFamily: string;
  fontSize: number;
  lineHeight: number;
  cursorStyle: CursorStyle;
  cursorBlink: boolean;
  scrollback: number;
  keys: ChosenKeys;
  bell: Bell;
  paste: PasteRule;
  /** What is told of terminals that have no rule of their own. */
  notify: NotifyRule;
  /** How many seconds a command has to run before its end is told. */
  notifyAfter: number;
  profiles: Profile[];
  /** The one that new terminals have; empty: none. */
  profile: string;
  profileOf: ProfileOf;
  extraKeys: PhoneKey[];
  screenReader: boolean;
}

/** What is right on one device is wrong on the next, so these stay in the browser. */
export const ofTheDevice: readonly (keyof Preferences)[] = ['fontSize', 'screenReader'];

interface Field<T> {
  usual: T;
  parse(value: unknown): T | undefined;
}

export const limits = {
  fontSize: [8, 32],
  lineHeight: [1, 2],
  scrollback: [0, 100_000],
  // The daemon tells of nothing that ends sooner.
  notifyAfter: [5, 3600],
} as const;

function oneOf<T extends string>(choices: readonly T[], usual: T): Field<T> {
  return { usual, parse: (value) => choices.find((each) => each === value) };
}

function flag(usual: boolean): Field<boolean> {
  return { usual, parse: (value) => (typeof value === 'boolean' ? value : undefined) };
}

/** A number beyond its limits is brought back within them. */
function numberIn([least, most]: readonly [number, number], usual: number, step = 1): Field<number> {
  return {
    usual,
    parse(value) {
      if (typeof value !== 'number' || !Number.isFinite(value)) return undefined;
      return Math.min(most, Math.max(least, Number((Math.round(value / step) * step).toFixed(2))));
    },
  };
}

/** What is broken in a list is left out. */
function listOf<T>(parse: (value: unknown) => T | undefined, most: number): Field<T[]> {
  return {
    usual: [],
    parse(value) {
      if (!Array.isArray(value)) return undefined;
      return value
        .map(parse)
        .filter((each) => each !== undefined)
        .slice(0, most);
    },
  };
}

/** Of things with names: no two with the same. */
function namedOf<T extends { name: string }>(field: Field<T[]>): Field<T[]> {
  const isFirst = (each: T, at: number, all: T[]) => all.findIndex(({ name }) => name === each.name) === at;
  return { ...field, parse: (value) => field.parse(value)?.filter(isFirst) };
}

const name: Field<string> = {
  usual: '',
  parse: (value) => (typeof value === 'string' && value.length <= 50 ? value : undefined),
};

/** It becomes a part of a style sheet. */
const fontFamily: Field<string> = {
  usual: '',
  parse: (value) =>
    typeof value === 'string' && /^[\p{L}\p{N} ,._'"-]{0,200}$/u.test(value) ? value : undefined,
};

const fields: { [F in keyof Preferences]: Field<Preferences[F]> } = {
  theme: oneOf(themeChoices, 'system'),
  scheme: name,
  schemes: namedOf(listOf(parseScheme, mostSchemes)),
  fontFamily,
  fontSize: numberIn(limits.fontSize, 14),
  lineHeight: numberIn(limits.lineHeight, 1, 0.05),
  cursorStyle: oneOf(cursorStyles, 'block'),
  cursorBlink: flag(false),
  scrollback: numberIn(limits.scrollback, 10_000),
  keys: { usual: {}, parse: parseKeys },
  bell: oneOf(bells, 'visual'),
  paste: oneOf(pasteRules, 'risky'),
  notify: oneOf(notifyRules, 'all'),
  notifyAfter: numberIn(limits.notifyAfter, 10),
  profiles: namedOf(listOf(parseProfile, mostProfiles)),
  profile: name,
  profileOf: { usual: [], parse: parseProfileOf },
  extraKeys: {
    ...listOf((value) => phoneKeys.find((each) => each === value), 60),
    usual: [...defaultExtraKeys],
  },
  screenReader: flag(false),
};

export const fieldNames = Object.keys(fields) as (keyof Preferences)[];

export function parseField<F extends keyof Preferences>(name: F, stored: unknown): Preferences[F] {
  const { usual, parse } = fields[name] as Field<Preferences[F]>;
  return parse(stored) ?? usual;
}

/** Everything, from whatever is stored by these names. */
export function parsePreferences(stored: (name: string) => unknown): Preferences {
  const entries = fieldNames.map((name) => [name, parseField(name, stored(name))]);
  return Object.fromEntries(entries) as Preferences;
}

export const defaultPreferences = parsePreferences(() => undefined);

export function limitFont(size: number): number {
  return parseField('fontSize', size);
}
