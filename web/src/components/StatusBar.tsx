// The line at the bottom: the connection, the session, extensions' status items and the size.

import { useEffect, useState } from 'react';
import type { ThemeChoice } from '../browser/preferences';
import { type ConnectionState, type State, tabOf } from '../terminals/state';
import './StatusBar.css';

interface Props {
  state: State;
  theme: ThemeChoice;
  onRetry(): void;
  onSessions(): void;
  onTheme(): void;
  onCommands(): void;
  onHelp(): void;
}

const themeNames: Record<ThemeChoice, string> = {
  system: 'System',
  light: 'Light',
  dark: 'Dark',
  contrast: 'High contrast',
};

export function StatusBar({ state, theme, onRetry, onSessions, onTheme, onCommands, onHelp }: Props) {
  const size = tabOf(state, state.active)?.size;
  return (
    <footer className="hf-status">
      <Connection connection={state.connection} onRetry={onRetry} />
      <button type="button" className="hf-status__item" title="Sessions (Ctrl+Shift+S)" onClick={onSessions}>
        {state.session}
      </button>
      <span className="hf-status__items">
        {state.statusItems.map(({ key, text }) => (
          <span key={key} className="hf-status__item" data-key={key}>
            {text}
          </span>
        ))}
      </span>
      {size && (
        <span className="hf-status__item hf-status__wide">
          {size.cols}×{size.rows}
        </span>
      )}
      <button type="button" className="hf-status__item hf-status__wide" title="Theme" onClick={onTheme}>
        {themeNames[theme]}
      </button>
      <button
        type="button"
        className="hf-status__item"
        title="Command bar (Ctrl+Shift+P)"
        onClick={onCommands}
      >
        Commands
      </button>
      <button
        type="button"
        className="hf-status__item"
        aria-label="Help"
        title="Keyboard shortcuts (Ctrl+Shift+?)"
        onClick={onHelp}
      >
        ?
      </button>
    </footer>
  );
}

function Connection({ connection, onRetry }: { connection: ConnectionState; onRetry(): void }) {
  const seconds = useSecondsUntil(connection.kind === 'waiting' ? connection.until : undefined);
  switch (connection.kind) {
    case 'connected':
      return <ConnectionText kind="good" text="Connected" />;
    case 'connecting':
      return <ConnectionText kind="warning" text="Reconnecting…" />;
    case 'refused':
      return <ConnectionText kind="bad" text={connection.why === 'sign_in' ? 'Sign in again' : 'Refused'} />;
    case 'waiting':
      return (
        <>
          <ConnectionText
            kind="warning"
            text={`${connection.offline ? 'Offline · r' : 'R'}econnecting in ${seconds} s`}
          />
          <button type="button" className="hf-status__item hf-link" onClick={onRetry}>
            Now
          </button>
        </>
      );
  }
}

function ConnectionText({ kind, text }: { kind: 'good' | 'warning' | 'bad'; text: string }) {
  return (
    <span className="hf-status__item hf-status__connection" role="status">
      <span className={`hf-dot hf-dot--${kind}`} aria-hidden="true" />
      {text}
    </span>
  );
}

function useSecondsUntil(until: number | undefined): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (until === undefined) return;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 250);
    return () => clearInterval(timer);
  }, [until]);
  return until === undefined ? 0 : Math.max(0, Math.ceil((until - now) / 1000));
}
