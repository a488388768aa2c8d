// Two fingers on a terminal change the size of the text, on this device.

import { useEffect } from 'react';
import type { PageEvents } from '../browser/createTerminals';
import { limitFont, type Preferences } from '../settings/preferences';

export function usePinch(page: PageEvents, change: (part: Partial<Preferences>) => void): void {
  useEffect(() => {
    page.touch = { ...page.touch, pinched: (fontSize) => change({ fontSize: limitFont(fontSize) }) };
  }, [page, change]);
}
