// The lines run from the command bar, newest last.

const key = 'holdfast:history';
const most = 100;

export function addLine(lines: readonly string[], line: string): string[] {
  if (line === '') return [...lines];
  return [...lines.filter((each) => each !== line), line].slice(-most);
}

export function parseHistory(stored: string | null): string[] {
  try {
    const value: unknown = JSON.parse(stored ?? '[]');
    return Array.isArray(value) ? value.filter((each) => typeof each === 'string').slice(-most) : [];
  } catch {
    return [];
  }
}

export function loadHistory(): string[] {
  try {
    return parseHistory(localStorage.getItem(key));
  } catch {
    return [];
  }
}

export function saveHistory(lines: string[]): void {
  try {
    localStorage.setItem(key, JSON.stringify(lines));
  } catch {
    // The browser forbids storage, so there is no history.
  }
}
