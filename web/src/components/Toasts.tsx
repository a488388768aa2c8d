// Short notices in a corner. Errors stay until dismissed; the others disappear by themselves, unless
// somebody is there.

import { useEffect, useState } from 'react';
import type { Toast } from '../terminals/state';
import { words } from '../words';
import './Toasts.css';

interface Props {
  toasts: Toast[];
  onDismiss(id: number): void;
  /** The focus returns to the terminal. */
  onLeave(): void;
}

const shownFor = 6000;

export function Toasts({ toasts, onDismiss, onLeave }: Props) {
  const [isLookedAt, setLookedAt] = useState(false);
  return (
    <section
      className="hf-toasts"
      aria-label={words.notices}
      onFocus={() => setLookedAt(true)}
      onBlur={() => setLookedAt(false)}
      onMouseEnter={() => setLookedAt(true)}
      onMouseLeave={() => setLookedAt(false)}
    >
      <div role="log" aria-live="polite">
        {toasts.map((toast) => (
          <ToastCard
            key={toast.id}
            toast={toast}
            stays={isLookedAt}
            onDismiss={(id) => {
              onDismiss(id);
              setLookedAt(false);
              if (isLookedAt) onLeave();
            }}
          />
        ))}
      </div>
    </section>
  );
}

interface CardProps {
  toast: Toast;
  stays: boolean;
  onDismiss(id: number): void;
}

function ToastCard({ toast, stays, onDismiss }: CardProps) {
  const { id, level, text } = toast;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the time starts again only if it stays.
  useEffect(() => {
    if (level === 'error' || stays) return;
    const timer = setTimeout(() => onDismiss(id), shownFor);
    return () => clearTimeout(timer);
  }, [id, level, stays]);
  return (
    <div
      className={`hf-card hf-card--floating hf-toast hf-toast--${level}`}
      role={level === 'error' ? 'alert' : undefined}
    >
      <span className="hf-toast__text">{text}</span>
      <button type="button" className="hf-icon" aria-label={words.dismiss} onClick={() => onDismiss(id)}>
        ×
      </button>
    </div>
  );
}
