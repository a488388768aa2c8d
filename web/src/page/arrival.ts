// How this page was reached: with or without a link's code, and from where.

/** The code of the link that led here. It leaves the address, which is shown and remembered. */
export function takeCode(): string | undefined {
  const code = /^#code=([\w-]+)$/.exec(location.hash)?.[1];
  if (code !== undefined) history.replaceState(null, '', location.pathname + location.search);
  return code;
}

/** Whether a page of another origin led here: the daemon, who sees that, says so. */
export function cameFromElsewhere(): boolean {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  return navigation?.serverTiming.some(({ name }) => name === 'elsewhere') ?? false;
}
