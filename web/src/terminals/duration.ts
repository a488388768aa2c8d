// How long something took, as people say it.

export function durationOf(from: string | null, to: string | null): number | undefined {
  if (from === null || to === null) return undefined;
  const time = Date.parse(to) - Date.parse(from);
  return Number.isFinite(time) && time >= 0 ? time : undefined;
}

export function saidDuration(milliseconds: number): string {
  const seconds = milliseconds / 1000;
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 60) return `${Math.floor(seconds)} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${Math.floor(seconds % 60)} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
