/**
 * Restricts the stored messages that a line may match. Lines without ids are identified by their content, so
 * repeated text must not match an earlier message, in this file or in one that it replaced.
 */
import { everyRow } from "../../../store/every-row.ts";
import type { ScopedStore, StoredConversation, Transcript } from "../../../store/store.ts";
import type { Start } from "./choose-start.ts";
import type { Recalled } from "./recall-lines.ts";

/**
 * Only messages after this seq; null if occurrences, counted from the start of the file, identify all of
 * them: in a first version without erasures, whose last message is not read again.
 */
export async function orderFrom(
  store: ScopedStore,
  versions: readonly Transcript[],
  start: Start,
  recalled: Recalled,
  conversation: StoredConversation | undefined,
): Promise<number | null> {
  const { base, kind, sharedLines, unfinished } = start;
  if (base === null || conversation === undefined) return null;
  const isCounted = base.number === 1 && !recalled.hasErased && (unfinished?.seq ?? null) === null;
  if (kind === "continue" && isCounted) return null;
  if (kind === "version" && sharedLines === 0) return conversation.messageCount;
  return Math.max(recalled.lastSeq, await lastSeqBefore(store, versions, base));
}

/** The highest seq among the lines of files that this one replaced. */
async function lastSeqBefore(
  store: ScopedStore,
  versions: readonly Transcript[],
  base: Transcript,
): Promise<number> {
  let root = base;
  for (let next: Transcript | undefined = base; next !== undefined; ) {
    root = next;
    next = versions.find((version) => version.number === root.previous);
  }
  let lastSeq = 0;
  for (const { conversation, number } of versions.filter((version) => version.number < root.number))
    for await (const { seq } of everyRow((from) =>
      store.transcriptLines(conversation, { transcript: number, from, withoutContent: true }),
    ))
      lastSeq = Math.max(lastSeq, seq ?? 0);
  return lastSeq;
}
