/** The part of an append that says how far a host's transcript was read, and which lines it had. */
import type { Scope } from "../../types.ts";
import { seqsInOrder } from "../seqs-in-order.ts";
import type { AppendWrite, PlacedMessage, StoredTranscriptLine } from "../store.ts";
import { withoutErasedHashes } from "../without-erased-hashes.ts";
import type { Transaction } from "./transaction.ts";
import { writeLines } from "./transcript-lines.ts";
import { writeState } from "./transcripts.ts";

export function writeTranscript(
  transaction: Transaction,
  scope: Scope,
  conversationId: number,
  write: AppendWrite,
  placed: readonly PlacedMessage[],
): void {
  if (write.transcript === null) return;
  const { state, lines } = withoutErasedHashes(write.transcript, write, placed);
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
