import { z } from "zod";
import type { NamedDamage } from "../../store/store.ts";
import { escapeControls } from "../../text/escape-controls.ts";
import { list } from "../../text/terminal/table.ts";

/** One damaged object. */
export const damageSchema = z.strictObject({
  conversation: z.string().nullable().describe("Affected conversation; null if there is none."),
  seq: z.number().int().nullable().describe("Affected message; null if there is none."),
  problem: z.string().describe("The problem."),
}) satisfies z.ZodType<NamedDamage>;

/** The result of writing an archive. */
export const archiveSchema = z.strictObject({
  file: z.string().describe("The file that was written."),
  conversations: z.number().int().describe("Number of conversations in it."),
  messages: z.number().int().describe("Number of messages in it."),
  rows: z.number().int().describe("Number of rows of any kind in it."),
  bytes: z.number().int().describe("Bytes of its content before compression."),
  sha256: z.string().describe("Checksum of its content, which is verified when it is read."),
  damages: z
    .array(damageSchema)
    .describe(
      "Rows that are damaged or missing in it because the store is damaged; empty if it is complete.",
    ),
});

/** What is damaged in an archive, for people. */
export function damageLines(title: string, damages: readonly NamedDamage[]): string[] {
  return list(
    title,
    damages.map(({ conversation, seq, problem }) => {
      const place = [conversation ?? "store", ...(seq === null ? [] : [`#${seq}`])].join(" ");
      return `${place}: ${escapeControls(problem)}`;
    }),
  );
}
