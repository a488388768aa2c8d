// Handles the page's own keys before the terminal sees them. A component that fills the page also
// handles keys pressed while nothing has the focus.

import { type RefObject, useEffect, useRef } from 'react';
import { actionOf, type ChosenKeys, type ShortcutAction } from '../actions/shortcuts';

interface Options {
  root: RefObject<HTMLElement | null>;
  fillsPage: boolean;
  keys: ChosenKeys;
  focusActive(): void;
  perform(action: ShortcutAction): void;
}

export function usePageKeys({ root, fillsPage, keys, focusActive, perform }: Options): void {
  const latest = useRef(perform);
  latest.current = perform;
  useEffect(() => {
    const listener = (event: KeyboardEvent) => {
      const isLost = fillsPage && event.target === document.body;
      if (!isLost && !(event.target instanceof Node && root.current?.contains(event.target))) return;
      if (isLost) focusActive();
      const isBelow = event.target instanceof Element && event.target.closest('.hf-toasts, .hf-status');
      if (isBelow && event.key === 'Escape') {
        event.preventDefault();
        return focusActive();
      }
      if (event.target instanceof Element && event.target.matches('[data-takes-keys="true"]')) return;
      const action = actionOf(event, keys);
      // Leave paste to the browser: its own paste needs no permission.
      if (action === undefined || action === 'paste') return;
      event.preventDefault();
      event.stopPropagation();
      latest.current(action);
    };
    document.addEventListener('keydown', listener, { capture: true });
    return () => document.removeEventListener('keydown', listener, { capture: true });
  }, [root, fillsPage, keys, focusActive]);
}
