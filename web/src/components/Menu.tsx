// A context menu. Arrow keys move, letters find, Enter and Space choose, Escape and Tab close.

import { type KeyboardEvent, useLayoutEffect, useRef } from 'react';
import './Menu.css';

export interface MenuItem {
  label: string;
  keys?: string;
  /** A line above it. */
  begins?: boolean;
  isDisabled?: boolean;
  run(): void;
}

interface Props {
  label: string;
  items: MenuItem[];
  /** In the window, in pixels. */
  at: { x: number; y: number };
  onClose(): void;
}

export function Menu({ label, items, at, onClose }: Props) {
  const ref = useRef<HTMLDivElement>(null);
  const latest = useRef(onClose);
  latest.current = onClose;

  useLayoutEffect(() => {
    const menu = ref.current;
    if (!menu) return;
    const { width, height } = menu.getBoundingClientRect();
    const within = (side: number, size: number, most: number) =>
      `${Math.max(4, side + size > most - 4 ? Math.min(side, most - 4) - size : side)}px`;
    menu.style.left = within(at.x, width, innerWidth);
    menu.style.top = within(at.y, height, innerHeight);
    menu.querySelector<HTMLElement>('[role="menuitem"]:not([aria-disabled="true"])')?.focus();
    const close = () => latest.current();
    const onPointerDown = ({ target }: PointerEvent) => {
      if (target instanceof Node && !menu.contains(target)) close();
    };
    document.addEventListener('pointerdown', onPointerDown, { capture: true });
    addEventListener('resize', close);
    addEventListener('blur', close);
    return () => {
      document.removeEventListener('pointerdown', onPointerDown, { capture: true });
      removeEventListener('resize', close);
      removeEventListener('blur', close);
    };
  }, [at]);

  function choose({ isDisabled, run }: MenuItem): void {
    if (isDisabled) return;
    onClose();
    run();
  }

  function onKeyDown(event: KeyboardEvent): void {
    const buttons = [...(ref.current?.querySelectorAll<HTMLElement>('[role="menuitem"]') ?? [])];
    const current = buttons.indexOf(document.activeElement as HTMLElement);
    const go = (index: number) => buttons[(index + buttons.length) % buttons.length]?.focus();
    if (event.key === 'Escape' || event.key === 'Tab') onClose();
    else if (event.key === 'ArrowDown') go(current + 1);
    else if (event.key === 'ArrowUp') go(current - 1);
    else if (event.key === 'Home') go(0);
    else if (event.key === 'End') go(-1);
    else if (event.key.length === 1 && event.key !== ' ') {
      const letter = event.key.toLowerCase();
      const order = [...buttons.slice(current + 1), ...buttons.slice(0, current + 1)];
      order.find((each) => each.textContent?.toLowerCase().startsWith(letter))?.focus();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  return (
    <div
      ref={ref}
      role="menu"
      tabIndex={-1}
      aria-label={label}
      className="hf-card hf-card--floating hf-menu"
      onKeyDown={onKeyDown}
      onBlur={({ relatedTarget }) => {
        if (!ref.current?.contains(relatedTarget)) onClose();
      }}
      onContextMenu={(event) => event.preventDefault()}
    >
      {items.map((item) => (
        <button
          key={item.label}
          type="button"
          role="menuitem"
          tabIndex={-1}
          aria-disabled={item.isDisabled}
          className={`hf-menu__item${item.begins ? ' hf-menu__item--begins' : ''}`}
          onPointerEnter={({ currentTarget }) => currentTarget.focus()}
          onClick={() => choose(item)}
        >
          <span>{item.label}</span>
          {item.keys && <kbd>{item.keys}</kbd>}
        </button>
      ))}
    </div>
  );
}
