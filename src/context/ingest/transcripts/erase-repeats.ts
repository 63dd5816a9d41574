/**
 * An entry that was erased in another conversation is stored as erased. The host's own notes that repeat it are erased too:
 * its text is available only while its line is read, because none of it is stored.
 */
import { textOfParts } from "../../../message/read-parts.ts";
import { partsOf } from "../../../message/stored-value.ts";
import { everyRow } from "../../../store/every-row.ts";
import type { NewMessage, PlacedMessage } from "../../../store/store.ts";
import { CopyFinder } from "../../../text/copies/copy-finder.ts";
import { isoTime } from "../../../text/timestamps.ts";
import { decodeLeniently } from "../../../text/utf8.ts";
import type { AppendDependencies } from "../append-to-conversation.ts";

/** The text of messages that were stored as erased. */
export function textsOfErased(
  messages: readonly NewMessage[],
  placed: readonly PlacedMessage[],
): readonly string[] {
  return messages.flatMap(({ format, content }, index) => {
    const { erased = false, existed = true } = placed[index] ?? {};
    return erased && !existed ? [textOfParts(partsOf(format, content))] : [];
  });
}

export async function eraseRepeats(
  { store, clock }: AppendDependencies,
  id: string,
  texts: readonly string[],
): Promise<void> {
  const finder = new CopyFinder<{ readonly transcript: number; readonly line: number }>(texts);
  if (finder.isBlind) return;
  const kinds = ["event", "unreadable", "torn"] as const;
  for (const { number: transcript } of await store.transcripts(id))
    for await (const { line, content } of everyRow((from) =>
      store.transcriptLines(id, { transcript, from, kinds }),
    ))
      if (content !== null)
        finder.look({ transcript, line }, typeof content === "string" ? content : decodeLeniently(content));
  const lines = finder.copies().map(({ place }) => place);
  const conversation = await store.conversation({ id });
  if (lines.length === 0 || conversation === undefined) return;
  const at = isoTime(clock());
  const detail = JSON.stringify({ messages: 0, lines: lines.length, reason: "repeats an erased entry" });
  const audit = { at, action: "erase", conversation: id, detail };
  const { title } = conversation;
  await store.commit([{ kind: "erase", id, seqs: [], retold: [], lines, title, at, audit }]);
}
