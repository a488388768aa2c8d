// One terminal, and the notes over it: reconnecting, exited, sized by another window.

import { type CSSProperties, type DragEvent, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { type Box, sideAt } from '../terminals/boxes';
import type { TerminalsClient } from '../terminals/client';
import type { Side } from '../terminals/layout';
import { labelOf, type Size, type Tab } from '../terminals/state';
import { words } from '../words';
import { scaleFor } from '../xterm/scale';
import type { ScreenOptions, XtermScreen } from '../xterm/screen';
import { ConnectionOverlay } from './ConnectionOverlay';
import { droppedIn, isDragged } from './dragged';
import { PaneHeader } from './PaneHeader';
import { StickyCommand } from './StickyCommand';
import './TerminalView.css';

interface Props {
  client: TerminalsClient;
  screen: XtermScreen;
  session: string;
  tab: Tab;
  /** Where it is; `undefined` if it is out of sight. */
  box: Box | undefined;
  isActive: boolean;
  room: Size | null;
  hasHeader: boolean;
  isZoomed: boolean;
  isBroadcast: boolean;
  options: ScreenOptions;
  rings: boolean;
  /** How many terminals can be restored. */
  waiting: number;
}

export function TerminalView(props: Props) {
  const {
    client,
    screen,
    session,
    tab,
    box,
    isActive,
    room,
    hasHeader,
    isBroadcast,
    options,
    rings,
    waiting,
  } = props;
  const host = useRef<HTMLDivElement>(null);
  const [dropSide, setDropSide] = useState<Side | null>(null);
  const { terminalId, size } = tab;
  const isShown = box !== undefined;

  useLayoutEffect(() => {
    if (isShown && host.current) screen.open(host.current);
  }, [screen, isShown]);

  // The font decides how many cells fit.
  useLayoutEffect(() => {
    screen.configure(options);
    const cell = isShown ? screen.cell() : undefined;
    if (cell) client.panes.measured({ cell });
  }, [client, screen, isShown, options]);

  useEffect(() => {
    void screen.draw(isShown, () => {
      const cell = screen.cell();
      if (cell) client.panes.measured({ cell });
    });
  }, [client, screen, isShown]);

  function onDragOver(event: DragEvent<HTMLElement>): void {
    if (!isDragged(event)) return;
    event.preventDefault();
    event.stopPropagation();
    const { left, top, width, height } = event.currentTarget.getBoundingClientRect();
    setDropSide(sideAt({ width, height }, event.clientX - left, event.clientY - top));
  }

  function onDrop(event: DragEvent<HTMLElement>): void {
    if (!isDragged(event)) return;
    event.preventDefault();
    // It is not text to paste.
    event.stopPropagation();
    setDropSide(null);
    const dropped = droppedIn(session, event);
    if (dropped && dropSide) client.panes.place(dropped.terminalId, terminalId, dropSide, dropped.isWhole);
  }

  const scale = scaleFor(size, room);
  const isElsewhere =
    tab.status.kind === 'connected' &&
    !!size &&
    !!room &&
    (size.rows !== room.rows || size.cols !== room.cols);
  return (
    <section
      id={`hf-panel-${terminalId}`}
      role="tabpanel"
      aria-label={labelOf(tab)}
      className={[
        'hf-terminal',
        isActive && 'hf-terminal--active',
        rings && 'hf-terminal--rings',
        hasHeader && 'hf-terminal--paned',
        isBroadcast && 'hf-terminal--broadcast',
      ]
        .filter(Boolean)
        .join(' ')}
      style={{ ...box, background: options.colours.background }}
      hidden={!isShown}
      data-terminal={terminalId}
      data-status={tab.status.kind}
      onFocusCapture={() => client.panes.activate(terminalId)}
      onDragOverCapture={onDragOver}
      onDragLeave={() => setDropSide(null)}
      onDropCapture={onDrop}
    >
      {hasHeader && <PaneHeader {...props} />}
      {dropSide && <div className={`hf-pane__drop hf-pane__drop--${dropSide}`} />}
      <div
        className={scale < 1 ? 'hf-terminal__host hf-terminal__host--scaled' : 'hf-terminal__host'}
        style={{ '--hf-scale': scale } as CSSProperties}
        ref={host}
      />
      {isShown && <StickyCommand commands={screen.commands} rowHeight={screen.cell()?.height} />}
      {tab.pending && (
        <Pending pending={tab.pending} onDecide={(isWanted) => client.decidePending(terminalId, isWanted)} />
      )}
      {isElsewhere && (
        <div className="hf-card hf-terminal__note" role="status">
          {words.terminal.sized(size.cols, size.rows)}
          <button type="button" className="hf-link" onClick={() => client.takeSize(terminalId)}>
            {words.terminal.takeSize}
          </button>
        </div>
      )}
      {tab.status.kind === 'exited' && (
        <div className="hf-card hf-terminal__exit" role="status">
          <span>{words.terminal.exited(tab.status.exitCode)}</span>
          <button type="button" className="hf-link" onClick={() => void client.runAgain(terminalId)}>
            {words.terminal.again}
          </button>
          <button type="button" className="hf-link" onClick={() => void client.closeTerminal(terminalId)}>
            {words.close}
          </button>
        </div>
      )}
      <ConnectionOverlay
        status={tab.status}
        waiting={waiting}
        onRestore={() => void client.restoreTerminal(terminalId)}
        onRestoreAll={() => void client.restoreAll()}
        onRetry={() => void client.runAgain(terminalId)}
        onTakeBack={() => client.takeBack(terminalId)}
        onClose={() => void client.closeTerminal(terminalId)}
      />
    </section>
  );
}

interface PendingProps {
  pending: NonNullable<Tab['pending']>;
  onDecide(isWanted: boolean): void;
}

/** What was typed and is not known to have arrived. */
function Pending({ pending: { text, asks }, onDecide }: PendingProps) {
  return (
    <div className="hf-card hf-terminal__pending" role="status">
      <span>{asks ? words.typing.asks : words.typing.waiting}</span>
      <code>{visible(text)}</code>
      {asks && (
        <>
          <button type="button" className="hf-link" onClick={() => onDecide(false)}>
            {words.typing.discard}
          </button>
          <button type="button" className="hf-link" onClick={() => onDecide(true)}>
            {words.typing.send}
          </button>
        </>
      )}
    </div>
  );
}

/** Keys as people read them: Enter as an arrow, Ctrl+C as ^C. */
function visible(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is shown otherwise.
  return text.replace(/[\x00-\x1f\x7f]/g, (key) =>
    key === '\r' ? '⏎' : key === '\x7f' ? '⌫' : `^${String.fromCharCode(key.charCodeAt(0) + 64)}`,
  );
}
