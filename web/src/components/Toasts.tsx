// Short notices in a corner. Errors stay until dismissed; the others disappear by themselves.

import { useEffect } from 'react';
import type { Toast } from '../terminals/state';
import './Toasts.css';

interface Props {
  toasts: Toast[];
  onDismiss(id: number): void;
}

const shownFor = 6000;

export function Toasts({ toasts, onDismiss }: Props) {
  return (
    <div className="hf-toasts" role="log" aria-live="polite" aria-label="Notices">
      {toasts.map((toast) => (
        <ToastCard key={toast.id} toast={toast} onDismiss={onDismiss} />
      ))}
    </div>
  );
}

function ToastCard({ toast, onDismiss }: { toast: Toast; onDismiss(id: number): void }) {
  const { id, level, text } = toast;
  useEffect(() => {
    if (level === 'error') return;
    const timer = setTimeout(() => onDismiss(id), shownFor);
    return () => clearTimeout(timer);
  }, [id, level, onDismiss]);
  return (
    <div
      className={`hf-card hf-card--floating hf-toast hf-toast--${level}`}
      role={level === 'error' ? 'alert' : undefined}
    >
      <span className="hf-toast__text">{text}</span>
      <button type="button" className="hf-icon" aria-label="Dismiss" onClick={() => onDismiss(id)}>
        ×
      </button>
    </div>
  );
}
