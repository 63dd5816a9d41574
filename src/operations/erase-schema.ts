/** What an erasure answers about copies and its certificate. */
import { z } from "zod";

export const copySchema = z.strictObject({
  id: z
    .string()
    .describe(
      "Id of the message, summary or memory; of the conversation, where it is a title or a transcript line.",
    ),
  type: z.enum(["message", "line", "summary", "title", "memory"]).describe("What holds the copy."),
  transcript: z.number().int().nullable().describe("Of a line: the version of the transcript."),
  line: z.number().int().nullable().describe("Of a line: its number in the transcript, from 1."),
  kind: z
    .enum(["exact", "near", "part"])
    .describe(
      "exact: all of an erased text is in it. near: at least half of it. part: a line of it, or twelve words in a row.",
    ),
  share: z.number().describe("How much of an erased text is in it, from 0 to 1."),
  removed: z.boolean().describe("Whether it was removed too."),
});

export const certificateSchema = z.strictObject({
  hash: z
    .string()
    .describe("SHA-256 of the record in the audit log; verify checks it where erasure is asked for."),
  at: z.string().describe("When it was made, ISO 8601 in UTC."),
  searched: z
    .strictObject({
      conversations: z.number().int().describe("Conversations."),
      messages: z.number().int().describe("Messages, with their payloads."),
      lines: z.number().int().describe("Transcript lines that are not messages."),
      files: z.number().int().describe("Files, with what is said of them."),
      summaries: z.number().int().describe("Summaries."),
      memories: z.number().int().describe("Memories that this agent may see."),
    })
    .describe("How many texts were searched for copies."),
});
