/** What was shown to a model, as operations give it. */
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
  type: z.enum(["message", "summary"]).describe("What it is."),
  role: z.enum(ROLES).describe("In whose name it is shown."),
  at: z.string().describe("When it was said; of a summary, when the newest message under it was."),
  tokens: number.describe("Tokens that it takes, by estimate."),
  cutTo: number.nullable().describe("Tokens to which it was cut because it did not fit; null when whole."),
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
  text: z.string().describe("What a person reads of it. The exact form is in the messages."),
});
export type ShownItem = z.infer<typeof itemSchema>;

const fields = receiptSchema.shape;
export const receiptAnswer = z.strictObject({
  renderer: fields.renderer.describe("Version of the rendering."),
  format: fields.format.describe("In which format it was given."),
  budget: fields.budget.describe("Tokens that it might take."),
  tokens: fields.tokens.describe("Tokens that it took."),
  shown: fields.shown.describe("Ids, in order: runs of message numbers, and summaries."),
  cut: fields.cut.describe("Items that were cut, and to how many tokens."),
  left: fields.left.describe("Items of the context that did not fit."),
  recalled: fields.recalled.describe("Memories that were given beside the messages: ids, and their tokens."),
  hash: fields.hash.describe("SHA-256 over what was given."),
}) satisfies z.ZodType<Receipt>;

export const recalledSchema = z
  .strictObject({
    text: z.string().describe("As it is put in front of the model, behind what a provider caches."),
    tokens: number.describe("Tokens that it takes; part of the tokens of the whole."),
    ids: z.array(z.string()).readonly().describe("Ids of the memories, in their order."),
  })
  .nullable();

export const turnSchema = z.strictObject({
  key: z.string().describe("The turn's key."),
  firstSeq: number.describe("Its first message."),
  messageCount: number.describe("How many messages it has."),
  at: z.string().describe("When it was committed, ISO 8601 in UTC."),
  differs: z
    .string()
    .nullable()
    .describe("Null when this is what the model saw, byte for byte; else why it is not."),
});

export function toTurn({ turn: { key, firstSeq, messageCount }, at, differs }: ReplayResult) {
  return { key, firstSeq, messageCount, at, differs };
}

/** Items with their words. */
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
