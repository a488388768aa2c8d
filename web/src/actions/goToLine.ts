// Shows a line that was found in some terminal.

import type { FoundLine } from '../protocol/messages';
import type { TerminalsClient } from '../terminals/client';
import { words } from '../words';
import type { XtermScreen } from '../xterm/screen';

export async function goToLine(
  client: TerminalsClient,
  screenOf: (terminalId: string) => XtermScreen | undefined,
  { session, terminalId, text, fromEnd }: FoundLine,
): Promise<void> {
  await client.goTo(session, terminalId);
  const isShown = await screenOf(terminalId)?.reveal({ text, fromEnd });
  if (!isShown) client.toast('info', words.search.gone);
}
