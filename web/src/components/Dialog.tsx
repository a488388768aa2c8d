// A question in the middle of the page. The browser's own dialog element keeps the focus in it and closes on Escape.

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
  // Closed while it is still in the page, the dialog gives the focus back at once.
  useLayoutEffect(() => {
    const dialog = ref.current;
    dialog?.showModal();
    // The browser would take the first button, which is the one that cancels.
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
