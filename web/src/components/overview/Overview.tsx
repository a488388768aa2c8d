// Every terminal of every session, as a live picture. Type to find one, Enter goes there.

import {
  type KeyboardEvent,
  memo,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { ranked } from '../../actions/rank';
import type { TerminalInfo } from '../../protocol/messages';
import type { TerminalsClient } from '../../terminals/client';
import type { Overview as Pictures } from '../../terminals/overview';
import type { State } from '../../terminals/state';
import { words } from '../../words';
import type { Colours } from '../../xterm/themes';
import { stateText } from '../stateText';
import { drawPicture } from './drawPicture';
import './Overview.css';

interface Found {
  info: TerminalInfo;
  label: string;
  hint: string;
}

/** In the sessions' order, each with a number for those without a name. */
function entriesOf(terminals: readonly TerminalInfo[]): Found[] {
  const places = new Map<string, number>();
  return [...terminals]
    .sort((a, b) => a.order - b.order)
    .map((info) => {
      const place = (places.get(info.session) ?? 0) + 1;
      places.set(info.session, place);
      const said = info.state ? stateText(info.state) : '';
      return {
        info,
        label: info.name || info.title || words.tabs.automatic(place),
        hint: [info.session, info.process, info.workingDirectory, said].filter(Boolean).join(' '),
      };
    });
}

/** The shown session first. */
function bySession(found: readonly Found[], shown: string): [string, Found[]][] {
  const sessions = new Map<string, Found[]>();
  for (const each of found) {
    const others = sessions.get(each.info.session) ?? [];
    sessions.set(each.info.session, [...others, each]);
  }
  return [...sessions].sort(([a], [b]) => Number(b === shown) - Number(a === shown) || a.localeCompare(b));
}

interface Props {
  client: TerminalsClient;
  state: State;
  colours: Colours;
  onClose(): void;
}

export function Overview({ client, state, colours, onClose }: Props) {
  const pictures = client.overview;
  const terminals = useSyncExternalStore(pictures.subscribe, pictures.get);
  const [line, setLine] = useState('');
  const [chosen, setChosen] = useState<string | null>(state.active);
  const dialog = useRef<HTMLDialogElement>(null);
  const grid = useRef<HTMLDivElement>(null);
  const groups = useMemo(() => {
    const all = entriesOf(terminals);
    return bySession(line.trim() === '' ? all : ranked(line, all), state.session);
  }, [terminals, line, state.session]);
  const shown = groups.flatMap(([, found]) => found);
  const current = shown.find(({ info }) => info.terminalId === chosen) ?? shown[0];
  const currentId = current?.info.terminalId;

  // A layout effect, because a dialog returns the focus only if it is closed while in the page.
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    element?.querySelector('input')?.focus();
    pictures.open();
    return () => {
      pictures.close();
      element?.close();
    };
  }, [pictures]);
  useInSight(grid, pictures, shown.map(({ info }) => info.terminalId).join());
  useEffect(() => {
    if (currentId) document.getElementById(cardId(currentId))?.scrollIntoView({ block: 'nearest' });
  }, [currentId]);

  function go({ info }: Found): void {
    onClose();
    void client.goTo(info.session, info.terminalId);
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.nativeEvent.isComposing) return;
    const next = current && neighbour(grid.current, currentId, event.key);
    if (event.key === 'Enter' && current) go(current);
    else if (event.key === 'Escape') onClose();
    else if (next) setChosen(next);
    else return;
    event.preventDefault();
  }

  return (
    <dialog
      ref={dialog}
      className="hf-overview"
      aria-label={words.actions.overview}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onKeyDown={onKeyDown}
    >
      <div className="hf-overview__head">
        <input
          className="hf-overview__filter"
          role="combobox"
          aria-label={words.overview.filter}
          aria-expanded="true"
          aria-controls="hf-overview-list"
          aria-activedescendant={currentId && cardId(currentId)}
          placeholder={words.overview.filter}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          value={line}
          onChange={(event) => setLine(event.target.value)}
        />
        <button
          type="button"
          className="hf-icon"
          aria-label={words.close}
          title={words.close}
          onClick={onClose}
        >
          ×
        </button>
      </div>
      <div
        className="hf-overview__list"
        role="listbox"
        id="hf-overview-list"
        aria-label={words.actions.overview}
        tabIndex={0}
        ref={grid}
      >
        {groups.map(([session, found]) => (
          // biome-ignore lint/a11y/useSemanticElements: a group of options, not of fields.
          <div key={session} role="group" aria-label={session} className="hf-overview__group">
            <div className="hf-overview__session" aria-hidden="true">
              {words.overview.session(session, found.length)}
            </div>
            <div className="hf-overview__cards" role="presentation">
              {found.map((each) => (
                <Card
                  key={each.info.terminalId}
                  info={each.info}
                  label={each.label}
                  isCurrent={each.info.terminalId === currentId}
                  client={client}
                  colours={colours}
                  onClose={onClose}
                />
              ))}
            </div>
          </div>
        ))}
      </div>
      {shown.length === 0 && (
        <p className="hf-overview__none" role="status">
          {terminals.length === 0 ? words.overview.none : words.palette.none}
        </p>
      )}
      <div className="hf-overview__footer">{words.overview.footer}</div>
    </dialog>
  );
}

function cardId(terminalId: string): string {
  return `hf-card-${terminalId}`;
}

/** The terminal that the key moves to: the next one, or the nearest in the row above or below. */
function neighbour(grid: HTMLElement | null, from: string | undefined, key: string): string | undefined {
  const cards = [...(grid?.querySelectorAll<HTMLElement>('[role="option"]') ?? [])];
  const at = cards.findIndex((card) => card.dataset.terminal === from);
  const step = { ArrowRight: 1, ArrowLeft: -1 }[key];
  if (step !== undefined) return cards[at + step]?.dataset.terminal;
  const down = { ArrowDown: 1, ArrowUp: -1 }[key];
  const here = cards[at];
  if (down === undefined || !here) return undefined;
  const others = cards
    .filter((card) => (card.offsetTop - here.offsetTop) * down > 0)
    .sort(
      (a, b) =>
        (a.offsetTop - b.offsetTop) * down ||
        Math.abs(a.offsetLeft - here.offsetLeft) - Math.abs(b.offsetLeft - here.offsetLeft),
    );
  return others[0]?.dataset.terminal;
}

/** Tells which cards are in sight: only those are drawn. */
function useInSight(grid: { current: HTMLElement | null }, pictures: Pictures, ids: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: other cards have other elements.
  useEffect(() => {
    const list = grid.current;
    if (!list) return;
    const inSight = new Set<string>();
    const observer = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) {
          const { terminal = '' } = (target as HTMLElement).dataset;
          if (isIntersecting) inSight.add(terminal);
          else inSight.delete(terminal);
        }
        pictures.show([...inSight].sort());
      },
      { root: list },
    );
    for (const card of list.querySelectorAll('[role="option"]')) observer.observe(card);
    return () => observer.disconnect();
  }, [grid, pictures, ids]);
}

interface CardProps {
  info: TerminalInfo;
  label: string;
  isCurrent: boolean;
  client: TerminalsClient;
  colours: Colours;
  onClose(): void;
}

const Card = memo(function Card({ info, label, isCurrent, client, colours, onClose }: CardProps) {
  const { terminalId, session, status, state, workingDirectory } = info;
  const canvas = useRef<HTMLCanvasElement>(null);
  const said = status === 'restorable' ? words.tabs.restorable : state ? stateText(state) : '';
  useEffect(() => {
    let frame = 0;
    const draw = () => {
      frame = 0;
      const picture = client.overview.pictureOf(terminalId);
      if (picture && canvas.current) drawPicture(canvas.current, picture, colours);
    };
    const ask = () => {
      if (frame === 0) frame = requestAnimationFrame(draw);
    };
    ask();
    const stop = client.overview.watch(terminalId, ask);
    return () => {
      stop();
      cancelAnimationFrame(frame);
    };
  }, [client, terminalId, colours]);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the keys.
    // biome-ignore lint/a11y/useFocusableInteractive: the focus stays there.
    <div
      id={cardId(terminalId)}
      role="option"
      aria-selected={isCurrent}
      data-terminal={terminalId}
      data-state={state?.kind ?? status}
      className="hf-overview__card"
      onClick={() => {
        onClose();
        void client.goTo(session, terminalId);
      }}
    >
      <div className="hf-overview__name">
        <span className={`hf-tab__mark hf-tab__mark--${state?.kind ?? status}`} aria-hidden="true" />
        <span className="hf-overview__label">{label}</span>
      </div>
      <canvas ref={canvas} className="hf-overview__picture" style={{ background: colours.background }} />
      <div className="hf-overview__said">{said || info.process || ''}</div>
      <div className="hf-overview__directory">{workingDirectory ?? ''}</div>
    </div>
  );
});
