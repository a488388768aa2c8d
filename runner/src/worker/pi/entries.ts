// A session's entries: what extensions append to it, in order. They last as long as the session.
//
// Invariants
// 1. An extension's entries are in its own state, in pieces that are written by one worker only. So
//    nothing that could not be read is overwritten.
// 2. What is appended is there at once, and is saved soon after.
// 3. If saving fails, the next append fails with the reason, and saves what was not saved.

import { randomUUID } from 'node:crypto';
import { messageOf } from '../failures.ts';

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
/** The daemon takes values of up to 256 KiB; a piece's own characters need some room. */
const largestEntry = 250 * 1024;
const saveAfter = 20;
/** The clock's milliseconds times this: sequence numbers stay in order also within one millisecond. */
const perMillisecond = 1000;

interface Numbered {
  sequence: number;
  entry: Entry;
}

interface Piece {
  key: string;
  entries: Numbered[];
  size: number;
}

export class Entries {
  #all: Numbered[] = [];
  readonly #byId = new Map<string, Entry>();
  readonly #read = new Set<string>();
  /** The piece that an extension is writing. */
  readonly #pieces = new Map<string, Piece>();
  readonly #saving = new Map<string, Promise<unknown>>();
  /** Pieces that could not be saved, and why, by extension. */
  readonly #unsaved = new Map<string, { pieces: Set<Piece>; error: unknown }>();

  /** Reads what an extension has appended before. */
  async read(extension: string, state: State) {
    if (this.#read.has(extension)) return;
    const keys = (await state.keys()).filter((key) => key.startsWith(prefix));
    const pieces = await Promise.all(keys.map((key) => state.get(key)));
    this.#read.add(extension);
    for (const each of pieces.flat() as Numbered[]) this.#insert(each);
    this.#all.sort((a, b) => a.sequence - b.sequence);
  }

  /** Returns the entry. `failed` is called if it cannot be saved. */
  append(
    extension: string,
    state: State,
    content: { type: string; [more: string]: unknown },
    failed: (error: unknown) => void,
  ): Entry {
    // These throw before anything has happened.
    const plain = JSON.parse(JSON.stringify(content)) as { type: string };
    this.#checkSaved(extension, state, failed);
    const last = this.#all.at(-1);
    const entry: Entry = {
      ...plain,
      id: randomUUID().slice(0, 8),
      parentId: last?.entry.id ?? null,
      timestamp: new Date().toISOString(),
    };
    const size = Buffer.byteLength(JSON.stringify(entry));
    if (size > largestEntry)
      throw new Error(`the entry has ${size} bytes; an entry can have at most ${largestEntry}`);
    const sequence = Math.max(Date.now() * perMillisecond, (last?.sequence ?? 0) + 1);
    this.#insert({ sequence, entry });
    const piece = this.#pieceFor(extension, size);
    piece.entries.push({ sequence, entry });
    piece.size += size;
    this.#save(extension, piece, state, failed);
    return entry;
  }

  #pieceFor(extension: string, size: number): Piece {
    const last = this.#pieces.get(extension);
    if (last && last.size + size <= largestPiece) return last;
    const piece = { key: prefix + randomUUID(), entries: [], size: 0 };
    this.#pieces.set(extension, piece);
    return piece;
  }

  all(): Entry[] {
    return this.#all.map(({ entry }) => entry);
  }

  get(id: string): Entry | undefined {
    return this.#byId.get(id);
  }

  last(): Entry | undefined {
    return this.#all.at(-1)?.entry;
  }

  #insert(one: Numbered) {
    this.#all.push(one);
    this.#byId.set(one.entry.id, one.entry);
  }

  /** Resolves once everything is saved. */
  async saved() {
    await Promise.all(this.#saving.values());
  }

  /** Throws if the last entries could not be saved, and tries to save them again. */
  #checkSaved(extension: string, state: State, failed: (error: unknown) => void) {
    const { pieces, error } = this.#unsaved.get(extension) ?? {};
    if (!pieces) return;
    for (const piece of pieces) this.#save(extension, piece, state, failed);
    throw new Error(`nothing can be appended until the entries before are saved: ${messageOf(error)}`);
  }

  #save(extension: string, piece: Piece, state: State, failed: (error: unknown) => void) {
    if (this.#saving.has(piece.key)) return;
    const saving = new Promise((resolve) => setTimeout(resolve, saveAfter)).then(() => {
      this.#saving.delete(piece.key);
      return state.set(piece.key, piece.entries);
    });
    const done = saving.then(
      () => this.#wasSaved(extension, piece),
      (error) => {
        const { pieces = new Set<Piece>() } = this.#unsaved.get(extension) ?? {};
        this.#unsaved.set(extension, { pieces: pieces.add(piece), error });
        failed(error);
      },
    );
    this.#saving.set(piece.key, done);
  }

  #wasSaved(extension: string, piece: Piece) {
    const unsaved = this.#unsaved.get(extension);
    if (unsaved?.pieces.delete(piece) && unsaved.pieces.size === 0) this.#unsaved.delete(extension);
  }
}
