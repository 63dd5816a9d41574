/** The part of an erasure's result about copies and its certificate. */
import { z } from "zod";

export type ErasedCopy = z.infer<typeof copySchema>;
export const copySchema = z.strictObject({
  id: z
    .string()
    .describe(
      "Id of the message, summary or memory; for a title or transcript line, id of the conversation.",
    ),
  type: z.enum(["message", "line", "summary", "title", "memory"]).describe("What contains the copy."),
  transcript: z.number().int().nullable().describe("For a transcript line: version of the transcript."),
  line: z.number().int().nullable().describe("For a transcript line: its number, from 1."),
  kind: z
    .enum(["exact", "near", "part"])
    .describe(
      "exact: contains all of an erased text. near: at least half of it. part: a line, or twelve consecutive words.",
    ),
  share: z.number().describe("Share of an erased text that it contains, 0 to 1."),
  removed: z.boolean().describe("Whether this copy was also removed."),
});

export const certificateSchema = z.strictObject({
  hash: z
    .string()
    .describe("SHA-256 of the record in the audit log. verify checks it when `erasure` is set."),
  at: z.string().describe("When it was made, ISO 8601 in UTC."),
  searched: z
    .strictObject({
      conversations: z.number().int().describe("Conversations."),
      messages: z.number().int().describe("Messages, with their payloads."),
      lines: z.number().int().describe("Transcript lines that are not messages."),
      files: z.number().int().describe("Files and their descriptions."),
      summaries: z.number().int().describe("Summaries."),
      memories: z.number().int().describe("Memories that this agent can see."),
    })
    .describe("Number of texts that were searched for copies."),
});
