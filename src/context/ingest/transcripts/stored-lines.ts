/** The lines of a transcript as last read, collected from the versions that share them. */
import { everyRow } from "../../../store/every-row.ts";
import type { ScopedStore, StoredTranscriptLine, Transcript } from "../../../store/store.ts";

/**
 * Shared lines come from the previous version, which may share them in turn. Content is omitted by
 * default: planning needs only the shape.
 */
export async function* storedLines(
  store: ScopedStore,
  versions: readonly Transcript[],
  version: Transcript,
  options: { readonly withContent?: boolean; readonly upTo?: number } = {},
): AsyncIterable<StoredTranscriptLine> {
  const end = Math.min(options.upTo ?? Number.POSITIVE_INFINITY, version.lineCount);
  const previous = versions.find((other) => other.number === version.previous);
  const shared = Math.min(version.sharedLines, end);
  if (previous !== undefined && shared > 0)
    yield* storedLines(store, versions, previous, { ...options, upTo: shared });
  if (version.sharedLines >= end) return;
  const query = { transcript: version.number, to: end - 1, withoutContent: options.withContent !== true };
  yield* everyRow(
    (from) => store.transcriptLines(version.conversation, { ...query, from }),
    version.sharedLines,
  );
}
