// Looks for lines in all terminals of all sessions, and goes to one.

import { type KeyboardEvent, useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import { elsewhere } from '../actions/palette';
import type { FoundLine } from '../protocol/messages';
import type { TerminalsClient } from '../terminals/client';
import { type Find, finder } from '../terminals/find';
import type { FoundEverywhere as Found } from '../terminals/search';
import { labelOf, tabOf } from '../terminals/state';
import { words } from '../words';
import { FindInput } from './FindInput';
import './Picker.css';
import './SearchBar.css';
import './FindEverywhere.css';

interface Props {
  client: TerminalsClient;
  /** What was looked for last. */
  initial: Find;
  onFind(find: Find): void;
  onGo(line: FoundLine): void;
  onClose(): void;
}

/** While a person types, it does not search for each key. */
const pause = 150;

export function FindEverywhere({ client, initial, onFind, onGo, onClose }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const listId = useId();
  const [find, setFind] = useState(initial);
  const [found, setFound] = useState<Found | string | 'searching' | null>(null);
  const [names, setNames] = useState<ReadonlyMap<string, string>>(new Map());
  const [selected, setSelected] = useState(0);
  const lines = found !== null && typeof found !== 'string' ? found.matches : [];
  const current = Math.min(selected, lines.length - 1);

  useLayoutEffect(() => {
    dialog.current?.showModal();
    dialog.current?.querySelector('input')?.focus();
    return () => dialog.current?.close();
  }, []);
  useEffect(() => {
    void client.allTerminals().then((all) => {
      setNames(new Map(elsewhere(all, '').map(({ info, label }) => [info.terminalId, label])));
    });
  }, [client]);
  useEffect(() => {
    setFound(find.text === '' ? null : 'searching');
    const timer = setTimeout(
      () => void client.search.find(find).then((answer) => answer !== undefined && setFound(answer)),
      pause,
    );
    return () => clearTimeout(timer);
  }, [client, find]);
  useEffect(() => {
    document.getElementById(`${listId}-${current}`)?.scrollIntoView?.({ block: 'nearest' });
  }, [listId, current]);

  function onKeyDown(event: KeyboardEvent): void {
    if (event.nativeEvent.isComposing) return;
    const line = lines[current];
    if (event.key === 'ArrowDown') setSelected(Math.min(current + 1, lines.length - 1));
    else if (event.key === 'ArrowUp') setSelected(Math.max(current - 1, 0));
    else if (event.key === 'Enter' && event.target instanceof HTMLInputElement && line) onGo(line);
    else return;
    event.preventDefault();
  }

  return (
    <dialog
      ref={dialog}
      className="hf-card hf-card--floating hf-picker hf-everywhere"
      aria-label={words.search.everywhere}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onKeyDown={onKeyDown}
      onClick={({ target }) => target === dialog.current && onClose()}
    >
      <div className="hf-everywhere__line">
        <FindInput
          find={find}
          label={words.search.everywhere}
          onFind={(next) => {
            setSelected(0);
            setFind(next);
            onFind(next);
          }}
        />
      </div>
      <ul className="hf-picker__list hf-everywhere__list">
        {grouped(lines).map((group) => (
          <li key={group.terminalId}>
            <h3 className="hf-everywhere__where">{nameOf(client, names, group.lines[0]?.line)}</h3>
            <ul>
              {group.lines.map(({ line, index }) => (
                <li key={`${line.line}`}>
                  <button
                    type="button"
                    tabIndex={-1}
                    id={`${listId}-${index}`}
                    aria-current={index === current}
                    className="hf-everywhere__found"
                    onClick={() => onGo(line)}
                  >
                    <Highlighted text={line.text} find={find} />
                  </button>
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
      <div className="hf-picker__footer" role="status">
        {said(found, lines)}
      </div>
    </dialog>
  );
}

interface Group {
  terminalId: string;
  lines: { line: FoundLine; index: number }[];
}

function grouped(lines: readonly FoundLine[]): Group[] {
  const groups: Group[] = [];
  for (const [index, line] of lines.entries()) {
    const { terminalId } = line;
    const last = groups.at(-1);
    if (last?.terminalId === terminalId) last.lines.push({ line, index });
    else groups.push({ terminalId, lines: [{ line, index }] });
  }
  return groups;
}

function nameOf(
  { state }: TerminalsClient,
  names: ReadonlyMap<string, string>,
  line: FoundLine | undefined,
): string {
  if (!line) return '';
  const tab = tabOf(state, line.terminalId);
  return words.search.where(
    line.session,
    tab ? labelOf(tab) : (names.get(line.terminalId) ?? line.name ?? ''),
  );
}

function said(found: Found | string | 'searching' | null, lines: readonly FoundLine[]): string {
  if (found === null) return '';
  if (found === 'searching') return words.search.searching;
  if (typeof found === 'string') return found;
  const { count, skipped } = found;
  const terminals = new Set(lines.map(({ terminalId }) => terminalId)).size;
  const counts =
    count === 0
      ? words.search.none
      : count > lines.length
        ? words.search.some(lines.length, count)
        : words.search.all(count, terminals);
  return skipped.length === 0 ? counts : `${counts} · ${words.search.skipped(skipped.length)}`;
}

/** The matches in the line; the daemon's expressions may be none of the browser's. */
function Highlighted({ text, find }: { text: string; find: Find }) {
  const spans = finder(find)?.(text) ?? [];
  const parts = [];
  let at = 0;
  // Long lines begin near the first match.
  const from = Math.max(0, (spans[0]?.from ?? 0) - 60);
  if (from > 0) parts.push('…');
  at = from;
  for (const span of spans) {
    parts.push(text.slice(at, span.from), <mark key={span.from}>{text.slice(span.from, span.to)}</mark>);
    at = span.to;
  }
  return (
    <code>
      {parts}
      {text.slice(at)}
    </code>
  );
}
