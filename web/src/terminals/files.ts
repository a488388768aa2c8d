// Files that go into a session's folder and come out of it: docs/files.md. They go piece by piece, so
// a lost connection costs one piece. Uploads go one after the other, in the order in which they were
// given: that is the order in which their paths are typed.

import { isRecord } from '../protocol/shape';
import { words } from '../words';
import { delayBefore } from './backoff';
import { createStore, type Store } from './store';

export interface Transfer {
  id: number;
  kind: 'upload' | 'download';
  name: string;
  size: number;
  done: number;
  /** `waiting`: for the network. */
  state: 'queued' | 'moving' | 'waiting' | 'done' | 'failed';
  /** Why it failed. */
  problem?: string;
}

type Action =
  | { type: 'added'; transfer: Transfer }
  | { type: 'changed'; id: number; change: Partial<Transfer> }
  | { type: 'removed'; id: number };

function reduce(transfers: Transfer[], action: Action): Transfer[] {
  if (action.type === 'added') return [...transfers, action.transfer];
  if (action.type === 'removed') return transfers.filter(({ id }) => id !== action.id);
  return transfers.map((each) => (each.id === action.id ? { ...each, ...action.change } : each));
}

export interface FilesOptions {
  /** Sends a request to the daemon. Rejects if there is no answer. */
  ask(path: string, init: RequestInit): Promise<Response>;
  /** Calls back once when the connection is lost, and once when one is there. */
  onLost(call: () => void): () => void;
  onFound(call: () => void): () => void;
  /** The file is there; its path, for a shell to read. */
  arrived(terminalId: string, path: string): void;
  /** Gives the file to the person. */
  save(name: string, content: Blob): void;
  /** Letters and digits. */
  newId(): string;
  random?(): number;
}

/** What the daemon refuses. Nothing else ends a transfer. */
class Refused extends Error {}
/** The network gave up in the middle of it. */
class Interrupted extends Error {}

const pieces = { smallest: 16 * 1024, first: 128 * 1024, largest: 1024 * 1024 };
/** In milliseconds: pieces grow until one takes so long, and shrink when one takes longer. */
const pieceTime = { short: 500, long: 4000 };
/** So much of a download is kept as one part, which the browser may move to the disk. */
const partSize = 4 * 1024 * 1024;

/** As one word for a shell, of any kind. */
export function shellWord(path: string): string {
  return /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`;
}

async function problemOf(response: Response): Promise<Error> {
  if (response.status === 502 || response.status === 503 || response.status === 504) return new Interrupted();
  if (response.status === 401) return new Refused(words.files.signIn);
  const said: unknown = await response.json().catch(() => undefined);
  const detail = isRecord(said) && typeof said.detail === 'string' ? said.detail : '';
  return new Refused(detail === '' ? words.files.refused : words.told(detail));
}

interface Arrived {
  offset: number;
  path?: string;
}

async function arrivedIn(response: Response): Promise<Arrived> {
  const said: unknown = await response.json();
  if (!isRecord(said) || typeof said.offset !== 'number') throw new Refused(words.files.refused);
  return { offset: said.offset, ...(typeof said.path === 'string' ? { path: said.path } : {}) };
}

/** The whole file's size, which a part's answer tells too. */
function sizeOf({ headers }: Response): number {
  return Number(
    /\/(\d+)$/.exec(headers.get('Content-Range') ?? '')?.[1] ?? headers.get('Content-Length') ?? 0,
  );
}

export class Files {
  readonly store: Store<Transfer[], Action> = createStore(reduce, []);
  private readonly options: FilesOptions;
  private readonly running = new Map<number, AbortController>();
  private uploading: Promise<void> = Promise.resolve();
  private next = 1;

  constructor(options: FilesOptions) {
    this.options = options;
  }

  upload(terminalId: string, files: readonly File[]): void {
    for (const file of files) {
      const id = this.add('upload', file.name, file.size, 'queued');
      this.uploading = this.uploading.then(() =>
        this.run(id, async (signal) => {
          const path = await this.send(id, terminalId, file, signal);
          this.options.arrived(terminalId, path);
        }),
      );
    }
  }

  async download(terminalId: string, path: string): Promise<void> {
    const name = path.split('/').pop() || path;
    const id = this.add('download', name, 0, 'moving');
    await this.run(id, async (signal) => {
      this.options.save(name, await this.fetch(id, terminalId, path, signal));
    });
  }

  /** Ends it, or forgets it if it has ended. */
  dismiss(id: number): void {
    this.running.get(id)?.abort();
    this.store.dispatch({ type: 'removed', id });
  }

  private add(kind: Transfer['kind'], name: string, size: number, state: Transfer['state']): number {
    const id = this.next++;
    this.running.set(id, new AbortController());
    this.store.dispatch({ type: 'added', transfer: { id, kind, name, size, done: 0, state } });
    return id;
  }

  private change(id: number, change: Partial<Transfer>): void {
    this.store.dispatch({ type: 'changed', id, change });
  }

  private async run(id: number, move: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const signal = this.running.get(id)?.signal;
    if (!signal || signal.aborted) return;
    this.change(id, { state: 'moving' });
    try {
      await move(signal);
      this.change(id, { state: 'done' });
    } catch (error) {
      const problem = error instanceof Refused ? error.message : words.files.refused;
      if (!signal.aborted) this.change(id, { state: 'failed', problem });
    }
    this.running.delete(id);
  }

  /** Tries until it succeeds or is refused. `move` knows how far it came. */
  private async persist<T>(id: number, signal: AbortSignal, move: () => Promise<T>): Promise<T> {
    for (let attempt = 0; ; ++attempt) {
      const before = this.doneOf(id);
      try {
        return await move();
      } catch (error) {
        if (signal.aborted || error instanceof Refused) throw error;
        if (this.doneOf(id) > before) attempt = 0;
        this.change(id, { state: 'waiting' });
        await this.pause(delayBefore(attempt + 1, (this.options.random ?? Math.random)()), signal);
        this.change(id, { state: 'moving' });
      }
    }
  }

  private doneOf(id: number): number {
    return this.store.get().find((each) => each.id === id)?.done ?? 0;
  }

  /** Until then, or until there is a connection again. */
  private pause(time: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        forget();
        signal.removeEventListener('abort', end);
        resolve();
      };
      const timer = setTimeout(end, time);
      const forget = this.options.onFound(end);
      signal.addEventListener('abort', end);
    });
  }

  /** A request that ends when the connection is known to be lost: nothing would answer it. */
  private async ask(path: string, init: RequestInit, signal: AbortSignal): Promise<Response> {
    const lost = new AbortController();
    const forget = this.options.onLost(() => lost.abort());
    try {
      return await this.options.ask(path, { ...init, signal: AbortSignal.any([signal, lost.signal]) });
    } finally {
      forget();
    }
  }

  // --- uploads -----------------------------------------------------------------------------------

  private async send(id: number, terminalId: string, file: File, signal: AbortSignal): Promise<string> {
    const upload = `/files/${this.options.newId()}?terminal=${encodeURIComponent(terminalId)}`;
    const about = `&name=${encodeURIComponent(file.name)}&size=${file.size}`;
    const forget = () => void this.options.ask(upload, { method: 'DELETE' }).catch(() => {});
    signal.addEventListener('abort', forget);
    let size = pieces.first;
    let at: Arrived | undefined = { offset: 0 };
    const move = async () => {
      // After anything unexpected, the daemon knows what has arrived.
      at ??= await this.arrived(upload, signal);
      while (at.path === undefined) {
        this.change(id, { done: at.offset });
        const { offset }: Arrived = at;
        const body = await read(file.slice(offset, offset + size));
        const began = performance.now();
        at = undefined;
        const response = await this.ask(
          `${upload}${about}&offset=${offset}`,
          { method: 'PUT', body },
          signal,
        );
        if (response.status === 409) throw new Interrupted();
        if (!response.ok) throw await problemOf(response);
        at = await arrivedIn(response);
        const took = performance.now() - began;
        if (took < pieceTime.short) size = Math.min(2 * size, pieces.largest);
        if (took > pieceTime.long) size = Math.max(size / 2, pieces.smallest);
      }
      this.change(id, { done: file.size });
      return at.path;
    };
    try {
      return await this.persist(id, signal, move);
    } catch (error) {
      if (!signal.aborted) forget();
      throw error;
    } finally {
      signal.removeEventListener('abort', forget);
    }
  }

  private async arrived(upload: string, signal: AbortSignal): Promise<Arrived> {
    const response = await this.ask(upload, {}, signal);
    if (!response.ok) throw await problemOf(response);
    return await arrivedIn(response);
  }

  // --- downloads ---------------------------------------------------------------------------------

  private async fetch(id: number, terminalId: string, path: string, signal: AbortSignal): Promise<Blob> {
    const target = `/files?terminal=${encodeURIComponent(terminalId)}&path=${encodeURIComponent(path)}`;
    const parts = new Parts();
    let version: string | null = null;
    return await this.persist(id, signal, async () => {
      const rest = { Range: `bytes=${parts.size}-`, 'If-Match': version ?? '' };
      // Ends with the connection, also while the file is on its way.
      const lost = new AbortController();
      const forget = this.options.onLost(() => lost.abort());
      try {
        const response = await this.options.ask(target, {
          headers: version === null ? {} : rest,
          signal: AbortSignal.any([signal, lost.signal]),
        });
        if (!response.ok) throw await problemOf(response);
        version = response.headers.get('ETag');
        const size = sizeOf(response);
        this.change(id, { size });
        await parts.take(response, (done) => this.change(id, { done }));
        if (parts.size < size) throw new Interrupted();
        return parts.blob();
      } finally {
        forget();
      }
    });
  }
}

/** A file that a person chose may be gone, or be a folder. */
async function read(piece: Blob): Promise<ArrayBuffer> {
  try {
    return await piece.arrayBuffer();
  } catch {
    throw new Refused(words.files.unreadable);
  }
}

/** What of a download has come. */
class Parts {
  private readonly whole: Blob[] = [];
  private recent: Uint8Array<ArrayBuffer>[] = [];
  private recentSize = 0;
  size = 0;

  async take(response: Response, progress: (done: number) => void): Promise<void> {
    const reader = response.body?.getReader();
    for (;;) {
      const part = await reader?.read();
      if (!part || part.done) return;
      this.recent.push(part.value);
      this.recentSize += part.value.length;
      this.size += part.value.length;
      if (this.recentSize >= partSize) this.pack();
      progress(this.size);
    }
  }

  blob(): Blob {
    this.pack();
    return new Blob(this.whole);
  }

  private pack(): void {
    this.whole.push(new Blob(this.recent));
    this.recent = [];
    this.recentSize = 0;
  }
}
