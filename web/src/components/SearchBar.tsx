// Search in the active terminal and its scrollback, from the newest line up.

import type { ISearchOptions } from '@xterm/addon-search';
import { useEffect, useState } from 'react';
import { words } from '../words';
import { countMatches } from '../xterm/matches';
import type { XtermScreen } from '../xterm/screen';
import './SearchBar.css';

interface Props {
  screen: XtermScreen;
  onClose(): void;
}

const options: ISearchOptions = {
  decorations: {
    matchBackground: '#7a5c00',
    matchOverviewRuler: '#c89600',
    activeMatchBackground: '#c86400',
    activeMatchColorOverviewRuler: '#ff8c1a',
  },
};

export function SearchBar({ screen, onClose }: Props) {
  const [text, setText] = useState('');
  const [found, setFound] = useState<{ at: number; count: number } | null>(null);

  useEffect(() => () => void screen.search().then((search) => search.clearDecorations()), [screen]);

  async function find(what: string, direction: 'next' | 'previous'): Promise<void> {
    const search = await screen.search();
    if (what === '') {
      search.clearDecorations();
      return setFound(null);
    }
    if (direction === 'next') search.findNext(what, options);
    else search.findPrevious(what, options);
    setFound(countMatches(screen.terminal, what));
  }

  /** Without a selection, the search begins at the end. */
  function begin(what: string): void {
    setText(what);
    screen.terminal.clearSelection();
    void find(what, 'previous');
  }

  return (
    <search className="hf-card hf-card--floating hf-search">
      <input
        className="hf-input"
        aria-label={words.search.label}
        placeholder={words.search.placeholder}
        // biome-ignore lint/a11y/noAutofocus: it opens for typing.
        autoFocus
        value={text}
        onChange={(event) => begin(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onClose();
          if (event.key === 'Enter') void find(text, event.shiftKey ? 'next' : 'previous');
        }}
      />
      <span className="hf-search__count" role="status">
        {found && (found.count === 0 ? words.search.none : words.search.found(found.at, found.count))}
      </span>
      <button
        type="button"
        className="hf-icon"
        aria-label={words.search.previous}
        onClick={() => void find(text, 'previous')}
      >
        ↑
      </button>
      <button
        type="button"
        className="hf-icon"
        aria-label={words.search.next}
        onClick={() => void find(text, 'next')}
      >
        ↓
      </button>
      <button type="button" className="hf-icon" aria-label={words.search.close} onClick={onClose}>
        ×
      </button>
    </search>
  );
}
