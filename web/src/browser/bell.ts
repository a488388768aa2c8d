// Shows a browser notification for a bell in a hidden window, if the user allowed it.

import type { TerminalsClient } from '../terminals/client';
import { labelOf, tabOf } from '../terminals/state';
import { words } from '../words';

export function notifyBell(client: TerminalsClient, terminalId: string): void {
  const tab = tabOf(client.state, terminalId);
  if (!tab || !document.hidden || !('Notification' in window) || Notification.permission !== 'granted')
    return;
  const notification = new Notification(labelOf(tab), {
    body: words.bells.rang,
    tag: `holdfast-${terminalId}`,
  });
  notification.onclick = () => {
    window.focus();
    client.activate(terminalId);
    notification.close();
  };
}
