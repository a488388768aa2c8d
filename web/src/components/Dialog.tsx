// A modal dialog. The browser's dialog element keeps the focus inside and closes on Escape.

import { type ReactNode, useLayoutEffect, useRef } from 'react';
import './Dialog.css';

interface Props {
  title: string;
  children: ReactNode;
  onClose(): void;
  wide?: boolean;
}

export function Dialog({ title, children, onClose, wide = false }: Props) {
  const ref = useRef<HTMLDialogElement>(null);
  // A layout effect, because a dialog returns the focus only if it is closed while in the page.
  useLayoutEffect(() => {
    const dialog = ref.current;
    dialog?.showModal();
    // The browser would focus the first button, which cancels.
    dialog?.querySelector<HTMLElement>('[data-focus="true"]')?.focus();
    return () => dialog?.close();
  }, []);
  return (
    <dialog
      ref={ref}
      className={`hf-card hf-card--floating hf-dialog${wide ? ' hf-dialog--wide' : ''}`}
      aria-label={title}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <h2 className="hf-dialog__title">{title}</h2>
      {children}
    </dialog>
  );
}
