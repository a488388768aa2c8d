// Covers one terminal while it is unavailable. Each tab has its own overlay.

import type { TabStatus } from '../terminals/state';
import './ConnectionOverlay.css';

interface Props {
  status: TabStatus;
  /** How many terminals can be restored, including this one. */
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
            This terminal ended because the machine or the keeper stopped.
            <small>Restoring starts its program again and brings back its output.</small>
          </span>
          <button type="button" className="hf-button hf-button--main" onClick={onRestoreAll}>
            {waiting === 1 ? 'Restore' : `Restore ${waiting} terminals`}
          </button>
          {waiting > 1 && (
            <button type="button" className="hf-button" onClick={onRestore}>
              Restore only this one
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
          <span className="hf-card hf-overlay__text">Another viewer took over this terminal.</span>
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
