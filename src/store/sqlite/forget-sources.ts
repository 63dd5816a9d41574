/** Messages go, and with them what long-term memory has of them. */
import { type ErasedMemories, NOTHING_ERASED } from "../rules/freed-by-erasure.ts";
import type { Database } from "./database.ts";
import { eraseMemories } from "./erase-memories.ts";

type SourceRow = {
  memory_id: number;
  ordinal: number;
  uid: string;
  first_seq: number;
  last_seq: number;
  kind: string;
};

export interface Erasure {
  readonly tenant: string;
  readonly conversation: string;
  /** `all`: the conversation is deleted. */
  readonly seqs: readonly number[] | "all";
  readonly at: string;
}

export function forgetSources(database: Database, erasure: Erasure): ErasedMemories {
  const { tenant, conversation, seqs, at } = erasure;
  if (seqs.length === 0) return NOTHING_ERASED;
  const overlaps = overlapWith(seqs);
  const touched = sourcesIn(database, tenant, conversation).filter((row) =>
    overlaps(row.first_seq, row.last_seq),
  );
  const made = touched.filter(({ kind }) => kind === "origin").map(({ uid }) => uid);
  const erased = eraseMemories(database, tenant, [...new Set(made)], at);
  for (const { memory_id, ordinal } of touched)
    database.run("DELETE FROM memory_sources WHERE memory_id = ? AND ordinal = ?", memory_id, ordinal);
  forgetDecisions(database, tenant, conversation, overlaps);
  if (seqs === "all")
    database.run(
      "DELETE FROM memory_captures WHERE tenant = ? AND conversation_uid = ?",
      tenant,
      conversation,
    );
  return erased;
}

function sourcesIn(database: Database, tenant: string, conversation: string): SourceRow[] {
  return database.all<SourceRow>(
    `SELECT o.memory_id, o.ordinal, m.uid, o.first_seq, o.last_seq, o.kind FROM memory_sources o
     JOIN memories m USING (memory_id) JOIN memory_scopes s USING (scope_id)
     WHERE o.conversation_uid = ? AND s.tenant = ?`,
    conversation,
    tenant,
  );
}

/** One that names no messages may tell of any. */
function forgetDecisions(database: Database, tenant: string, conversation: string, overlaps: Overlap): void {
  const rows = database.all<{ decision_id: number; first_seq: number | null; last_seq: number | null }>(
    "SELECT decision_id, first_seq, last_seq FROM memory_decisions WHERE conversation_uid = ? AND tenant = ?",
    conversation,
    tenant,
  );
  for (const { decision_id, first_seq, last_seq } of rows)
    if (overlaps(first_seq ?? 0, last_seq ?? Number.MAX_SAFE_INTEGER))
      database.run("DELETE FROM memory_decisions WHERE decision_id = ?", decision_id);
}

type Overlap = (first: number, last: number) => boolean;

/** A conversation may have many messages and many memories: the seqs are sorted once and looked up by halves. */
function overlapWith(seqs: Erasure["seqs"]): Overlap {
  if (seqs === "all") return () => true;
  const sorted = Float64Array.from(seqs).sort();
  return (first, last) => {
    let [low, high] = [0, sorted.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sorted[middle] ?? 0) < first) low = middle + 1;
      else high = middle;
    }
    return (sorted[low] ?? Number.POSITIVE_INFINITY) <= last;
  };
}
