/** The part of an append that says how far a host's transcript was read, and which lines it had. */
import type { Scope } from "../../types.ts";
import { placedInOrder } from "../placed-in-order.ts";
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
  const placeOf = placedInOrder(write, placed);
  const rows = lines.map(
    ({ messageKey, ...line }): StoredTranscriptLine => ({
      ...line,
      transcript: state.number,
      seq: messageKey === null ? line.seq : (placeOf(messageKey)?.seq ?? null),
    }),
  );
  // The last word on a line number counts.
  const byNumber = new Map(rows.map((row) => [row.line, row]));
  writeLines(transaction, scope, conversationId, [...byNumber.values()]);
}
