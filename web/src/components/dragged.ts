// What is dragged: a tab or a pane, also into another window that shows the same session.

import type { DragEvent } from 'react';
import { isRecord } from '../protocol/shape';

const type = 'application/x-holdfast-terminal';

export interface Dragged {
  session: string;
  terminalId: string;
  /** With all panes of its tab. */
  isWhole: boolean;
}

export function startDrag(event: DragEvent, dragged: Dragged, label: string): void {
  event.dataTransfer.effectAllowed = 'move';
  event.dataTransfer.setData(type, JSON.stringify(dragged));
  event.dataTransfer.setData('text/plain', label);
}

/** Before the drop, a page is told no more than this. */
export function isDragged(event: DragEvent): boolean {
  return event.dataTransfer.types.includes(type);
}

/** What was dropped here, if it belongs to the session. */
export function droppedIn(session: string, event: DragEvent): Dragged | undefined {
  let value: unknown;
  try {
    value = JSON.parse(event.dataTransfer.getData(type));
  } catch {
    return undefined;
  }
  if (!isRecord(value) || value.session !== session || typeof value.terminalId !== 'string') return undefined;
  return { session, terminalId: value.terminalId, isWhole: value.isWhole === true };
}
