/** The schema of a context in results. */
import { z } from "zod";
import type { AssembledItem } from "../context/assemble/entry.ts";
import type { ReplayResult } from "../context/assemble/replay.ts";
import { textsOf } from "../context/assemble/texts-of.ts";
import { type Receipt, receiptSchema } from "../context/read/receipt.ts";
import { type Engine, internalsOf } from "../engine.ts";
import { ROLES } from "../types.ts";

const number = z.int();

export const itemSchema = z.strictObject({
  id: z.string().describe("msg_… or sum_…"),
  type: z.enum(["message", "summary"]).describe("Type of the item."),
  role: z.enum(ROLES).describe("Role under which it is shown."),
  at: z.string().describe("Time of the message; for a summary, of the newest message it covers."),
  tokens: number.describe("Estimated tokens."),
  cutTo: number
    .nullable()
    .describe("Tokens to which it was cut because it did not fit; null if it is complete."),
  reason: z
    .enum([
      "system message",
      "newest user message",
      "first request",
      "summary of older messages",
      "in the window",
      "matches the prompt",
      "stub of an old tool result",
    ])
    .describe("Why it is shown."),
  text: z.string().describe("Readable text. The exact form is in `messages`."),
});
export type ShownItem = z.infer<typeof itemSchema>;

const fields = receiptSchema.shape;
export const receiptAnswer = z.strictObject({
  renderer: fields.renderer.describe("Version of the renderer."),
  format: fields.format.describe("Format of the messages."),
  budget: fields.budget.describe("Token budget."),
  tokens: fields.tokens.describe("Tokens of the context."),
  shown: fields.shown.describe("Items in order: ranges of message numbers, and summary ids."),
  cut: fields.cut.describe("Items that were cut, with their tokens after the cut."),
  left: fields.left.describe("Number of items that did not fit."),
  recalled: fields.recalled.describe("Memories that were added beside the messages: their ids and tokens."),
  hash: fields.hash.describe("SHA-256 of the result."),
}) satisfies z.ZodType<Receipt>;

export const recalledSchema = z
  .strictObject({
    text: z.string().describe("Text for the model, to be placed after the prefix that a provider caches."),
    tokens: number.describe("Its tokens, which are included in the total."),
    ids: z.array(z.string()).readonly().describe("Ids of the memories, in order."),
  })
  .nullable();

export const turnSchema = z.strictObject({
  key: z.string().describe("Key of the turn."),
  firstSeq: number.describe("First message of the turn."),
  messageCount: number.describe("Number of messages in the turn."),
  at: z.string().describe("When the turn was committed, ISO 8601 in UTC."),
  differs: z
    .string()
    .nullable()
    .describe("Null if this is byte for byte what the model saw; else the reason why not."),
});

export function toTurn({ turn: { key, firstSeq, messageCount }, at, differs }: ReplayResult) {
  return { key, firstSeq, messageCount, at, differs };
}

/** Adds the text to the items. */
export async function withTexts(
  engine: Engine,
  answer: {
    readonly conversation: string;
    readonly receipt: Receipt;
    readonly shownBefore?: string | null;
  },
  items: readonly AssembledItem[],
): Promise<ShownItem[]> {
  const { conversations: store, countTokens } = internalsOf(engine);
  const texts = await textsOf(answer, { store, countTokens });
  return items.map((item) => ({ ...item, text: texts.get(item.id) ?? "" }));
}
