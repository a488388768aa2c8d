// One tab's terminal, and the notes over it: reconnecting, exited, sized by another window.

import { type CSSProperties, useEffect, useLayoutEffect, useRef } from 'react';
import type { TerminalsClient } from '../terminals/client';
import { labelOf, type Size, type Tab } from '../terminals/state';
import { words } from '../words';
import { scaleFor } from '../xterm/scale';
import type { ScreenOptions, XtermScreen } from '../xterm/screen';
import { ConnectionOverlay } from './ConnectionOverlay';
import './TerminalView.css';

interface Props {
  client: TerminalsClient;
  screen: XtermScreen;
  tab: Tab;
  isActive: boolean;
  room: Size | null;
  options: ScreenOptions;
  rings: boolean;
  /** How many terminals can be restored. */
  waiting: number;
}

export function TerminalView({ client, screen, tab, isActive, room, options, rings, waiting }: Props) {
  const host = useRef<HTMLDivElement>(null);
  const { terminalId, size } = tab;

  useLayoutEffect(() => {
    if (isActive && host.current) screen.open(host.current);
  }, [screen, isActive]);

  // Configure first: the font decides how many cells fit.
  useLayoutEffect(() => {
    screen.configure(options);
    const element = host.current;
    if (!isActive || !element) return;
    const measure = () => {
      const found = screen.room();
      if (found) client.setRoom(found);
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [client, screen, isActive, options]);

  useEffect(() => {
    void screen.draw(isActive).then(() => {
      const found = isActive ? screen.room() : undefined;
      if (found) client.setRoom(found);
    });
  }, [client, screen, isActive]);

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
      className={`hf-terminal${rings ? ' hf-terminal--rings' : ''}`}
      hidden={!isActive}
      data-terminal={terminalId}
      data-status={tab.status.kind}
    >
      <div
        className={scale < 1 ? 'hf-terminal__host hf-terminal__host--scaled' : 'hf-terminal__host'}
        style={{ '--hf-scale': scale } as CSSProperties}
        ref={host}
      />
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
