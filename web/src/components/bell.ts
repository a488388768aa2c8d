// A bell in a window that nobody sees is told by the browser, if it may.

import type { TerminalsClient } from '../terminals/client';
import { labelOf, tabOf } from '../terminals/state';

export function notifyBell(client: TerminalsClient, terminalId: string): void {
  const tab = tabOf(client.state, terminalId);
  if (!tab || !document.hidden || !('Notification' in window) || Notification.permission !== 'granted')
    return;
  const notification = new Notification(labelOf(tab), {
    body: 'The bell rang.',
    tag: `holdfast-${terminalId}`,
  });
  notification.onclick = () => {
    window.focus();
    client.activate(terminalId);
    notification.close();
  };
}
