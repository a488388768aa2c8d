// Lies over a single terminal while it is not there: each tab has its own, and loses it when its own terminal is back.

import type { TabStatus } from '../terminals/state';
import './ConnectionOverlay.css';

interface Props {
  status: TabStatus;
  /** How many terminals wait to be restored, this one included. */
  waiting: number;
  onRestore(): void;
  onRestoreAll(): void;
  onRetry(): void;
  onTakeBack(): void;
  onClose(): void;
}

export function ConnectionOverlay({
  status,
  waiting,
  onRestore,
  onRestoreAll,
  onRetry,
  onTakeBack,
  onClose,
}: Props) {
  switch (status.kind) {
    case 'connected':
    case 'exited':
      return null;
    case 'reconnecting':
      return (
        <div className="hf-overlay hf-overlay--passing" role="status">
          <span className="hf-card hf-overlay__text">Reconnecting…</span>
        </div>
      );
    case 'restorable':
      return (
        <div className="hf-overlay" role="status">
          <span className="hf-card hf-overlay__text">
            This terminal ended with the machine.
            <small>It can be made again, with what it showed.</small>
          </span>
          <button type="button" className="hf-button hf-button--main" onClick={onRestoreAll}>
            {waiting === 1 ? 'Restore' : `Restore ${waiting} terminals`}
          </button>
          {waiting > 1 && (
            <button type="button" className="hf-button" onClick={onRestore}>
              Only this one
            </button>
          )}
          <button type="button" className="hf-button" onClick={onClose}>
            Close
          </button>
        </div>
      );
    case 'detached':
      return (
        <div className="hf-overlay" role="status">
          <span className="hf-card hf-overlay__text">Another viewer took this terminal over.</span>
          <button type="button" className="hf-button" onClick={onTakeBack}>
            Show it here
          </button>
        </div>
      );
    case 'failed':
      return (
        <div className="hf-overlay" role="alert">
          <span className="hf-card hf-overlay__text">
            {status.error}
            {status.details && <small>{status.details}</small>}
          </span>
          <button type="button" className="hf-button hf-button--main" onClick={onRetry}>
            Try again
          </button>
          <button type="button" className="hf-button" onClick={onClose}>
            Close
          </button>
        </div>
      );
  }
}
