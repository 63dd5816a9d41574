/** The erased lines of all versions of a transcript, so that they stay erased in any new version. */
import { everyRow } from "../../../store/every-row.ts";
import type {
  ScopedStore,
  StoredTranscriptLine,
  Transcript,
  TranscriptLineQuery,
} from "../../../store/store.ts";

/** Ids of the host's own events that were erased: they stay erased when read again. */
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

/** Hashes of lines that only other versions contain. Needed only if lines of the base are identified by their ids. */
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

/** Without the lines shared with the previous version. */
function ownLines(
  store: ScopedStore,
  { conversation, number }: Transcript,
  more: Pick<TranscriptLineQuery, "kinds"> = {},
): AsyncIterable<StoredTranscriptLine> {
  const query = { transcript: number, withoutContent: true, ...more };
  return everyRow((from) => store.transcriptLines(conversation, { ...query, from }));
}
