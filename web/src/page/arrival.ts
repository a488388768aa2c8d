// How the user got to this page: with a link's code or without, and from where.

/** The link's code, if any. Removes it from the address, which is visible and in the history. */
export function takeCode(): string | undefined {
  const code = /^#code=([\w-]+)$/.exec(location.hash)?.[1];
  if (code !== undefined) history.replaceState(null, '', location.pathname + location.search);
  return code;
}

/** Whether a page of another origin led here, as reported by the daemon. */
export function cameFromElsewhere(): boolean {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  return navigation?.serverTiming.some(({ name }) => name === 'elsewhere') ?? false;
}
