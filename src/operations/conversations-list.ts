import { z } from "zod";
import { listConversationsInput } from "../context/inputs.ts";
import type { Engine } from "../engine.ts";
import { count, counted } from "../text/counted.ts";
import { table } from "../text/terminal/table.ts";
import type { View } from "./command.ts";
import { conversationSchema } from "./conversation-schema.ts";
import { defineOperation } from "./operation.ts";

type Input = z.infer<typeof listConversationsInput>;

type Output = z.infer<typeof outputSchema>;
const outputSchema = z.strictObject({
  conversations: z.array(conversationSchema).readonly().describe("The conversations of this page."),
  next: z.number().int().nullable().describe("`from` of the next page; null when this is the last."),
});

export const listConversations = defineOperation({
  name: "conversations-list",
  summary: "List the conversations of this tenant and agent, last changed first.",
  input: listConversationsInput,
  output: outputSchema,
  command: {
    examples: [
      ["lcm conversations", "what is there, last changed first"],
      ["lcm conversations --archived", "archived ones too"],
      ["lcm conversations --from 20 --limit 10"],
    ],
    paged: true,
    text: (output, view) => (output.conversations.length === 0 ? nothing(view) : render(output, view)),
  },
  run: (engine, input) => engine.context.conversations.list(input),
});

/** Why the list is empty: nothing is there, it ended before, or all of it is archived. */
async function nothing({ on, input, suggest }: View<Input, Engine>): Promise<string> {
  const { archived = false, from = 0 } = input;
  const hasAny = async (all: boolean) =>
    (await on.context.conversations.list({ archived: all, limit: 1 })).conversations.length > 0;
  if (from > 0 && (await hasAny(archived)))
    return `There are not more than ${counted(from, "conversation")}.`;
  if (!archived && (await hasAny(true)))
    return `Every conversation is archived. See them with: ${suggest("conversations --archived")}`;
  return `No conversations yet. Bring some in with: ${suggest("import <file or folder>")}`;
}

function render({ conversations, next }: Output, { look, again }: View<Input, Engine>): string {
  const rows = conversations.map((conversation) => [
    conversation.id,
    count(conversation.messageCount),
    count(conversation.tokenCount),
    count(conversation.contextTokens),
    look.time(conversation.updatedAt),
    `${conversation.archivedAt === null ? "" : "(archived) "}${conversation.title ?? conversation.sessionId}`,
  ]);
  const columns = [
    { title: "conversation" },
    { title: "messages", align: "right" },
    { title: "tokens", align: "right" },
    { title: "context", align: "right" },
    { title: "changed" },
    { title: "title", flexible: true },
  ] as const;
  const listed = table(columns, rows, look);
  return next === null ? listed : `${listed}\nThere are more: ${again({ from: next })}`;
}
