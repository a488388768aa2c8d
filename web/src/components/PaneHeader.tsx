// The line over a pane: what it is called, and what can be done with it. Dragging it moves the pane.

import { keysFor } from '../actions/shortcuts';
import type { TerminalsClient } from '../terminals/client';
import { labelOf, type Tab } from '../terminals/state';
import { words } from '../words';
import { startDrag } from './dragged';

interface Props {
  client: TerminalsClient;
  session: string;
  tab: Tab;
  isZoomed: boolean;
  isBroadcast: boolean;
}

export function PaneHeader({ client, session, tab, isZoomed, isBroadcast }: Props) {
  const { terminalId } = tab;
  const label = labelOf(tab);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys for this are the page's own.
    <div
      className="hf-pane__header"
      draggable
      onDragStart={(event) => startDrag(event, { session, terminalId, isWhole: false }, label)}
      onDoubleClick={() => zoom()}
    >
      <span className="hf-pane__label">{label}</span>
      {isBroadcast && <span className="hf-pane__broadcast">{words.panes.broadcast}</span>}
      <Action
        sign="⇶"
        name={words.panes.broadcastTo(label)}
        keys={keysFor('broadcast_pane')}
        isPressed={isBroadcast}
        onPress={() => client.panes.broadcastTo(terminalId)}
      />
      <Action
        sign="⤢"
        name={words.panes.zoom(label)}
        keys={keysFor('zoom_pane')}
        isPressed={isZoomed}
        onPress={() => zoom()}
      />
      <Action
        sign="×"
        name={words.tabs.close(label)}
        keys={keysFor('close_terminal')}
        onPress={() => void client.closeTerminal(terminalId)}
      />
    </div>
  );

  function zoom(): void {
    client.panes.activate(terminalId);
    client.panes.zoom();
  }
}

interface ActionProps {
  sign: string;
  name: string;
  keys: string;
  isPressed?: boolean;
  onPress(): void;
}

function Action({ sign, name, keys, isPressed, onPress }: ActionProps) {
  return (
    <button
      type="button"
      className="hf-icon"
      aria-label={name}
      aria-pressed={isPressed}
      title={`${name} (${keys})`}
      onClick={onPress}
      onDoubleClick={(event) => event.stopPropagation()}
    >
      {sign}
    </button>
  );
}
