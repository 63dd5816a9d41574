import { z } from "zod";
import type { Config } from "../config/schema.ts";
import { planSettings } from "../context/compact/plan/compaction-settings.ts";
import { freshTailStart } from "../context/compact/plan/fresh-tail.ts";
import { readShape } from "../context/compact/plan/read-shape.ts";
import { tokenBudget } from "../context/compact/plan/token-budget.ts";
import { internalsOf } from "../engine.ts";
import { everyRow } from "../store/every-row.ts";
import type { ScopedStore, ShapeItem } from "../store/store.ts";
import { conversationName, conversationSchema } from "./conversations/conversation-schema.ts";
import { defineOperation } from "./operation.ts";
import { type SummaryFacts, summaryFactsSchema, toFacts } from "./retrieve/summary-schema.ts";
import { renderTree } from "./tree-page.ts";

const number = z.int();

const runSchema = z.strictObject({
  type: z.literal("messages").describe("Messages in the context that are not summarised."),
  firstSeq: number.describe("Number of the first message."),
  lastSeq: number.describe("Number of the last message."),
  messages: number.describe("How many."),
  tokens: number.describe("Their tokens."),
  fresh: z.boolean().describe("Whether they are in the fresh tail, which is never summarised."),
  kept: z
    .enum(["system message", "newest user message"])
    .nullable()
    .describe("Why none of them is ever summarised outside the fresh tail; null if they can be."),
});
type Run = z.infer<typeof runSchema>;

const placeSchema = z.discriminatedUnion("type", [
  runSchema,
  z.strictObject({
    type: z.literal("summary").describe("A summary in the context."),
    id: z.string().describe("Id of the summary."),
  }),
]);
type Place = z.infer<typeof placeSchema>;

const viewSchema = z.strictObject({
  depth: z.int().min(1).exactOptional().describe("Levels to draw. Default: all."),
});

export type TreeOutput = z.infer<typeof outputSchema>;
const outputSchema = z.strictObject({
  conversation: conversationSchema.describe("The conversation."),
  erased: z
    .strictObject({
      messages: number.describe("How many."),
      tokens: number.describe("Their tokens before the erasure."),
    })
    .nullable()
    .describe("Erased messages, which the conversation still counts. Null if they were not counted."),
  context: z
    .array(placeSchema)
    .describe("Content of the context, in order: summaries, and ranges of messages."),
  summaries: z
    .array(summaryFactsSchema)
    .describe("All summaries, by depth and then by the messages they cover."),
});

export const tree = defineOperation({
  name: "tree",
  summary: "Show the summaries of a conversation: which are in the context, and the sources of each.",
  input: z.strictObject({
    conversation: conversationName,
    countsErased: z
      .boolean()
      .exactOptional()
      .describe("Count erased messages, which reads every message. Default true."),
  }),
  output: outputSchema,
  command: {
    positional: ["conversation"],
    flags: { countsErased: false },
    view: viewSchema,
    paged: true,
    text: (output, view) => {
      const drawn = renderTree(output, view.flags(viewSchema).depth ?? Infinity, view.look);
      if (output.summaries.length > 0) return drawn;
      return `${drawn}\n\nNo summaries yet. Create some with: ${view.suggest(`compact ${output.conversation.id}`)}`;
    },
  },
  run: async (engine, { conversation: name, countsErased = true }) => {
    const conversation = await engine.context.conversations.get(name);
    const scoped = internalsOf(engine).conversations;
    const summaries: SummaryFacts[] = [];
    for await (const outline of everyRow((from) => scoped.summaryOutlines(conversation.id, { from })))
      summaries.push(toFacts(outline));
    const context = await readContext(scoped, engine.config, conversation.id);
    const erased = countsErased ? await countErased(scoped, conversation.id) : null;
    return { conversation, erased, context, summaries };
  },
});

async function countErased(scoped: ScopedStore, id: string): Promise<{ messages: number; tokens: number }> {
  const erased = { messages: 0, tokens: 0 };
  const rows = everyRow((from) => scoped.messages(id, { from, withoutContent: true }), 1);
  for await (const { erasedAt, tokenCount } of rows) {
    if (erasedAt === null) continue;
    erased.messages++;
    erased.tokens += tokenCount;
  }
  return erased;
}

async function readContext(scoped: ScopedStore, config: Config, conversation: string): Promise<Place[]> {
  const items = await readShape(scoped, conversation);
  const tail = freshTailStart(items, planSettings(config, tokenBudget(undefined, config)));
  const newestUser = items.findLastIndex((item) => item.type === "message" && item.role === "user");
  const places: Place[] = [];
  items.forEach((item, index) => {
    if (item.type === "summary") places.push({ type: "summary", id: item.summary });
    else addMessage(places, item, { fresh: index >= tail, kept: keptAs(item, index === newestUser) });
  });
  return places;
}

type MessageItem = Extract<ShapeItem, { type: "message" }>;

function keptAs({ role }: MessageItem, isNewestUser: boolean): Run["kept"] {
  if (role === "system") return "system message";
  return isNewestUser ? "newest user message" : null;
}

function addMessage(places: Place[], item: MessageItem, { fresh, kept }: Pick<Run, "fresh" | "kept">): void {
  const last = places.at(-1);
  const run: Run =
    last?.type === "messages" && last.fresh === fresh
      ? last
      : { type: "messages", firstSeq: item.seq, lastSeq: item.seq, messages: 0, tokens: 0, fresh, kept };
  if (run !== last) places.push(run);
  run.lastSeq = item.seq;
  run.messages++;
  if (run.kept !== kept) run.kept = null;
  run.tokens += item.tokenCount;
}
