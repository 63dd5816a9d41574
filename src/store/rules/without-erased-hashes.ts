/**
 * A short text can be guessed from its hash, so a line whose message is erased is stored without one, and so is the file that
 * contains such a line.
 */

import type { AppendWrite, PlacedMessage, TranscriptWrite } from "../store.ts";
import { placedInOrder } from "./placed-in-order.ts";

/** The lines and state of a transcript to be written, once it is known which of its messages are erased. */
export function withoutErasedHashes(
  transcript: TranscriptWrite,
  { messages }: Pick<AppendWrite, "messages">,
  placed: readonly PlacedMessage[],
): TranscriptWrite {
  if (!placed.some((message) => message.erased)) return transcript;
  const placeOf = placedInOrder({ messages }, placed);
  const lines = transcript.lines.map((line) => {
    const isErased = line.messageKey !== null && placeOf(line.messageKey)?.erased === true;
    return isErased ? { ...line, hash: null } : line;
  });
  return { ...transcript, state: { ...transcript.state, readHash: null }, lines };
}
