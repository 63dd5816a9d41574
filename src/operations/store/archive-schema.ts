import { z } from "zod";

/** What is said about an archive that was written. */
export const archiveSchema = z.strictObject({
  file: z.string().describe("The file that was written."),
  conversations: z.number().int().describe("Conversations in it."),
  messages: z.number().int().describe("Messages in it."),
  rows: z.number().int().describe("Rows of any kind in it."),
  bytes: z.number().int().describe("Size of its content before compression."),
  sha256: z.string().describe("Checksum of its content, which reading it verifies."),
});
