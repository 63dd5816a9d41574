/** The part of an append that says how far a host's transcript was read, and which lines it had. */
import type { Scope } from "../../types.ts";
import type { AppendWrite, StoredTranscriptLine } from "../store.ts";
import type { Placed } from "./place-messages.ts";
import type { Transaction } from "./transaction.ts";
import { writeLines } from "./transcript-lines.ts";
import { writeState } from "./transcripts.ts";

export function writeTranscript(
  transaction: Transaction,
  scope: Scope,
  conversationId: number,
  write: AppendWrite,
  placed: readonly Placed[],
): void {
  if (write.transcript === null) return;
  const { state, lines } = write.transcript;
  writeState(transaction, scope, conversationId, state, write.at);
  const seqOf = seqsInOrder(write, placed);
  const rows = lines.map(
    ({ messageKey, ...line }): StoredTranscriptLine => ({
      ...line,
      transcript: state.number,
      seq: messageKey === null ? line.seq : seqOf(messageKey),
    }),
  );
  // The last word on a line number counts.
  const byNumber = new Map(rows.map((row) => [row.line, row]));
  writeLines(transaction, scope, conversationId, [...byNumber.values()]);
}

/**
 * Where the message of a line ended up; it may be stored under a version of its key. When a key comes several
 * times, its lines and its messages stand in the same order.
 */
function seqsInOrder(write: AppendWrite, placed: readonly Placed[]): (key: string) => number | null {
  const seqs = new Map<string, number[]>();
  for (const [index, { key }] of write.messages.entries()) {
    const seq = placed[index]?.seq;
    if (seq !== undefined) seqs.set(key, [...(seqs.get(key) ?? []), seq]);
  }
  return (key) => {
    const left = seqs.get(key) ?? [];
    return (left.length > 1 ? left.shift() : left[0]) ?? null;
  };
}
