/** The schema of an import's report, per file and in total. */
import { z } from "zod";
import { DOCUMENT_FORMATS, MESSAGE_FORMATS } from "../../types.ts";

const count = z.number().int();
const path = z.string().describe("The file.");

const transcriptReport = z.strictObject({
  kind: z.literal("transcript").describe("A host's transcript, or one session of a file with several."),
  path,
  status: z.enum(["imported", "unchanged", "skipped"]).describe("imported, unchanged or skipped."),
  reason: z
    .enum(["disabled", "heartbeat", "ignored-session", "stateless-session"])
    .nullable()
    .describe("The setting that excluded it; null if it was not skipped."),
  format: z.enum([...MESSAGE_FORMATS, ...DOCUMENT_FORMATS]).describe("Detected format."),
  formatLabel: z.string().describe("Product that wrote the file."),
  conversation: z.string().nullable().describe("The conversation that it was stored in."),
  archived: z.boolean().describe("Whether that conversation is archived. It stays archived."),
  title: z.string().nullable().describe("Title of that conversation."),
  sessionId: z.string().describe("The host's session id."),
  file: z
    .enum(["new", "grown", "resumed", "edited", "cut", "replaced", "unchanged"])
    .describe(
      "How the file differs from what was on record; resumed: an earlier import had stopped before its end.",
    ),
  lines: count.describe("Number of lines that were read now."),
  imported: count.describe("Number of new messages."),
  alreadyThere: count.describe(
    "Number of messages that were already on record; for an unchanged file, all messages of its conversation.",
  ),
  events: count.describe("Number of non-message lines, which are kept."),
  summaries: count.describe("Number of new summaries by the host; only a lossless-claw database has any."),
  leftOut: z
    .array(z.string())
    .readonly()
    .describe(
      "Parts of the session that could not be imported. After an import from lossless-claw, also differences between the file and the store.",
    ),
  unreadable: z
    .array(
      z.strictObject({
        line: count.describe("Number of the line, from 1."),
        problem: z.string().describe("Why it is not readable. Its bytes are kept."),
      }),
    )
    .readonly()
    .describe("Lines that are kept but not readable."),
  offPath: z
    .strictObject({
      messages: count.describe("Number of these messages."),
      ranges: z
        .array(z.strictObject({ from: count.describe("First seq."), to: count.describe("Last seq.") }))
        .describe("Which."),
    })
    .describe("Messages of the conversation that are kept but not on its active path."),
});

const storeReport = z.strictObject({
  kind: z.literal("store-export").describe("An export or backup of a whole store."),
  path,
  conversations: count.describe("Number of new conversations."),
  imported: count.describe("Number of new messages."),
  summaries: count.describe("Number of new summaries."),
  memories: count.describe("Number of new memories."),
  alreadyThere: count.describe("Number of messages that were already on record."),
});

const refusedReport = z.strictObject({
  kind: z.literal("refused").describe("A file among several, or a folder, that was not imported."),
  path: z.string().describe("The file, or the folder that could not be read, which ends with a slash."),
  status: z.literal("refused").describe("Result."),
  code: z
    .enum(["not-supported", "invalid-input", "not-found", "conflict", "store-corrupt", "store-newer"])
    .describe("Error code."),
  problem: z.string().describe("Why."),
  advice: z.string().nullable().describe("What to do about it."),
});

export const fileReport = z.discriminatedUnion("kind", [transcriptReport, storeReport, refusedReport]);
export type FileReport = z.infer<typeof fileReport>;
export type TranscriptReport = z.infer<typeof transcriptReport>;
export type RefusedReport = z.infer<typeof refusedReport>;

export const totalsReport = z.strictObject({
  imported: count.describe("Number of new messages."),
  summaries: count.describe(
    "Number of new summaries, from an export of a whole store or a lossless-claw database.",
  ),
  memories: count.describe("Number of new memories; only an export of a whole store contains any."),
  alreadyThere: count.describe("Number of messages that were already on record."),
  events: count.describe("Number of non-message lines, which are kept."),
  unreadable: count.describe("Number of unreadable lines, which are kept."),
  offPath: count.describe("Number of messages of these conversations that are not on the active path."),
  refused: count.describe("Number of files, and of folders that could not be read, that were not imported."),
});

export function totalsOf(files: readonly FileReport[]): z.infer<typeof totalsReport> {
  const totals = {
    imported: 0,
    summaries: 0,
    memories: 0,
    alreadyThere: 0,
    events: 0,
    unreadable: 0,
    offPath: 0,
    refused: 0,
  };
  for (const file of files) {
    if (file.kind === "refused") {
      totals.refused++;
      continue;
    }
    totals.imported += file.imported;
    totals.alreadyThere += file.alreadyThere;
    totals.summaries += file.summaries;
    if (file.kind === "store-export") totals.memories += file.memories;
    if (file.kind !== "transcript") continue;
    totals.events += file.events;
    totals.unreadable += file.unreadable.length;
    totals.offPath += file.offPath.messages;
  }
  return totals;
}
