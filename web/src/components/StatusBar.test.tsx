import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { type ConnectionState, initialState } from '../terminals/state';
import { StatusBar } from './StatusBar';

afterEach(cleanup);

function show(connection: ConnectionState) {
  const state = { ...initialState('main', { tabs: [], active: null, counter: 0 }), connection };
  const onRetry = vi.fn();
  const nothing = () => {};
  render(
    <StatusBar
      state={state}
      theme="system"
      onRetry={onRetry}
      onSessions={nothing}
      onTheme={nothing}
      unread={0}
      onNotices={nothing}
      onCommands={nothing}
      onHelp={nothing}
    />,
  );
  return onRetry;
}

test('it says how the connection is', () => {
  show({ kind: 'connected' });
  expect(screen.getByRole('status').textContent).toBe('Connected');
  cleanup();
  show({ kind: 'connecting' });
  expect(screen.getByRole('status').textContent).toBe('Reconnecting…');
  cleanup();
  show({ kind: 'refused', why: 'sign_in' });
  expect(screen.getByRole('status').textContent).toBe('Sign in again');
});

test('while it waits it counts down, and a button ends the wait', () => {
  const onRetry = show({ kind: 'waiting', until: Date.now() + 4500, offline: false });
  expect(screen.getByRole('status').textContent).toBe('Reconnecting in 5 s');
  fireEvent.click(screen.getByText('Now'));
  expect(onRetry).toHaveBeenCalledOnce();
});

test('it says when the browser has no network', () => {
  show({ kind: 'waiting', until: Date.now() + 1000, offline: true });
  expect(screen.getByRole('status').textContent).toBe('Offline · reconnecting in 1 s');
});
