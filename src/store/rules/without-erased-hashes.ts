/** A hash of a short line can be guessed, so a line whose message is erased comes on record without it. */

import type { AppendWrite, PlacedMessage, TranscriptWrite } from "../store.ts";
import { placedInOrder } from "./placed-in-order.ts";

/** What a write says of a transcript, once it is known which of its messages are erased ones. */
export function withoutErasedHashes(
  transcript: TranscriptWrite,
  { messages }: Pick<AppendWrite, "messages">,
  placed: readonly PlacedMessage[],
): TranscriptWrite {
  if (!placed.some((message) => message.erased)) return transcript;
  const placeOf = placedInOrder({ messages }, placed);
  const { state } = transcript;
  const gone = new Set<string | null>();
  const lines = transcript.lines.map((line) => {
    if (line.messageKey === null || placeOf(line.messageKey)?.erased !== true) return line;
    gone.add(line.hash);
    return { ...line, hash: null };
  });
  const lastLineHash = gone.has(state.lastLineHash) ? null : state.lastLineHash;
  return { ...transcript, state: { ...state, lastLineHash }, lines };
}
