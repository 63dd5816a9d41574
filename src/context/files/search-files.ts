/**
 * Looks into files line by line: complete, newest file first, whatever their size. A search that takes too long, or has
 * found enough, says how far it came and where to go on.
 */
import { isPalimpsestError } from "../../errors.ts";
import type { StoredFile } from "../../store/file-store.ts";
import type { ScopedStore } from "../../store/store.ts";
import { sha256 } from "../../text/hash.ts";
import { cursorOfAnother, packCursor, unpackCursor } from "../retrieve/cursor.ts";
import type { Matches } from "../retrieve/matches.ts";
import { type Snippet, snippetOf } from "../retrieve/snippet.ts";
import { stopIfCancelled } from "../retrieve/stop-if-cancelled.ts";
import { filePieces } from "./file-pieces.ts";
import { LineTexts } from "./line-texts.ts";

export interface FileHit {
  readonly file: StoredFile;
  /** From 1. */
  readonly line: number;
  /** Where the line begins. */
  readonly byte: number;
  readonly snippet: Snippet;
}

export interface FileSearch {
  /** Where in a line it is found; no spans when it is not. */
  readonly find: (line: string) => Matches;
  /** Only files of these conversations; null for all. */
  readonly conversations: ReadonlySet<string> | null;
  readonly limit: number;
  /** Asked with each hit in turn: the answer ends before one for which it says no. */
  readonly hasRoom?: (hit: FileHit) => boolean;
  readonly cursor: string | null;
  /** What is asked for: a cursor of another search is refused. */
  readonly asked: string;
  readonly snippetLength: number;
  readonly signal?: AbortSignal;
}

export interface FileSearchResult {
  readonly hits: readonly FileHit[];
  /** Files that were looked through to their end, and bytes, in this answer. */
  readonly filesRead: number;
  readonly bytesRead: number;
  /** Ids of files that could not be read, because they are damaged. */
  readonly unreadable: readonly string[];
  /** Where to go on; null when everything was looked through. */
  readonly next: string | null;
}

/** One answer looks through so much, and then says where to go on. */
const MOST_BYTES = 512 * 1024 * 1024;
const FILES_AT_ONCE = 100;
/** A line is cut here: what is longer has no lines. */
const LONGEST_LINE = 1024 * 1024;

/** Files before `from` (in the order of the list) are done; of that one, lines before `byte`. */
interface Place {
  readonly from: number | null;
  readonly file: string;
  readonly byte: number;
  readonly line: number;
}

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
      const place = start !== null && start.file === file.id ? start : { byte: 0, line: 1 };
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

class Found {
  readonly #search: FileSearch;
  readonly #hits: FileHit[] = [];
  readonly #seen = new Set<string>();
  readonly #unreadable: string[] = [];
  #files = 0;
  #bytes = 0;

  constructor(search: FileSearch) {
    this.#search = search;
  }

  get result(): Omit<FileSearchResult, "next"> {
    return {
      hits: this.#hits,
      filesRead: this.#files,
      bytesRead: this.#bytes,
      unreadable: this.#unreadable,
    };
  }

  /** Null when it was looked through to its end, or as far as it can be read. */
  async lookInto(
    store: ScopedStore,
    file: StoredFile,
    from: { readonly byte: number; readonly line: number },
  ): Promise<{ readonly byte: number; readonly line: number } | null> {
    try {
      return await this.#look(store, file, from);
    } catch (error) {
      // One damaged file must not hide what is in the others.
      if (!isPalimpsestError(error, "store-corrupt")) throw error;
      this.#unreadable.push(file.id);
      return null;
    }
  }

  async #look(
    store: ScopedStore,
    file: StoredFile,
    from: { readonly byte: number; readonly line: number },
  ): Promise<{ readonly byte: number; readonly line: number } | null> {
    const { find, limit, hasRoom, signal, snippetLength } = this.#search;
    // Equal contents are looked through once in an answer.
    if (from.byte === 0 && this.#seen.has(file.content)) return null;
    this.#seen.add(file.content);
    const texts = new LineTexts(store, file.id);
    for await (const { bytes, byte, line } of linesOf(store, file, from)) {
      stopIfCancelled(signal);
      if (this.#hits.length >= limit || this.#bytes >= MOST_BYTES) return { byte, line };
      this.#bytes += bytes.length;
      const text = texts.read(bytes, byte);
      const matches = find(typeof text === "string" ? text : await text);
      if (matches.spans.length === 0) continue;
      const hit = { file, line, byte, snippet: snippetOf(matches, { length: snippetLength }) };
      if (hasRoom?.(hit) === false) return { byte, line };
      this.#hits.push(hit);
    }
    this.#files++;
    return null;
  }
}

interface Line {
  readonly bytes: Uint8Array;
  readonly byte: number;
  readonly line: number;
}

async function* linesOf(
  store: ScopedStore,
  file: StoredFile,
  from: { readonly byte: number; readonly line: number },
): AsyncGenerator<Line> {
  let rest = Buffer.alloc(0);
  let { byte, line } = from;
  const take = (bytes: Buffer): Line => {
    const taken = { bytes, byte, line };
    byte += bytes.length;
    return taken;
  };
  for await (const piece of filePieces(store, file, from.byte)) {
    const bytes = rest.length === 0 ? Buffer.from(piece) : Buffer.concat([rest, piece]);
    let at = 0;
    for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, at)) {
      yield take(bytes.subarray(at, end));
      byte++;
      line++;
      at = end + 1;
    }
    while (bytes.length - at > LONGEST_LINE) {
      yield take(bytes.subarray(at, at + LONGEST_LINE));
      at += LONGEST_LINE;
    }
    rest = bytes.subarray(at);
  }
  if (rest.length > 0) yield take(rest);
}

function writeCursor({ from, file, byte, line }: Place, digest: string): string {
  return packCursor([digest, from, file, byte, line]);
}

function readCursor(text: string, digest: string): Place {
  const [askedFor, from, file, byte, line] = unpackCursor(text);
  const isPlace = typeof file === "string" && Number.isInteger(byte) && Number.isInteger(line);
  if (askedFor === digest && isPlace && (from === null || Number.isInteger(from)))
    return { from: from as number | null, file, byte: Number(byte), line: Number(line) };
  throw cursorOfAnother();
}
