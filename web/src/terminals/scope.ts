// What the page's credential allows. The daemon refuses everything else; the page does not offer it.

import type { ServerData } from '../protocol/messages';

export interface Scope {
  access: 'control' | 'view';
  /** What it is bound to; `null` if it is for everything. */
  bounds: 'sessions' | 'terminals' | null;
}

export const everything: Scope = { access: 'control', bounds: null };

export function scopeOf({ access, bounds }: ServerData<'welcome'>): Scope {
  return { access: access ?? 'control', bounds: bounds ?? null };
}

/** Whether it may type, rename and close. */
export function mayChange({ access }: Scope): boolean {
  return access === 'control';
}

/** Whether it may create terminals. */
export function mayCreate({ access, bounds }: Scope): boolean {
  return access === 'control' && bounds !== 'terminals';
}
