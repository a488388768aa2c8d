// Everything in the page that has to do with files: dropping them anywhere, choosing them, asking which
// one to download, and how far they are.

import { type DragEvent, type ReactNode, useState, useSyncExternalStore } from 'react';
import { pickFiles, uploadInto } from '../browser/fileRequests';
import { words } from '../words';
import { filesIn, hasFiles } from '../xterm/paste';
import { later } from './later';
import type { Terminals } from './useTerminals';

const Download = later(async () => (await import('./Download')).Download);
const Transfers = later(async () => (await import('./Transfers')).Transfers);

interface Looks {
  upload(terminalId: string): void;
  /** For the root: a file that is dropped beside a terminal must not replace the page. */
  drag: {
    onDragOver(event: DragEvent): void;
    onDragLeave(event: DragEvent): void;
    onDropCapture(event: DragEvent): void;
    onDrop(event: DragEvent): void;
  };
  shown: ReactNode;
}

export function useFiles(
  { client, files, screenOf }: Pick<Terminals, 'client' | 'files' | 'screenOf'>,
  isAsking: boolean,
  onClose: () => void,
): Looks {
  const [isOver, setOver] = useState(false);
  const transfers = useSyncExternalStore(files.store.subscribe, files.store.get);
  const { active } = client.state;

  function terminalAt({ target }: DragEvent): string | null {
    const pane = target instanceof Element ? target.closest<HTMLElement>('[data-terminal]') : null;
    return pane?.dataset.terminal ?? active;
  }

  return {
    upload: (terminalId) =>
      pickFiles((chosen) => uploadInto(client, files, terminalId, { chosen, folders: 0 })),
    drag: {
      onDragOver(event) {
        if (!hasFiles(event.dataTransfer)) return;
        event.preventDefault();
        setOver(true);
      },
      onDragLeave: ({ currentTarget, relatedTarget }) => {
        if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) setOver(false);
      },
      onDropCapture: () => setOver(false),
      onDrop(event) {
        if (!hasFiles(event.dataTransfer)) return;
        event.preventDefault();
        const terminalId = terminalAt(event);
        if (terminalId !== null) uploadInto(client, files, terminalId, filesIn(event.dataTransfer));
      },
    },
    shown: (
      <>
        {isOver && <div className="hf-card hf-card--floating hf-drop">{words.files.drop}</div>}
        {transfers.length > 0 && <Transfers files={files} transfers={transfers} onLeave={onClose} />}
        {isAsking && active !== null && (
          <Download
            selected={screenOf(active)?.terminal.getSelection() ?? ''}
            onDownload={(path) => void files.download(active, path)}
            onClose={onClose}
          />
        )}
      </>
    ),
  };
}
