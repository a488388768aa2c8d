// Links: those that stand on the screen as they are, and those of a program (OSC 8), whose text can
// say anything. The target of the latter is shown before it is opened.

import type { IBufferRange, ILinkHandler, Terminal } from '@xterm/xterm';

export interface LinkEvents {
  /** The pointer is on a link of a program, or has left it. */
  hover(target: string | null): void;
  /** Asks whether to go there, if the text does not say where it leads. */
  confirm(target: string): Promise<boolean>;
}

function isMeant(event: MouseEvent): boolean {
  const isTouch = event instanceof PointerEvent && event.pointerType === 'touch';
  return event.ctrlKey || event.metaKey || isTouch;
}

function isHarmless(target: string): boolean {
  return /^(https?|mailto):/i.test(target);
}

function go(target: string): void {
  window.open(target, '_blank', 'noopener,noreferrer');
}

/** Opens a link whose text is its target. */
export function openLink(event: MouseEvent, target: string): void {
  if (isMeant(event) && isHarmless(target)) go(target);
}

function textAt(terminal: Terminal, { start, end }: IBufferRange): string {
  let text = '';
  for (let row = start.y; row <= end.y; ++row)
    text +=
      terminal.buffer.active
        .getLine(row - 1)
        ?.translateToString(
          false,
          row === start.y ? start.x - 1 : 0,
          row === end.y ? end.x : terminal.cols,
        ) ?? '';
  return text.trim();
}

/** For links of a program. */
export function linkHandler(terminalOf: () => Terminal, events: LinkEvents): ILinkHandler {
  return {
    allowNonHttpProtocols: false,
    activate(event, target, range) {
      if (!isMeant(event) || !isHarmless(target)) return;
      if (textAt(terminalOf(), range) === target) return go(target);
      void events.confirm(target).then((isWanted) => {
        if (isWanted) go(target);
      });
    },
    hover: (_event, target) => events.hover(target),
    leave: () => events.hover(null),
  };
}
