/**
 * Tries unreadable lines again after the readers were extended. Lines that can now be read are added to
 * the end of the conversation: the stored order is the order of arrival.
 */

import type { TranscriptFormat, TranscriptSession } from "../../../message/hosts/transcript-format.ts";
import { everyRow } from "../../../store/every-row.ts";
import { basisOf } from "../../../store/rules/transcript-basis.ts";
import type { StoredTranscriptLine, Transcript } from "../../../store/store.ts";
import { type AppendDependencies, appendToConversation } from "../append-to-conversation.ts";
import { READER_VERSION } from "./batch-writer.ts";
import { LineImporter, type LineImporterOptions } from "./import-lines.ts";

/** Returns the number of recovered messages. */
export async function retryUnreadable(
  transcript: Transcript,
  versions: readonly Transcript[],
  format: TranscriptFormat,
  session: TranscriptSession,
  use: LineImporterOptions & AppendDependencies,
): Promise<number> {
  if (transcript.readerVersion >= READER_VERSION) return 0;
  // Their position in the tree has passed: they are read as separate lines.
  const importer = new LineImporter({ ...format, tree: false }, session, use);
  const { conversation, updatedAt: _, ...state } = transcript;
  const query = { transcript: transcript.number, kinds: ["unreadable"] as const };
  for await (const line of everyRow((from) => use.store.transcriptLines(conversation, { ...query, from })))
    importer.take(line.line, bytesOf(line), true, null);
  const { messages, lines } = await importer.batch();
  await appendToConversation(
    {
      address: { id: conversation },
      messages,
      onOtherContent: "branch",
      transcript: {
        plannedFrom: basisOf(versions, transcript.number),
        state: { ...state, readerVersion: READER_VERSION },
        lines,
      },
    },
    use,
  );
  return messages.length;
}

function bytesOf({ content }: StoredTranscriptLine): Uint8Array {
  return typeof content === "string" ? Buffer.from(content, "utf8") : (content ?? new Uint8Array());
}
