// Search in the active terminal and its scrollback, from the newest line up.

import type { ISearchOptions } from '@xterm/addon-search';
import { useEffect, useRef, useState } from 'react';
import { type Find, finder, nothing, sourceOf } from '../terminals/find';
import { words } from '../words';
import { type Counted, countMatches } from '../xterm/matches';
import type { XtermScreen } from '../xterm/screen';
import { FindInput } from './FindInput';
import './SearchBar.css';

interface Props {
  screen: XtermScreen;
  /** Looks for the same in all terminals. */
  onEverywhere(find: Find): void;
  onClose(): void;
}

const decorations: ISearchOptions['decorations'] = {
  matchBackground: '#7a5c00',
  matchOverviewRuler: '#c89600',
  activeMatchBackground: '#c86400',
  activeMatchColorOverviewRuler: '#ff8c1a',
};

type Direction = 'next' | 'previous';

export function SearchBar({ screen, onEverywhere, onClose }: Props) {
  const [find, setFind] = useState(nothing);
  const [found, setFound] = useState<Counted | 'bad' | null>(null);
  const round = useRef(0);

  useEffect(
    () => () => {
      ++round.current;
      void screen.search().then((search) => search.clearDecorations());
    },
    [screen],
  );

  async function go(wanted: Find, direction: Direction): Promise<void> {
    const mine = ++round.current;
    const search = await screen.search();
    if (mine !== round.current) return;
    const spansIn = finder(wanted);
    if (wanted.text === '' || !spansIn) {
      search.clearDecorations();
      return setFound(spansIn ? null : 'bad');
    }
    // The addon's own search for words looks at the last match of a line alone.
    const isExpression = wanted.word || wanted.regex;
    const sought = isExpression ? sourceOf(wanted) : wanted.text;
    const options = { caseSensitive: wanted.matchCase, regex: isExpression, decorations } as ISearchOptions;
    if (direction === 'next') search.findNext(sought, options);
    else search.findPrevious(sought, options);
    const counted = await countMatches(screen.terminal, spansIn, () => mine === round.current);
    if (counted && mine === round.current) setFound(counted);
  }

  /** Without a selection, the search begins at the end. */
  function begin(wanted: Find): void {
    setFind(wanted);
    screen.terminal.clearSelection();
    void go(wanted, 'previous');
  }

  return (
    <search
      className="hf-card hf-card--floating hf-search"
      onKeyDown={({ key, shiftKey, target }) => {
        if (key === 'Escape') onClose();
        else if (key === 'Enter' && target instanceof HTMLInputElement)
          void go(find, shiftKey ? 'next' : 'previous');
      }}
    >
      <FindInput find={find} label={words.search.label} onFind={begin} />
      <span className="hf-search__count" role="status">
        {said(found)}
      </span>
      <button
        type="button"
        className="hf-icon"
        aria-label={words.search.previous}
        onClick={() => void go(find, 'previous')}
      >
        ↑
      </button>
      <button
        type="button"
        className="hf-icon"
        aria-label={words.search.next}
        onClick={() => void go(find, 'next')}
      >
        ↓
      </button>
      <button
        type="button"
        className="hf-icon"
        aria-label={words.search.everywhere}
        title={words.search.everywhere}
        onClick={() => onEverywhere(find)}
      >
        ≡
      </button>
      <button type="button" className="hf-icon" aria-label={words.search.close} onClick={onClose}>
        ×
      </button>
    </search>
  );
}

function said(found: Counted | 'bad' | null): string {
  if (found === null) return '';
  if (found === 'bad') return words.search.bad;
  return found.count === 0 ? words.search.none : words.search.found(found.at, found.count);
}
