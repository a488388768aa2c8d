// The line at the bottom: the connection, the session, extensions' status items and the size.

import { useEffect, useState } from 'react';
import type { ThemeChoice } from '../settings/preferences';
import { mayChange } from '../terminals/scope';
import { type ConnectionState, type State, tabOf } from '../terminals/state';
import { words } from '../words';
import './StatusBar.css';
import { titled, useKeysFor } from './usePreferences';

interface Props {
  state: State;
  theme: ThemeChoice;
  onRetry(): void;
  onSessions(): void;
  onTheme(): void;
  /** How many notices nobody has seen. */
  unread: number;
  onNotices(): void;
  onCommands(): void;
  onHelp(): void;
}

export function StatusBar({ state, theme, unread, onNotices, ...on }: Props) {
  const { onRetry, onSessions, onTheme, onCommands, onHelp } = on;
  const keysFor = useKeysFor();
  const size = tabOf(state, state.active)?.size;
  return (
    <footer className="hf-status">
      <Connection connection={state.connection} onRetry={onRetry} />
      {!mayChange(state.scope) && <span className="hf-status__item">{words.connection.viewOnly}</span>}
      {state.scope.bounds !== 'terminals' && (
        <button
          type="button"
          className="hf-status__item"
          title={titled(words.actions.sessions, keysFor('sessions'))}
          onClick={onSessions}
        >
          {state.session}
        </button>
      )}
      <span className="hf-status__items">
        {state.statusItems.map(({ key, text }) => (
          <span key={key} className="hf-status__item" data-key={key}>
            {text}
          </span>
        ))}
      </span>
      {unread > 0 && (
        <button
          type="button"
          className="hf-status__item hf-status__notices"
          aria-label={words.noticeList.button(unread)}
          title={titled(words.actions.notices, keysFor('notices'))}
          onClick={onNotices}
        >
          {unread}
        </button>
      )}
      {size && (
        <span className="hf-status__item hf-status__wide">
          {size.cols}×{size.rows}
        </span>
      )}
      <button type="button" className="hf-status__item hf-status__wide" title={words.theme} onClick={onTheme}>
        {words.themes[theme]}
      </button>
      <button
        type="button"
        className="hf-status__item"
        title={titled(words.actions.command_bar, keysFor('command_bar'))}
        onClick={onCommands}
      >
        {words.commands.button}
      </button>
      <button
        type="button"
        className="hf-status__item"
        aria-label={words.connection.help}
        title={titled(words.actions.help, keysFor('help'))}
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
      return connection.isSilent ? (
        <ConnectionText kind="warning" text={words.connection.silent} />
      ) : (
        <ConnectionText kind="good" text={words.connection.connected} />
      );
    case 'connecting':
      return <ConnectionText kind="warning" text={words.connection.connecting} />;
    case 'refused':
      return (
        <ConnectionText
          kind="bad"
          text={connection.why === 'sign_in' ? words.connection.signIn : words.connection.refused}
        />
      );
    case 'waiting':
      return (
        <>
          <ConnectionText
            kind="warning"
            text={words.connection.retry(
              seconds,
              connection.offline ? 'offline' : connection.isAway ? 'away' : undefined,
            )}
          />
          <button type="button" className="hf-status__item hf-link" onClick={onRetry}>
            {words.connection.now}
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
