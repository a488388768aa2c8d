// The order of tabs.

/** The ids with `id` moved before `before`, or to the end if that is null. */
export function moved(ids: readonly string[], id: string, before: string | null): string[] {
  if (id === before) return [...ids];
  const others = ids.filter((each) => each !== id);
  const at = before === null ? others.length : others.indexOf(before);
  return at < 0 ? [...ids] : [...others.slice(0, at), id, ...others.slice(at)];
}
