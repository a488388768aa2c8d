// What to look for: a line, and what counts as a match.

import { useId } from 'react';
import { type Find, finder } from '../terminals/find';
import { words } from '../words';

interface Props {
  find: Find;
  label: string;
  onFind(find: Find): void;
}

const choices = ['matchCase', 'word', 'regex'] as const;

export function FindInput({ find, label, onFind }: Props) {
  const problem = useId();
  const isBad = finder(find) === undefined;
  return (
    <>
      <input
        className="hf-input"
        aria-label={label}
        aria-invalid={isBad}
        aria-describedby={isBad ? problem : undefined}
        placeholder={words.search.placeholder}
        // biome-ignore lint/a11y/noAutofocus: it opens for typing.
        autoFocus
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        value={find.text}
        onChange={(event) => onFind({ ...find, text: event.target.value })}
      />
      {choices.map((choice) => (
        <button
          key={choice}
          type="button"
          className="hf-icon hf-find__choice"
          aria-label={words.search.choices[choice]}
          aria-pressed={find[choice]}
          title={words.search.choices[choice]}
          onClick={() => onFind({ ...find, [choice]: !find[choice] })}
        >
          {words.search.signs[choice]}
        </button>
      ))}
      {isBad && (
        <span className="hf-hidden" id={problem}>
          {words.search.bad}
        </span>
      )}
    </>
  );
}
