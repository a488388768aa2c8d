// Remembers over a refresh how many rows and columns fit. They can only be measured once the
// renderer is loaded. A window with the same layout has the same room, so the page requests its
// terminals right away and corrects their size later if needed.

import { isRecord } from '../protocol/shape';
import type { Storage } from '../terminals/persisted';
import type { Size } from '../terminals/state';

const key = 'holdfast:room';

export function layoutOf(fontSize: number): string {
  return [innerWidth, innerHeight, devicePixelRatio, fontSize].join(' ');
}

export function recallRoom(storage: Storage, layout: string): Size | undefined {
  try {
    const value: unknown = JSON.parse(storage.getItem(key) ?? '');
    if (!isRecord(value) || value.layout !== layout) return undefined;
    const { rows, cols } = value;
    const isSide = (side: unknown) => Number.isInteger(side) && Number(side) >= 1 && Number(side) <= 500;
    return isSide(rows) && isSide(cols) ? { rows: Number(rows), cols: Number(cols) } : undefined;
  } catch {
    return undefined;
  }
}

export function rememberRoom(storage: Storage, layout: string, { rows, cols }: Size): void {
  try {
    storage.setItem(key, JSON.stringify({ layout, rows, cols }));
  } catch {
    // Storage is full or forbidden, so the room is measured every time.
  }
}
