// Lies over a single terminal while it is not there: each tab has its own, and loses it when its own terminal is back.

import type { TabStatus } from '../terminals/state';
import './ConnectionOverlay.css';

interface Props {
  status: TabStatus;
  onRetry(): void;
  onTakeBack(): void;
  onClose(): void;
}

export function ConnectionOverlay({ status, onRetry, onTakeBack, onClose }: Props) {
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
