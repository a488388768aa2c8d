// Search in the active terminal and its scrollback.

import type { ISearchOptions } from '@xterm/addon-search';
import { useEffect, useState } from 'react';
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
  const [found, setFound] = useState<{ index: number; count: number } | null>(null);

  useEffect(() => {
    let results: { dispose(): void } | undefined;
    let isGone = false;
    void screen.search().then((search) => {
      if (isGone) return;
      results = search.onDidChangeResults(({ resultIndex, resultCount }) =>
        setFound({ index: resultIndex, count: resultCount }),
      );
    });
    return () => {
      isGone = true;
      results?.dispose();
      void screen.search().then((search) => search.clearDecorations());
    };
  }, [screen]);

  async function find(what: string, direction: 'next' | 'previous', incremental = false): Promise<void> {
    const search = await screen.search();
    if (what === '') {
      search.clearDecorations();
      setFound(null);
    } else if (direction === 'next') search.findNext(what, { ...options, incremental });
    else search.findPrevious(what, options);
  }

  return (
    <search className="hf-card hf-card--floating hf-search">
      <input
        className="hf-input"
        aria-label="Find in the terminal"
        placeholder="Find"
        // biome-ignore lint/a11y/noAutofocus: it opens for typing.
        autoFocus
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          void find(event.target.value, 'next', true);
        }}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onClose();
          if (event.key === 'Enter') void find(text, event.shiftKey ? 'previous' : 'next');
        }}
      />
      <span className="hf-search__count" role="status">
        {found && (found.count === 0 ? 'No matches' : `${found.index + 1} of ${found.count}`)}
      </span>
      <button
        type="button"
        className="hf-icon"
        aria-label="Previous match"
        onClick={() => void find(text, 'previous')}
      >
        ↑
      </button>
      <button
        type="button"
        className="hf-icon"
        aria-label="Next match"
        onClick={() => void find(text, 'next')}
      >
        ↓
      </button>
      <button type="button" className="hf-icon" aria-label="Close search" onClick={onClose}>
        ×
      </button>
    </search>
  );
}
