// The tabs: select, rename in place, drag, close. Arrow keys move between them.

import { type DragEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react';
import type { Group } from '../terminals/paneState';
import { mayChange, mayCreate, type Scope } from '../terminals/scope';
import { labelOf, type State, type Tab } from '../terminals/state';
import { mostUrgent, stateOfTab } from '../terminals/urgency';
import { words } from '../words';
import { type Dragged, droppedIn, startDrag } from './dragged';
import { stateText } from './stateText';
import './TabBar.css';
import { titled, useKeysFor } from './usePreferences';

/** A tab of the tab bar: the terminal that was active last, of one or more. */
export interface BarTab extends Tab {
  terminals: string[];
}

export function tabOfGroup(state: State, { lead, terminals }: Group): BarTab {
  const tabs = state.tabs.filter(({ terminalId }) => terminals.includes(terminalId));
  const tab = tabs.find(({ terminalId }) => terminalId === lead) as Tab;
  const has = (what: 'activity' | 'bell') => tabs.some((each) => each[what]);
  const urgent = mostUrgent(tabs.map(stateOfTab));
  return {
    ...tab,
    terminals,
    activity: has('activity'),
    bell: has('bell'),
    ...(urgent ? { state: urgent } : {}),
  };
}

interface Props {
  tabs: BarTab[];
  session: string;
  active: string | null;
  renaming: string | null;
  onActivate(terminalId: string): void;
  scope: Scope;
  onClose(terminalId: string): void;
  onNew(): void;
  onRename(terminalId: string, name: string): void;
  onRenaming(terminalId: string | null): void;
  /** A tab or a pane was dropped before a tab, or at the end. */
  onDropped(dragged: Dragged, before: string | null): void;
  /** The focus returns to the terminal, on Escape for instance. */
  onLeave(): void;
}

export function TabBar(props: Props) {
  const { tabs, active, onActivate, onClose, onNew, onRenaming, onLeave } = props;
  const keysFor = useKeysFor();
  const strip = useRef<HTMLDivElement>(null);
  const [dragged, setDragged] = useState<string | null>(null);
  const overflows = useOverflow(strip, tabs.length);
  const ids = tabs.map(({ terminalId }) => terminalId);

  useEffect(() => {
    if (active !== null)
      strip.current
        ?.querySelector('.hf-tab--active')
        ?.scrollIntoView?.({ block: 'nearest', inline: 'nearest' });
  }, [active]);

  function choose(terminalId: string): void {
    onActivate(terminalId);
    // Hidden until then, the terminal would not take the focus.
    requestAnimationFrame(() => {
      if (!strip.current?.querySelector('.hf-tab__rename')) onLeave();
    });
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (props.renaming !== null) return;
    const at = active === null ? -1 : ids.indexOf(active);
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const target =
      step !== undefined
        ? ids[(at + step + ids.length) % ids.length]
        : { Home: ids[0], End: ids[ids.length - 1] }[event.key];
    if (event.key === 'Escape' || event.key === 'Enter' || event.key === 'ArrowDown') onLeave();
    else if (event.key === 'F2') onRenaming(active);
    else if (event.key === 'Delete' && active !== null) onClose(active);
    else if (target !== undefined) {
      onActivate(target);
      requestAnimationFrame(() => {
        // Another key may have led away meanwhile.
        if (strip.current?.contains(document.activeElement))
          strip.current.querySelector<HTMLElement>('[aria-selected="true"]')?.focus();
      });
    } else return;
    event.preventDefault();
  }

  function onDrop(event: DragEvent, before: string | null): void {
    event.preventDefault();
    event.stopPropagation();
    const dropped = droppedIn(props.session, event);
    if (dropped && dropped.terminalId !== before) props.onDropped(dropped, before);
    setDragged(null);
  }

  return (
    <header className="hf-tabs">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a tab dropped beside the tabs goes to the end. */}
      <div
        className="hf-tabs__strip"
        ref={strip}
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => onDrop(event, null)}
      >
        {/* A list of tabs has nothing but tabs in it, and the close buttons are between them. */}
        <div
          role="tablist"
          aria-label={words.tabs.list}
          aria-owns={ids
            .filter((id) => id !== props.renaming)
            .map((id) => `hf-tab-${id}`)
            .join(' ')}
        />
        {/* biome-ignore lint/a11y/noStaticElementInteractions: keys come from the tabs. */}
        <div className="hf-tabs__list" onKeyDown={onKeyDown}>
          {tabs.map((tab) => (
            <TabButton
              key={tab.terminalId}
              tab={tab}
              isActive={tab.terminalId === active}
              isDragged={tab.terminalId === dragged}
              isRenaming={tab.terminalId === props.renaming}
              onDragStart={() => setDragged(tab.terminalId)}
              onDragEnd={() => setDragged(null)}
              onDrop={(event, isAfter) => {
                const next = ids[ids.indexOf(tab.terminalId) + 1] ?? null;
                onDrop(event, isAfter ? next : tab.terminalId);
              }}
              {...props}
              onActivate={choose}
            />
          ))}
        </div>
      </div>
      {overflows && <TabMenu tabs={tabs} active={active} onActivate={choose} />}
      {mayCreate(props.scope) && (
        <button
          type="button"
          className="hf-icon hf-tabs__new"
          aria-label={words.actions.new_terminal}
          title={titled(words.actions.new_terminal, keysFor('new_terminal'))}
          onClick={onNew}
        >
          +
        </button>
      )}
    </header>
  );
}

interface TabButtonProps extends Props {
  tab: BarTab;
  isActive: boolean;
  isDragged: boolean;
  isRenaming: boolean;
  onDragStart(): void;
  onDragEnd(): void;
  onDrop(event: DragEvent, isAfter: boolean): void;
}

function stateOf(tab: Tab): string {
  if (tab.status.kind === 'exited') return words.tabs.exited(tab.status.exitCode);
  if (tab.status.kind === 'failed') return words.tabs.failed;
  if (tab.status.kind === 'restorable') return words.tabs.restorable;
  if (tab.status.kind === 'reconnecting') return words.tabs.reconnecting;
  const news = tab.bell ? words.tabs.bell : tab.activity ? words.tabs.activity : '';
  const does = tab.state && tab.state.kind !== 'prompt' ? stateText(tab.state) : '';
  return [does, news].filter(Boolean).join(', ');
}

/**
 * Which sign the tab has. A bell shows until somebody looks, and then what the terminal does. New output
 * makes the name bold, and is a sign only where there is no other.
 */
function markOf({ status, state, bell, activity }: Tab): string {
  const kind = state?.kind;
  if (kind === 'waiting') return kind;
  if (status.kind === 'exited') return status.exitCode === 0 ? 'finished' : 'exited';
  if (status.kind !== 'connected') return status.kind;
  if (bell) return 'bell';
  if (kind === 'failed' || kind === 'succeeded' || kind === 'running') return kind;
  return activity ? 'activity' : 'none';
}

function TabButton({ tab, isActive, isDragged, isRenaming, ...on }: TabButtonProps) {
  const keysFor = useKeysFor();
  const { terminalId } = tab;
  const label = labelOf(tab);
  const state = stateOf(tab);
  if (isRenaming)
    return (
      <RenameField
        name={label}
        onDone={(name) => {
          on.onRenaming(null);
          if (name !== null && name !== label) on.onRename(terminalId, name);
        }}
      />
    );
  return (
    <div
      className={[
        'hf-tab',
        isActive ? 'hf-tab--active' : '',
        isDragged ? 'hf-tab--dragged' : '',
        tab.activity ? 'hf-tab--news' : '',
      ].join(' ')}
    >
      <button
        type="button"
        role="tab"
        id={`hf-tab-${terminalId}`}
        aria-selected={isActive}
        aria-controls={`hf-panel-${terminalId}`}
        tabIndex={isActive ? 0 : -1}
        className="hf-tab__button"
        title={[label, tab.workingDirectory, state].filter(Boolean).join('\n')}
        draggable
        onClick={() => on.onActivate(terminalId)}
        onDoubleClick={() => on.onRenaming(terminalId)}
        onAuxClick={(event) => {
          if (event.button === 1) on.onClose(terminalId);
        }}
        onDragStart={(event) => {
          startDrag(event, { session: on.session, terminalId, isWhole: true }, label);
          on.onDragStart();
        }}
        onDragEnd={on.onDragEnd}
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => {
          const { left, width } = event.currentTarget.getBoundingClientRect();
          on.onDrop(event, event.clientX > left + width / 2);
        }}
      >
        <span className={`hf-tab__mark hf-tab__mark--${markOf(tab)}`} aria-hidden="true" />
        <span className="hf-tab__label">{label}</span>
        {tab.terminals.length > 1 && (
          <span className="hf-tab__panes">
            {tab.terminals.length}
            <span className="hf-hidden"> {words.panes.panes}</span>
          </span>
        )}
        {state && <span className="hf-hidden">, {state}</span>}
      </button>
      {mayChange(on.scope) && (
        <button
          type="button"
          className="hf-icon hf-tab__close"
          tabIndex={-1}
          aria-label={words.tabs.close(label)}
          title={titled(words.actions.close_terminal, keysFor('close_terminal'))}
          onClick={() => on.onClose(terminalId)}
        >
          ×
        </button>
      )}
    </div>
  );
}

/** Gives `null` to leave the name alone. An empty name removes it. */
function RenameField({ name, onDone }: { name: string; onDone(name: string | null): void }) {
  const done = useRef(false);
  const finish = (value: string | null) => {
    if (done.current) return;
    done.current = true;
    onDone(value);
  };
  return (
    <input
      className="hf-tab__rename"
      aria-label={words.tabs.name}
      defaultValue={name}
      maxLength={50}
      // biome-ignore lint/a11y/noAutofocus: it opens for typing.
      autoFocus
      onFocus={(event) => event.target.select()}
      onBlur={(event) => finish(event.target.value)}
      onKeyDown={(event) => {
        event.stopPropagation();
        // The terminal has the focus by then and would get the key press.
        if (event.key === 'Enter' || event.key === 'Escape') event.preventDefault();
        if (event.key === 'Enter') finish(event.currentTarget.value);
        if (event.key === 'Escape') finish(null);
      }}
    />
  );
}

function TabMenu({ tabs, active, onActivate }: Pick<Props, 'tabs' | 'active' | 'onActivate'>) {
  return (
    <select
      className="hf-tabs__menu"
      aria-label={words.tabs.all}
      value={active ?? ''}
      onChange={(event) => onActivate(event.target.value)}
    >
      {tabs.map((tab) => (
        <option key={tab.terminalId} value={tab.terminalId}>
          {labelOf(tab)}
        </option>
      ))}
    </select>
  );
}

function useOverflow(ref: { current: HTMLElement | null }, count: number): boolean {
  const [overflows, setOverflows] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another tab changes what fits.
  useEffect(() => {
    const element = ref.current;
    if (!element) return;
    const update = () => setOverflows(element.scrollWidth > element.clientWidth + 1);
    update();
    const observer = new ResizeObserver(update);
    observer.observe(element);
    return () => observer.disconnect();
  }, [ref, count]);
  return overflows;
}
