// The terminals of the tab that is shown, side by side, and the dividers between them. Those of other
// tabs are in the page too, out of sight.

import { useLayoutEffect, useRef } from 'react';
import type { Divider } from '../terminals/boxes';
import type { TerminalsClient } from '../terminals/client';
import { shareOf } from '../terminals/layout';
import { groupWith, hasHeader, isZoomed, placedWith, roomOf } from '../terminals/paneState';
import type { State } from '../terminals/state';
import { words } from '../words';
import type { ScreenOptions, XtermScreen } from '../xterm/screen';
import './Panes.css';
import { TerminalView } from './TerminalView';

interface Props {
  client: TerminalsClient;
  state: State;
  screenOf(terminalId: string): XtermScreen | undefined;
  optionsOf(terminalId: string): ScreenOptions;
  /** The terminal whose bell rings. */
  ringing: string | null;
}

/** Below this width, in pixels, one terminal is shown at a time. */
const narrowest = 600;
const keyStep = 0.05;

export function Panes({ client, state, screenOf, optionsOf, ringing }: Props) {
  const host = useRef<HTMLDivElement>(null);
  const waiting = state.tabs.filter(({ status }) => status.kind === 'restorable').length;
  const placed = placedWith(state, state.active);

  useLayoutEffect(() => {
    const element = host.current;
    if (!element) return;
    const measure = () => {
      const area = { width: element.clientWidth, height: element.clientHeight };
      if (area.width === 0 || area.height === 0) return;
      client.panes.setNarrow(area.width < narrowest);
      client.panes.measured({ area });
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [client]);

  return (
    <div className="hf-panes" ref={host}>
      {state.tabs.map((tab) => {
        const { terminalId } = tab;
        const screen = screenOf(terminalId);
        return (
          screen && (
            <TerminalView
              key={terminalId}
              client={client}
              screen={screen}
              session={state.session}
              tab={tab}
              box={placed?.boxes.get(terminalId)}
              isActive={terminalId === state.active}
              room={roomOf(state, terminalId)}
              hasHeader={hasHeader(state, terminalId)}
              isZoomed={terminalId === state.panes.zoomed && isZoomed(state, groupWith(state, terminalId))}
              isBroadcast={state.panes.broadcast.includes(terminalId)}
              options={optionsOf(terminalId)}
              rings={terminalId === ringing}
              waiting={waiting}
            />
          )
        );
      })}
      {placed?.dividers.map((divider) => (
        <DividerView
          key={`${divider.before} ${divider.after}`}
          divider={divider}
          share={shareOf(state.panes.layout, divider.before, divider.after)}
          onShare={(share) => client.panes.share(divider.before, divider.after, share)}
        />
      ))}
    </div>
  );
}

interface DividerProps {
  divider: Divider;
  share: number;
  onShare(share: number): void;
}

function DividerView({ divider: { along, box, both }, share, onShare }: DividerProps) {
  const element = useRef<HTMLDivElement>(null);
  const isRow = along === 'row';
  return (
    // biome-ignore lint/a11y/useSemanticElements: a rule cannot be moved.
    <div
      ref={element}
      className={`hf-divider hf-divider--${along}`}
      style={box}
      role="separator"
      tabIndex={0}
      aria-label={words.panes.divider}
      aria-orientation={isRow ? 'vertical' : 'horizontal'}
      aria-valuenow={Math.round(share * 100)}
      onPointerDown={(event) => {
        event.preventDefault();
        event.currentTarget.setPointerCapture(event.pointerId);
      }}
      onPointerMove={(event) => {
        const area = element.current?.parentElement?.getBoundingClientRect();
        if (!area || !event.currentTarget.hasPointerCapture(event.pointerId)) return;
        const at = isRow ? event.clientX - area.left - both.left : event.clientY - area.top - both.top;
        onShare(at / (isRow ? both.width : both.height));
      }}
      onDoubleClick={() => onShare(0.5)}
      onKeyDown={(event) => {
        const step = { ArrowLeft: -keyStep, ArrowUp: -keyStep, ArrowRight: keyStep, ArrowDown: keyStep }[
          event.key
        ];
        if (step === undefined || event.ctrlKey || event.altKey || event.shiftKey) return;
        event.preventDefault();
        onShare(share + step);
      }}
    />
  );
}
