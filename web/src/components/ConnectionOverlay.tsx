// Covers one terminal while it is unavailable. Each tab has its own overlay.

import type { TabStatus } from '../terminals/state';
import { words } from '../words';
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
          <span className="hf-card hf-overlay__text">{words.terminal.reconnecting}</span>
        </div>
      );
    case 'restorable':
      return (
        <div className="hf-overlay" role="status">
          <span className="hf-card hf-overlay__text">
            {words.terminal.stopped}
            <small>{words.terminal.stoppedWhy}</small>
          </span>
          <button type="button" className="hf-button hf-button--main" onClick={onRestoreAll}>
            {words.terminal.reopen(waiting)}
          </button>
          {waiting > 1 && (
            <button type="button" className="hf-button" onClick={onRestore}>
              {words.terminal.reopenOne}
            </button>
          )}
          <button type="button" className="hf-button" onClick={onClose}>
            {words.close}
          </button>
        </div>
      );
    case 'detached':
      return (
        <div className="hf-overlay" role="status">
          <span className="hf-card hf-overlay__text">{words.terminal.takenOver}</span>
          <button type="button" className="hf-button" onClick={onTakeBack}>
            {words.terminal.takeBack}
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
            {words.tryAgain}
          </button>
          <button type="button" className="hf-button" onClick={onClose}>
            {words.close}
          </button>
        </div>
      );
  }
}
