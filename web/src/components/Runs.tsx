// Output of command bar lines that is too long for a notice, while they run and after they end.

import { useEffect, useRef } from 'react';
import type { Run } from '../terminals/state';
import { words } from '../words';
import './Runs.css';

interface Props {
  runs: Run[];
}

function textOf({ progress, result }: Run): string {
  return [result?.text ?? progress, result?.error]
    .map((each) => each?.trimEnd())
    .filter(Boolean)
    .join('\n');
}

function stateOf({ result }: Run): { kind: string; text: string } {
  if (result === null) return { kind: 'warning', text: words.commands.running };
  if (result.error) return { kind: 'bad', text: words.commands.failed };
  if (result.exitCode) return { kind: 'bad', text: words.commands.exited(result.exitCode) };
  return { kind: 'good', text: words.commands.done };
}

export function Runs({ runs }: Props) {
  const end = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: keep the newest output visible.
  useEffect(() => {
    // A bar that was just opened cannot scroll before it is drawn.
    const frame = requestAnimationFrame(() => end.current?.scrollIntoView({ block: 'end' }));
    return () => cancelAnimationFrame(frame);
  }, [runs]);
  return (
    <div role="log" aria-live="polite" aria-label={words.commands.results}>
      {runs.map((run) => (
        <RunCard key={run.id} run={run} />
      ))}
      <div ref={end} />
    </div>
  );
}

/** Notifies when a line with a long result ends while the command bar is closed. */
export function useRunNotice(
  runs: Run[],
  isShown: boolean,
  keys: string,
  tell: (text: string) => void,
): void {
  const ended = runs.findLast(({ result }) => result !== null);
  const id = ended?.id;
  // biome-ignore lint/correctness/useExhaustiveDependencies: notify once, when the line ends.
  useEffect(() => {
    if (ended && !isShown) tell(words.commands.ended(ended.line, keys));
  }, [id]);
}

function RunCard({ run }: { run: Run }) {
  const text = textOf(run);
  const { kind, text: state } = stateOf(run);
  return (
    <section className="hf-run" aria-label={run.line}>
      <header className="hf-run__line">
        <span>{run.line}</span>
        <span className="hf-run__state">
          <span className={`hf-dot hf-dot--${kind}`} aria-hidden="true" />
          {state}
        </span>
      </header>
      {text && <pre className="hf-code hf-run__text">{text}</pre>}
    </section>
  );
}
