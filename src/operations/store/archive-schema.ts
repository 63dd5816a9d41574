import { z } from "zod";
import type { NamedDamage } from "../../store/store.ts";

/** One thing that is not as it was stored. */
export const damageSchema = z.strictObject({
  conversation: z.string().nullable().describe("The conversation it concerns; null when it concerns none."),
  seq: z.number().int().nullable().describe("The message it concerns, if it concerns one."),
  problem: z.string().describe("What was found."),
}) satisfies z.ZodType<NamedDamage>;

/** What is said about an archive that was written. */
export const archiveSchema = z.strictObject({
  file: z.string().describe("The file that was written."),
  conversations: z.number().int().describe("Conversations in it."),
  messages: z.number().int().describe("Messages in it."),
  rows: z.number().int().describe("Rows of any kind in it."),
  bytes: z.number().int().describe("Size of its content before compression."),
  sha256: z.string().describe("Checksum of its content, which reading it verifies."),
  damages: z
    .array(damageSchema)
    .describe(
      "What is damaged in it or missing from it, because the store is damaged; empty when it is complete.",
    ),
});
