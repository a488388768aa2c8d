// Files on their way, with how far they are. What succeeded disappears by itself.

import { useEffect } from 'react';
import type { Files, Transfer } from '../terminals/files';
import { words } from '../words';
import './Transfers.css';

const shownFor = 6000;
const units = ['bytes', 'KB', 'MB', 'GB', 'TB'];

export function readableSize(bytes: number): string {
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  const value = bytes / 1000 ** power;
  return `${power === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[power]}`;
}

function stateOf({ kind, state, done, size, problem }: Transfer): string {
  if (state === 'failed') return problem ?? words.files.refused;
  if (state === 'done') return words.files.states.done[kind];
  const moved = words.files.moved(readableSize(done), readableSize(size));
  return state === 'moving' ? moved : `${moved}, ${words.files.states[state]}`;
}

interface Props {
  files: Files;
  transfers: readonly Transfer[];
  /** The focus returns to the terminal. */
  onLeave(): void;
}

export function Transfers({ files, transfers, onLeave }: Props) {
  return (
    <section className="hf-transfers" aria-label={words.files.label}>
      {transfers.map((transfer) => (
        <Card
          key={transfer.id}
          transfer={transfer}
          onDismiss={(isAsked) => {
            files.dismiss(transfer.id);
            if (isAsked) onLeave();
          }}
        />
      ))}
    </section>
  );
}

interface CardProps {
  transfer: Transfer;
  onDismiss(isAsked: boolean): void;
}

function Card({ transfer, onDismiss }: CardProps) {
  const { name, size, done, state } = transfer;
  const hasEnded = state === 'done' || state === 'failed';
  // biome-ignore lint/correctness/useExhaustiveDependencies: the time starts once.
  useEffect(() => {
    if (state !== 'done') return;
    const timer = setTimeout(() => onDismiss(false), shownFor);
    return () => clearTimeout(timer);
  }, [state]);
  return (
    <div className={`hf-card hf-card--floating hf-transfer hf-transfer--${state}`}>
      <div className="hf-transfer__text">
        <span className="hf-transfer__name">{name}</span>
        <span role={state === 'failed' ? 'alert' : 'status'} className="hf-transfer__state">
          {stateOf(transfer)}
        </span>
        {!hasEnded && <progress aria-label={name} value={done} max={Math.max(size, 1)} />}
      </div>
      <button
        type="button"
        className="hf-icon"
        aria-label={(hasEnded ? words.files.dismiss : words.files.cancel)(name)}
        onClick={() => onDismiss(true)}
      >
        ×
      </button>
    </div>
  );
}
