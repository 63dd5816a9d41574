/** A hash of a short line can be guessed, so a line whose message is erased comes on record without it. */
import type { AppendWrite, PlacedMessage, TranscriptWrite } from "./store.ts";

/** What a write says of a transcript, once it is known which of its messages are erased ones. */
export function withoutErasedHashes(
  transcript: TranscriptWrite,
  { messages }: Pick<AppendWrite, "messages">,
  placed: readonly PlacedMessage[],
): TranscriptWrite {
  const keys = new Set(messages.filter((_, index) => placed[index]?.erased).map((message) => message.key));
  if (keys.size === 0) return transcript;
  const { state } = transcript;
  const gone = new Set<string | null>();
  const lines = transcript.lines.map((line) => {
    if (line.messageKey === null || !keys.has(line.messageKey)) return line;
    gone.add(line.hash);
    return { ...line, hash: null };
  });
  const lastLineHash = gone.has(state.lastLineHash) ? null : state.lastLineHash;
  return { ...transcript, state: { ...state, lastLineHash }, lines };
}
