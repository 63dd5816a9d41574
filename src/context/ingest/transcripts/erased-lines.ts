/** What all versions of a transcript tell about its erased lines, so that these stay so in whatever version comes. */
import { everyRow } from "../../../store/every-row.ts";
import type {
  ScopedStore,
  StoredTranscriptLine,
  Transcript,
  TranscriptLineQuery,
} from "../../../store/store.ts";

/** Ids of the host's own events that were erased: when they are read again they stay so. */
export async function erasedEvents(
  store: ScopedStore,
  versions: readonly Transcript[],
): Promise<Set<string>> {
  const ids = new Set<string>();
  for (const version of versions)
    for await (const { entryKey } of ownLines(store, version, { kinds: ["erased"] }))
      if (entryKey !== null) ids.add(entryKey);
  return ids;
}

/** Hashes of lines that only other versions have. Asked for only when lines of the base are told by their ids. */
export async function hashesBesides(
  store: ScopedStore,
  versions: readonly Transcript[],
  base: Transcript,
  lines: readonly StoredTranscriptLine[],
): Promise<Set<string>> {
  const hashes = new Set<string>();
  if (!lines.some(({ hash, entryKey }) => hash === null && entryKey !== null)) return hashes;
  for (const version of versions.filter(({ number }) => number !== base.number))
    for await (const { hash } of ownLines(store, version)) if (hash !== null) hashes.add(hash);
  return hashes;
}

/** Without those that it shares with the version before. */
function ownLines(
  store: ScopedStore,
  { conversation, number }: Transcript,
  more: Pick<TranscriptLineQuery, "kinds"> = {},
): AsyncIterable<StoredTranscriptLine> {
  const query = { transcript: number, withoutContent: true, ...more };
  return everyRow((from) => store.transcriptLines(conversation, { ...query, from }));
}
