// Tells a person what happened: by a notification of the browser if this window is hidden, or else by a
// toast.

import type { Notice } from '../protocol/messages';
import type { TerminalsClient } from '../terminals/client';
import { words } from '../words';

export function notify(client: TerminalsClient, notice: Notice, title: string, text: string): void {
  if (!document.hidden)
    return client.toast(notice.kind === 'blocked' ? 'warning' : 'info', words.notified(title, text));
  if (!('Notification' in window) || Notification.permission !== 'granted') return;
  try {
    const shown = new Notification(title, { body: text, tag: `holdfast-${notice.terminalId}` });
    shown.onclick = () => {
      window.focus();
      void client.goTo(notice.session, notice.terminalId);
      shown.close();
    };
  } catch {
    // Chrome on Android has the class, but lets only service workers use it. The list has it anyway.
  }
}
