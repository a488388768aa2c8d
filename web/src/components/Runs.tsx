// What lines of the command bar have said so far, or in the end, where that is more than a notice can say.

import { useEffect, useRef } from 'react';
import type { Run } from '../terminals/state';
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
  if (result === null) return { kind: 'warning', text: 'running…' };
  if (result.error) return { kind: 'bad', text: 'failed' };
  if (result.exitCode) return { kind: 'bad', text: `exited with ${result.exitCode}` };
  return { kind: 'good', text: 'done' };
}

export function Runs({ runs }: Props) {
  const end = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what has come last is to be seen.
  useEffect(() => {
    // When the bar has just been opened there is nothing to scroll before it is drawn.
    const frame = requestAnimationFrame(() => end.current?.scrollIntoView({ block: 'end' }));
    return () => cancelAnimationFrame(frame);
  }, [runs]);
  return (
    <div role="log" aria-live="polite" aria-label="Results">
      {runs.map((run) => (
        <RunCard key={run.id} run={run} />
      ))}
      <div ref={end} />
    </div>
  );
}

/** Tells of a line that ended with much to say while nobody looked. */
export function useRunNotice(runs: Run[], isShown: boolean, tell: (text: string) => void): void {
  const ended = runs.findLast(({ result }) => result !== null);
  const id = ended?.id;
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is told once, when it ends.
  useEffect(() => {
    if (ended && !isShown)
      tell(`${ended.line} has ended. The command bar (Ctrl+Shift+P) shows what it said.`);
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
