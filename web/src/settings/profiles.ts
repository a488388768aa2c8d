// Profiles: what a new terminal runs, where, and how it looks.

import { isRecord } from '../protocol/shape';
import type { From } from '../terminals/opener';

export interface Profile {
  name: string;
  /** A line for a shell; empty: the user's shell itself. */
  command: string;
  /** Empty: where the session's terminals begin. */
  directory: string;
  environment: Record<string, string>;
  /** A theme or an imported scheme by its name; empty: like all others. */
  colours: string;
}

/** All of them are one value for the daemon, of at most 64 KiB. */
export const mostProfiles = 16;
export const longestText = 1024;
const variable = /^[A-Za-z_][A-Za-z0-9_]*$/;

export function parseProfile(value: unknown): Profile | undefined {
  if (!isRecord(value) || typeof value.name !== 'string') return undefined;
  const name = value.name.trim();
  if (name === '' || name.length > 50) return undefined;
  const text = (each: unknown) => (typeof each === 'string' && each.length <= longestText ? each : '');
  return {
    name,
    command: text(value.command),
    directory: text(value.directory),
    environment: parseEnvironment(value.environment),
    colours: text(value.colours),
  };
}

function parseEnvironment(value: unknown): Record<string, string> {
  if (!isRecord(value)) return {};
  const entries = Object.entries(value).filter(
    (entry): entry is [string, string] => variable.test(entry[0]) && typeof entry[1] === 'string',
  );
  return Object.fromEntries(entries.slice(0, 100));
}

/** One `NAME=value` a line. Gives the first line that is none, if there is one. */
export function readEnvironment(text: string): { environment: Record<string, string>; wrong?: string } {
  const environment: Record<string, string> = {};
  for (const line of text.split('\n').filter((each) => each.trim() !== '')) {
    const at = line.indexOf('=');
    const name = line.slice(0, at).trim();
    if (at < 0 || !variable.test(name)) return { environment, wrong: line };
    environment[name] = line.slice(at + 1);
  }
  return { environment };
}

export function writeEnvironment(environment: Record<string, string>): string {
  return Object.entries(environment)
    .map(([name, value]) => `${name}=${value}`)
    .join('\n');
}

/** What the daemon is asked for. */
export function fromProfile({ name, command, directory, environment }: Profile): From {
  return {
    profile: name,
    ...(command === '' ? {} : { command: ['sh', '-c', command] }),
    ...(directory === '' ? {} : { workDir: directory }),
    ...(Object.keys(environment).length === 0 ? {} : { env: environment }),
  };
}

/** Terminals and their profiles, newest last. Those that are gone are forgotten in time. */
export type ProfileOf = [terminalId: string, profile: string][];
const mostTerminals = 200;

export function parseProfileOf(value: unknown): ProfileOf | undefined {
  if (!Array.isArray(value)) return undefined;
  const isPair = (each: unknown): each is [string, string] =>
    Array.isArray(each) && each.length === 2 && each.every((part) => typeof part === 'string');
  return value.filter(isPair).slice(-mostTerminals);
}

export function addProfileOf(known: ProfileOf, terminalId: string, profile: string): ProfileOf {
  const others = known.filter(([id]) => id !== terminalId);
  return [...others, [terminalId, profile] as [string, string]].slice(-mostTerminals);
}
