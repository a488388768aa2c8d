// An input line with a list to choose from, used by the command bar and the session switcher.

import {
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import './Picker.css';

export interface PickerItem {
  id: string;
  label: string;
  hint?: string;
  keys?: string;
  /** What it is, in a word. */
  kind?: string;
  /** What Tab puts into the line. */
  completion?: string;
  choose(): void;
}

interface Props {
  label: string;
  placeholder: string;
  line: string;
  items: PickerItem[];
  /** Said if the list is empty. */
  nothing?: string | undefined;
  footer?: ReactNode;
  /** Shown below the list. */
  panel?: ReactNode;
  onLine(line: string): void;
  /** Enter was pressed while the list is empty. */
  onSubmit(): void;
  onClose(): void;
  /** Arrow up was pressed in an empty line. */
  onHistory?(): void;
}

export function Picker(props: Props) {
  const { label, placeholder, line, items, nothing, footer, panel, onLine, onSubmit, onClose, onHistory } =
    props;
  const ref = useRef<HTMLDialogElement>(null);
  const panelRef = useRef<HTMLDivElement>(null);
  const latest = useRef(onClose);
  latest.current = onClose;
  const listId = useId();
  const [selected, setSelected] = useState(0);
  const current = Math.min(selected, items.length - 1);
  // A layout effect, because a dialog returns the focus only if it is closed while in the page.
  useLayoutEffect(() => {
    const dialog = ref.current;
    // Not modal: an extension's question must be within reach.
    dialog?.show();
    dialog?.querySelector('input')?.focus();
    const onPointerDown = ({ target }: PointerEvent) => {
      if (target instanceof Element && !target.closest('.hf-picker, .hf-question, .hf-toasts'))
        latest.current();
    };
    document.addEventListener('pointerdown', onPointerDown);
    return () => {
      document.removeEventListener('pointerdown', onPointerDown);
      dialog?.close();
    };
  }, []);
  useEffect(() => {
    document.getElementById(`${listId}-${current}`)?.scrollIntoView?.({ block: 'nearest' });
  }, [listId, current]);

  function scrollPanel(pages: number): void {
    const element = panelRef.current;
    element?.scrollBy({ top: pages * 0.9 * element.clientHeight });
  }

  function onKeyDown(event: KeyboardEvent): void {
    const item = items[current];
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Escape') onClose();
    else if (event.key === 'ArrowUp' && line === '' && onHistory) onHistory();
    else if (event.key === 'PageDown') scrollPanel(1);
    else if (event.key === 'PageUp') scrollPanel(-1);
    else if (event.key === 'ArrowDown') setSelected(Math.min(current + 1, items.length - 1));
    else if (event.key === 'ArrowUp') setSelected(Math.max(current - 1, 0));
    else if (event.key === 'Tab') {
      if (item) onLine(item.completion ?? item.label);
    } else if (event.key === 'Enter') {
      if (item) item.choose();
      else onSubmit();
    } else return;
    event.preventDefault();
  }

  return (
    <dialog
      ref={ref}
      className="hf-card hf-card--floating hf-picker"
      aria-label={label}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onKeyDown={onKeyDown}
    >
      <input
        className="hf-picker__line"
        role="combobox"
        aria-label={label}
        aria-expanded="true"
        aria-controls={listId}
        aria-activedescendant={items.length > 0 ? `${listId}-${current}` : undefined}
        placeholder={placeholder}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        autoFocus
        value={line}
        onChange={(event) => {
          setSelected(0);
          onLine(event.target.value);
        }}
      />
      <div className="hf-picker__list" role="listbox" id={listId} aria-label={label}>
        {items.map((item, index) => (
          // The input keeps the focus and handles the list's keys.
          // biome-ignore lint/a11y/useKeyWithClickEvents: see above.
          // biome-ignore lint/a11y/useFocusableInteractive: see above.
          <div
            key={item.id}
            id={`${listId}-${index}`}
            role="option"
            aria-selected={index === current}
            className="hf-picker__item"
            onClick={item.choose}
          >
            <span>{item.label}</span>
            {item.hint && <span className="hf-picker__hint">{item.hint}</span>}
            {item.keys && <kbd className="hf-picker__keys">{item.keys}</kbd>}
            {item.kind && <span className="hf-picker__kind">{item.kind}</span>}
          </div>
        ))}
      </div>
      {items.length === 0 && nothing !== undefined && (
        <p className="hf-picker__nothing" role="status">
          {nothing}
        </p>
      )}
      {panel && (
        <div className="hf-picker__panel" ref={panelRef}>
          {panel}
        </div>
      )}
      {footer && <div className="hf-picker__footer">{footer}</div>}
    </dialog>
  );
}
