/**
 * Marks that identify lines: hashes. An erased line has lost its hash, but the host's id of its entry remains,
 * so a line with that id and without stored content is identified by the id. An erased line without an id is identified
 * only by its position.
 */
import type { TranscriptFormat } from "../../../message/hosts/transcript-format.ts";
import type { StoredTranscriptLine } from "../../../store/store.ts";
import { sha256 } from "../../../text/bytes.ts";
import { readEntryLine } from "./read-entry-line.ts";

export class LineMarks {
  readonly #format: TranscriptFormat;
  readonly #erased: ReadonlySet<string>;
  readonly #hashes: ReadonlySet<string | null>;

  constructor(
    format: TranscriptFormat,
    stored: readonly StoredTranscriptLine[],
    elsewhere: Iterable<string>,
  ) {
    this.#format = format;
    this.#hashes = new Set([...stored.map((line) => line.hash), ...elsewhere]);
    this.#erased = new Set(
      stored.flatMap(({ hash, entryKey }) => (hash === null && entryKey !== null ? [entryKey] : [])),
    );
  }

  /** The marks of stored lines; null where any line may match. */
  ofStored(lines: readonly StoredTranscriptLine[]): (string | null)[] {
    return lines.map(({ hash, entryKey }) => hash ?? this.#byId(entryKey));
  }

  /** The mark of a line of the file, which is parsed only if there are ids to look for. */
  of(bytes: Uint8Array): string {
    const hash = sha256(bytes);
    if (this.#erased.size === 0 || this.#hashes.has(hash)) return hash;
    return this.#byId(readEntryLine(this.#format, bytes, true).entry.entryKey) ?? hash;
  }

  #byId(entryKey: string | null): string | null {
    return entryKey !== null && this.#erased.has(entryKey) ? `id ${entryKey}` : null;
  }
}
