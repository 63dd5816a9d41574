import { z } from "zod";
import { receiptSchema } from "../../context/read/receipt.ts";
import { type Engine, internalsOf } from "../../engine.ts";
import type { ScopedStore, StoredTurn } from "../../store/store.ts";
import { count, counted } from "../../text/counted.ts";
import { oneLine } from "../../text/escape-controls.ts";
import { table } from "../../text/terminal/table.ts";
import { defineOperation } from "../operation.ts";
import { conversationName } from "./conversation-schema.ts";

const whole = z.int();

const seenSchema = z.strictObject({
  at: z.string().describe("When the turn was committed, ISO 8601 in UTC."),
  tokens: whole.describe("Tokens that the model saw."),
  budget: whole.describe("Token budget of the context."),
  leftOut: whole.describe("Number of items that did not fit."),
  memories: whole.describe("Number of memories that were added beside the messages."),
});

const outputSchema = z.strictObject({
  conversation: z.string().describe("Id of the conversation."),
  turns: z
    .array(
      z.strictObject({
        key: z.string().describe("Key of the turn."),
        firstSeq: whole.describe("First message of the turn."),
        messageCount: whole.describe("Number of messages in the turn."),
        seen: seenSchema
          .nullable()
          .describe("What the model saw before it; null if the host did not assemble through palimpsest."),
      }),
    )
    .describe("The turns of this page, oldest first."),
  next: whole.nullable().describe("`from` for the next page; null on the last page."),
});

type Input = z.infer<typeof inputSchema>;
const inputSchema = z.strictObject({
  conversation: conversationName,
  from: whole.min(0).exactOptional().describe("First message number. Default: the first turn."),
  limit: whole.min(1).max(10_000).exactOptional().describe("Maximum number of turns. Default 1,000."),
});

export const turns = defineOperation({
  name: "turns",
  summary: "List the turns of a conversation, with the size of what the model saw before each.",
  input: inputSchema,
  output: outputSchema,
  command: {
    positional: ["conversation"],
    flags: { from: { value: "seq" } },
    examples: [["lcm turns my-session", "then: lcm context my-session --at <message>"]],
    paged: true,
    text: async (output, { look, again, on, input }) => {
      if (output.turns.length === 0) return noTurns(on, input);
      const rows = output.turns.map(({ key, firstSeq, messageCount, seen }) => [
        count(firstSeq),
        count(messageCount),
        seen === null ? "" : look.time(seen.at),
        seen === null ? "not recorded" : `${count(seen.tokens)} of ${counted(seen.budget, "token")}`,
        oneLine(key),
      ]);
      const columns = [
        { title: "message", align: "right" },
        { title: "messages", align: "right" },
        { title: "when" },
        { title: "model saw" },
        { title: "key", flexible: true },
      ] as const;
      const listed = table(columns, rows, look);
      return output.next === null ? listed : `${listed}\nThere are more: ${again({ from: output.next })}`;
    },
  },
  run: async (engine, { conversation, from = 0, limit = 1_000 }) => {
    const { id } = await engine.context.conversations.get(conversation);
    const store = internalsOf(engine).conversations;
    const { rows, next } = await store.turns(id, { from, limit });
    const seen = await receiptsOf(store, id, rows);
    const listed = rows.map(({ key, firstSeq, messageCount }) => ({
      ...{ key, firstSeq, messageCount },
      seen: seen.get(firstSeq) ?? null,
    }));
    return { conversation: id, turns: listed, next };
  },
});

/** A transcript has messages and no turns. */
async function noTurns({ context }: Engine, { conversation, from = 0 }: Input): Promise<string> {
  const { id, messageCount } = await context.conversations.get(conversation);
  if (from > 0) return `${id} has no turns at or after message ${count(from)}.`;
  if (messageCount === 0) return `${id} has no turns yet.`;
  const imported = counted(messageCount, "message was imported", "messages were imported");
  return `${id} has no turns: ${imported}. Only messages that a host commits belong to turns.`;
}

async function receiptsOf(store: ScopedStore, id: string, rows: readonly StoredTurn[]) {
  const found = new Map<number, z.infer<typeof seenSchema>>();
  const to = rows.at(-1)?.firstSeq ?? -1;
  for (let from: number | null = rows[0]?.firstSeq ?? 0; from !== null && from <= to; ) {
    const page: Awaited<ReturnType<ScopedStore["receipts"]>> = await store.receipts(id, { from, to });
    for (const { firstSeq, at, content } of page.rows) found.set(firstSeq, toSeen(at, content));
    from = page.next;
  }
  return found;
}

function toSeen(at: string, content: string): z.infer<typeof seenSchema> {
  const { tokens, budget, left, recalled } = receiptSchema.parse(JSON.parse(content));
  return { at, tokens, budget, leftOut: left, memories: recalled?.ids.length ?? 0 };
}
