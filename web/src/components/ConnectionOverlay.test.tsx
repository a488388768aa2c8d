import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import type { TabStatus } from '../terminals/state';
import { ConnectionOverlay } from './ConnectionOverlay';

afterEach(cleanup);

function show(status: TabStatus, waiting = 0) {
  const on = {
    onRestore: vi.fn(),
    onRestoreAll: vi.fn(),
    onRetry: vi.fn(),
    onTakeBack: vi.fn(),
    onClose: vi.fn(),
  };
  render(<ConnectionOverlay status={status} waiting={waiting} {...on} />);
  return on;
}

test('T028: a terminal that is not back says that it reconnects', () => {
  show({ kind: 'reconnecting' });
  expect(screen.getByRole('status').textContent).toBe('Reconnecting…');
});

test('T028: nothing lies over a terminal that is there, or that has exited', () => {
  show({ kind: 'connected' });
  show({ kind: 'exited', exitCode: 1 });
  expect(screen.queryByText('Reconnecting…')).toBeNull();
  expect(document.querySelector('.hf-overlay')).toBeNull();
});

test('a terminal that could not be made says why, and can be tried again', () => {
  const on = show({ kind: 'failed', error: 'too many terminals', details: 'the limit is 100' });
  expect(screen.getByRole('alert').textContent).toContain('too many terminals');
  expect(screen.getByRole('alert').textContent).toContain('the limit is 100');
  fireEvent.click(screen.getByText('Try again'));
  expect(on.onRetry).toHaveBeenCalledOnce();
});

test('a terminal that another viewer took over can be taken back', () => {
  const on = show({ kind: 'detached' });
  fireEvent.click(screen.getByText('Show it here'));
  expect(on.onTakeBack).toHaveBeenCalledOnce();
});

test('a terminal that ended with the machine can be restored, alone or with the others', () => {
  const on = show({ kind: 'restorable' }, 3);
  fireEvent.click(screen.getByText('Reopen 3 terminals'));
  expect(on.onRestoreAll).toHaveBeenCalledOnce();
  fireEvent.click(screen.getByText('Reopen only this one'));
  expect(on.onRestore).toHaveBeenCalledOnce();
  fireEvent.click(screen.getByText('Close'));
  expect(on.onClose).toHaveBeenCalledOnce();
  cleanup();
  show({ kind: 'restorable' }, 1);
  expect(screen.getByText('Reopen')).toBeTruthy();
  expect(screen.queryByText('Restore only this one')).toBeNull();
});
