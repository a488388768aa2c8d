// Which theme the system has.

import type { ThemeName } from '../xterm/themes';

const queries = { contrast: '(prefers-contrast: more)', light: '(prefers-color-scheme: light)' };

export function systemTheme(): ThemeName {
  if (matchMedia(queries.contrast).matches) return 'contrast';
  return matchMedia(queries.light).matches ? 'light' : 'dark';
}

/** Calls `changed` whenever the system's theme changes. Returns what ends that. */
export function watchSystemTheme(changed: () => void): () => void {
  const lists = Object.values(queries).map((query) => matchMedia(query));
  for (const list of lists) list.addEventListener('change', changed);
  return () => {
    for (const list of lists) list.removeEventListener('change', changed);
  };
}
