/** The record of what the model saw before a turn: small enough for every turn. See `assemble/write-receipt.ts`. */
import { z } from "zod";
import { ASSEMBLE_FORMATS } from "../../message/wire-formats.ts";

export const receiptSchema = z.strictObject({
  renderer: z.int(),
  format: z.enum(ASSEMBLE_FORMATS),
  budget: z.int(),
  tokens: z.int().describe("Tokens of the memories."),
  /** In order: `120-185` are messages, `sum_…` is a summary; a letter before a range is the reason for showing it. */
  shown: z.array(z.string()).readonly(),
  /** Messages that were cut, and to how many tokens. */
  cut: z.record(z.string(), z.int()).optional(),
  /** Items of the context that did not fit. */
  left: z.int(),
  /** Memories that were given with the messages; their tokens are included in `tokens`. */
  recalled: z
    .strictObject({
      ids: z.array(z.string()).readonly().describe("Ids of the memories, in order."),
      until: z
        .record(z.string(), z.string())
        .optional()
        .describe("Expected end of validity of each memory at that time."),
      tokens: z.int().describe("Tokens of the memories."),
    })
    .optional(),
  hash: z.string(),
});
export type Receipt = z.infer<typeof receiptSchema>;
export type RecalledReceipt = NonNullable<Receipt["recalled"]>;
