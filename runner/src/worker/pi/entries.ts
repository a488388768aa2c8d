// A session's entries: what extensions append to it, in order. They last as long as the session.
//
// Invariants
// 1. An extension's entries are in its own state, in pieces that are written by one worker only. So
//    nothing that could not be read is overwritten.
// 2. What is appended is there at once, and is saved soon after.

import { randomUUID } from 'node:crypto';

export interface Entry {
  type: string;
  id: string;
  parentId: string | null;
  /** ISO 8601. */
  timestamp: string;
  [more: string]: unknown;
}

/** An extension's state. */
interface State {
  get(key: string): Promise<unknown>;
  set(key: string, value: unknown): Promise<unknown>;
  keys(): Promise<string[]>;
}

const prefix = 'pi:entries:';
const largestPiece = 64 * 1024;
const saveAfter = 20;

interface Piece {
  key: string;
  entries: Entry[];
  size: number;
}

export class Entries {
  #all: Entry[] = [];
  readonly #byId = new Map<string, Entry>();
  readonly #read = new Set<string>();
  readonly #pieces = new Map<string, Piece>();
  readonly #saving = new Map<string, Promise<unknown>>();

  /** Reads what an extension has appended before. */
  async read(extension: string, state: State) {
    if (this.#read.has(extension)) return;
    this.#read.add(extension);
    const keys = (await state.keys()).filter((key) => key.startsWith(prefix));
    const pieces = await Promise.all(keys.map((key) => state.get(key)));
    for (const entry of pieces.flat() as Entry[]) this.#insert(entry);
    this.#all.sort((a, b) => (a.timestamp < b.timestamp ? -1 : a.timestamp > b.timestamp ? 1 : 0));
  }

  /** Returns the entry. `failed` is called if it cannot be saved. */
  append(
    extension: string,
    state: State,
    content: { type: string; [more: string]: unknown },
    failed: (error: unknown) => void,
  ): Entry {
    // Throws if it is no JSON, before anything has happened.
    const plain = JSON.parse(JSON.stringify(content)) as { type: string };
    const entry: Entry = {
      ...plain,
      id: randomUUID().slice(0, 8),
      parentId: this.#all.at(-1)?.id ?? null,
      timestamp: new Date().toISOString(),
    };
    this.#insert(entry);
    const size = JSON.stringify(entry).length;
    let piece = this.#pieces.get(extension);
    if (!piece || piece.size + size > largestPiece) {
      piece = { key: prefix + randomUUID(), entries: [], size: 0 };
      this.#pieces.set(extension, piece);
    }
    piece.entries.push(entry);
    piece.size += size;
    this.#save(piece, state, failed);
    return entry;
  }

  all(): Entry[] {
    return [...this.#all];
  }

  get(id: string): Entry | undefined {
    return this.#byId.get(id);
  }

  last(): Entry | undefined {
    return this.#all.at(-1);
  }

  #insert(entry: Entry) {
    this.#all.push(entry);
    this.#byId.set(entry.id, entry);
  }

  /** Resolves once everything is saved. */
  async saved() {
    await Promise.all(this.#saving.values());
  }

  #save(piece: Piece, state: State, failed: (error: unknown) => void) {
    if (this.#saving.has(piece.key)) return;
    const saving = new Promise((resolve) => setTimeout(resolve, saveAfter)).then(() => {
      this.#saving.delete(piece.key);
      return state.set(piece.key, piece.entries);
    });
    this.#saving.set(piece.key, saving.catch(failed));
  }
}
