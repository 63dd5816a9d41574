/** What an import says about each file, and about all of them. */
import { z } from "zod";
import { DOCUMENT_FORMATS, MESSAGE_FORMATS } from "../../types.ts";

const count = z.number().int();
const path = z.string().describe("The file.");

const transcriptReport = z.strictObject({
  kind: z.literal("transcript").describe("A host's transcript, or one session of a file that holds several."),
  path,
  status: z.enum(["imported", "unchanged", "skipped"]).describe("What happened to it."),
  reason: z
    .enum(["disabled", "heartbeat", "ignored-session", "stateless-session"])
    .nullable()
    .describe("Which setting kept it out, when it was skipped."),
  format: z.enum([...MESSAGE_FORMATS, ...DOCUMENT_FORMATS]).describe("Its format."),
  formatLabel: z.string().describe("The product that wrote it."),
  conversation: z.string().nullable().describe("The conversation it went into."),
  archived: z.boolean().describe("Whether that conversation had been archived, and stays so."),
  title: z.string().nullable().describe("Title of that conversation."),
  sessionId: z.string().describe("The host's id of the session."),
  file: z
    .enum(["new", "grown", "resumed", "edited", "cut", "replaced", "unchanged"])
    .describe(
      "How the file relates to what was on record; resumed when an import of it had stopped before its end.",
    ),
  lines: count.describe("Lines that were read now."),
  imported: count.describe("Messages that are new."),
  alreadyThere: count.describe(
    "Messages of the file that were on record already; of an unchanged file, all of its conversation.",
  ),
  events: count.describe("Lines kept that are not part of the conversation."),
  summaries: count.describe("Summaries of the host that are new; only a database of lossless-claw has any."),
  leftOut: z
    .array(z.string())
    .readonly()
    .describe(
      "What the file has of the session and could not be taken over. After an import from lossless-claw, also what differs from it in the store.",
    ),
  unreadable: z
    .array(
      z.strictObject({
        line: count.describe("Number of the line, from 1."),
        problem: z.string().describe("Why it could not be read. Its bytes are kept."),
      }),
    )
    .readonly()
    .describe("Lines that are kept and could not be read."),
  offPath: z
    .strictObject({
      messages: count.describe("How many."),
      ranges: z
        .array(z.strictObject({ from: count.describe("First seq."), to: count.describe("Last seq.") }))
        .describe("Which."),
    })
    .describe("Messages of the conversation that are kept and not on its active path."),
});

const storeReport = z.strictObject({
  kind: z.literal("store-export").describe("An export or backup of a whole store."),
  path,
  conversations: count.describe("Conversations that are new."),
  imported: count.describe("Messages that are new."),
  summaries: count.describe("Summaries that are new."),
  memories: count.describe("Memories that are new."),
  alreadyThere: count.describe("Messages that were on record already."),
});

const refusedReport = z.strictObject({
  kind: z.literal("refused").describe("A file among several that was not imported."),
  path,
  code: z
    .enum(["not-supported", "invalid-input", "not-found", "conflict", "store-corrupt", "store-newer"])
    .describe("Kind of refusal."),
  problem: z.string().describe("Why."),
  advice: z.string().nullable().describe("What can be done about it."),
});

export const fileReport = z.discriminatedUnion("kind", [transcriptReport, storeReport, refusedReport]);
export type FileReport = z.infer<typeof fileReport>;
export type TranscriptReport = z.infer<typeof transcriptReport>;
export type RefusedReport = z.infer<typeof refusedReport>;

export const totalsReport = z.strictObject({
  imported: count.describe("Messages that are new."),
  summaries: count.describe(
    "Summaries that are new: of an export of a whole store, or of a database of lossless-claw.",
  ),
  memories: count.describe("Memories that are new; only an export of a whole store brings any."),
  alreadyThere: count.describe("Messages that were on record already."),
  events: count.describe("Transcript lines kept that are not part of a conversation."),
  unreadable: count.describe("Transcript lines kept that could not be read."),
  offPath: count.describe("Messages of these conversations kept off the active path."),
  refused: count.describe("Files that were not imported."),
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
