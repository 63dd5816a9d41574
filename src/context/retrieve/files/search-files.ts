/**
 * Searches files line by line: complete, newest file first, of any size. In a line that is too long to be read as
 * one, every match is found separately. A search that takes too long, or has found enough, says where to continue.
 */
import { isPalimpsestError } from "../../../errors.ts";
import type { StoredFile } from "../../../store/file-store.ts";
import type { ScopedStore } from "../../../store/store.ts";
import { sha256 } from "../../../text/bytes.ts";
import { cursorOfAnother, packCursor, unpackCursor } from "../cursor.ts";
import { stopIfCancelled } from "../stop-if-cancelled.ts";
import type { FileHit } from "./file-hit.ts";
import { FileLines, LINE_SIZES, type LineSizes } from "./file-lines.ts";
import type { FoundSoFar } from "./file-look.ts";
import type { LineFinder } from "./line-finder.ts";
import type { FilePlace } from "./line-part.ts";
import { lookIntoFile } from "./look-into-file.ts";

interface FileSearch {
  readonly finder: LineFinder;
  /** Only files of these conversations; null for all. */
  readonly conversations: ReadonlySet<string> | null;
  readonly limit: number;
  /** Called with each hit: the result ends before a hit for which it returns false. */
  readonly hasRoom?: (hit: FileHit) => boolean;
  readonly cursor: string | null;
  /** Identifies the search: a cursor of another search is rejected. */
  readonly asked: string;
  readonly snippetLength: number;
  readonly signal?: AbortSignal | undefined;
  /** Default: `LINE_SIZES`. */
  readonly sizes?: LineSizes;
}

interface FileSearchResult {
  readonly hits: readonly FileHit[];
  /** Files searched completely, and bytes searched, for this result. */
  readonly filesRead: number;
  readonly bytesRead: number;
  /** Ids of damaged files that could not be read. */
  readonly unreadable: readonly string[];
  /** Where to continue; null if everything was searched. */
  readonly next: string | null;
}

/** One call searches this many bytes, and then returns a cursor. */
const MOST_BYTES = 512 * 1024 * 1024;
const FILES_AT_ONCE = 100;

/** Files before `from` (in the order of the list) are done; of that file, everything before `byte`. */
interface Place extends FilePlace {
  readonly from: number | null;
  readonly file: string;
}

const BEGINNING: FilePlace = { byte: 0, line: 1, isInside: false };

export async function searchFiles(store: ScopedStore, search: FileSearch): Promise<FileSearchResult> {
  const digest = sha256(search.asked).slice(0, 16);
  const start = search.cursor === null ? null : readCursor(search.cursor, digest);
  const found = new Found(search);
  let from = start?.from ?? undefined;
  for (let isFirst = true; ; isFirst = false) {
    const page = await store.files({ limit: FILES_AT_ONCE, ...(from === undefined ? {} : { from }) });
    let rows = page.rows.filter((file) => search.conversations?.has(file.conversation) ?? true);
    if (isFirst && start !== null)
      rows = rows.slice(
        Math.max(
          0,
          rows.findIndex(({ id }) => id === start.file),
        ),
      );
    for (const file of rows) {
      const place = start !== null && start.file === file.id ? start : BEGINNING;
      const stopped = await found.lookInto(store, file, place);
      if (stopped !== null) {
        const next = { from: from ?? null, file: file.id, ...stopped };
        return { ...found.result, next: writeCursor(next, digest) };
      }
    }
    if (page.next === null) return { ...found.result, next: null };
    from = page.next;
  }
}

class Found implements FoundSoFar {
  readonly #search: FileSearch;
  readonly #sizes: LineSizes;
  readonly #hits: FileHit[] = [];
  readonly #seen = new Set<string>();
  readonly #unreadable: string[] = [];
  #files = 0;
  #bytes = 0;

  constructor(search: FileSearch) {
    this.#search = search;
    this.#sizes = search.sizes ?? LINE_SIZES;
  }

  get result(): Omit<FileSearchResult, "next"> {
    return {
      hits: this.#hits,
      filesRead: this.#files,
      bytesRead: this.#bytes,
      unreadable: this.#unreadable,
    };
  }

  /** Null if it was searched to its end, or as far as it can be read. */
  async lookInto(store: ScopedStore, file: StoredFile, from: FilePlace): Promise<FilePlace | null> {
    // Equal contents are searched once for a result.
    if (from.byte === 0 && this.#seen.has(file.content)) return null;
    this.#seen.add(file.content);
    try {
      const lines = new FileLines(store, file, this.#sizes);
      const { finder, snippetLength, signal } = this.#search;
      const look = { file, lines, finder, snippetLength, signal, found: this, longest: this.#sizes.longest };
      const stopped = await lookIntoFile(look, from);
      if (stopped === null) this.#files++;
      return stopped;
    } catch (error) {
      // A damaged file must not hide hits in others.
      if (!isPalimpsestError(error, "store-corrupt")) throw error;
      this.#unreadable.push(file.id);
      return null;
    }
  }

  count(bytes: number): void {
    this.#bytes += bytes;
  }

  isFull(): boolean {
    stopIfCancelled(this.#search.signal);
    return this.#hits.length >= this.#search.limit || this.#bytes >= MOST_BYTES;
  }

  takes(hit: FileHit): boolean {
    if (this.#search.hasRoom?.(hit) === false) return false;
    this.#hits.push(hit);
    return true;
  }
}

function writeCursor({ from, file, byte, line, isInside }: Place, digest: string): string {
  return packCursor([digest, from, file, byte, line, isInside]);
}

function readCursor(text: string, digest: string): Place {
  const [askedFor, from, file, byte, line, isInside] = unpackCursor(text);
  const isPlace = typeof file === "string" && Number.isInteger(byte) && Number.isInteger(line);
  if (askedFor === digest && isPlace && (from === null || Number.isInteger(from)))
    return {
      ...{ from: from as number | null, file },
      ...{ byte: Number(byte), line: Number(line), isInside: isInside === true },
    };
  throw cursorOfAnother();
}
