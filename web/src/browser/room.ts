// Remembers over a refresh how large the area of the terminals and a character are. The character can
// only be measured once the renderer is loaded. In a window of the same size both are the same, so the
// page requests its terminals right away and corrects their size later if needed.

import { isRecord } from '../protocol/shape';
import type { Extent } from '../terminals/boxes';
import type { Measured } from '../terminals/panes';
import type { Storage } from '../terminals/persisted';

const key = 'holdfast:room';

export function layoutOf(fontSize: number): string {
  return [innerWidth, innerHeight, devicePixelRatio, fontSize].join(' ');
}

function extentOf(value: unknown): Extent | undefined {
  if (!isRecord(value)) return undefined;
  const { width, height } = value;
  const isSide = (side: unknown): side is number => typeof side === 'number' && side > 0 && side < 100_000;
  return isSide(width) && isSide(height) ? { width, height } : undefined;
}

export function recallRoom(storage: Storage, layout: string): Measured | undefined {
  try {
    const value: unknown = JSON.parse(storage.getItem(key) ?? '');
    if (!isRecord(value) || value.layout !== layout) return undefined;
    const [area, cell] = [extentOf(value.area), extentOf(value.cell)];
    return area && cell ? { area, cell } : undefined;
  } catch {
    return undefined;
  }
}

export function rememberRoom(storage: Storage, layout: string, { area, cell }: Measured): void {
  try {
    storage.setItem(key, JSON.stringify({ layout, area, cell }));
  } catch {
    // Storage is full or forbidden, so the room is measured every time.
  }
}
