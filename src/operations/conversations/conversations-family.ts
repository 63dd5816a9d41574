import { z } from "zod";
import { count } from "../../text/counted.ts";
import { table } from "../../text/terminal/table.ts";
import type { Conversation } from "../../types.ts";
import { defineOperation } from "../operation.ts";
import { conversationSchema } from "./conversation-schema.ts";

export const conversationFamily = defineOperation({
  name: "conversations-family",
  summary: "List related conversations: those of one session, its forks and its sub-agents.",
  input: z.strictObject({ conversation: z.string().min(1).describe("A conversation, by id or session id.") }),
  output: z.strictObject({
    conversations: z
      .array(conversationSchema)
      .readonly()
      .describe("The related conversations, oldest first."),
  }),
  command: {
    positional: ["conversation"],
    examples: [["lcm conversations family my-session", "its forks, sub-agents and parent"]],
    text: ({ conversations }, { look }) =>
      table(
        [
          { title: "conversation" },
          { title: "messages", align: "right" },
          { title: "comes from" },
          { title: "title", flexible: true },
        ],
        conversations.map((one) => [one.id, count(one.messageCount), originOf(one), nameOf(one)]),
        look,
      ),
  },
  run: async (engine, { conversation }) => {
    const family = await engine.context.conversations.family(conversation);
    return { conversations: family.map(({ firstAt, lastAt, ...one }) => one) };
  },
});

function originOf({ parent, relation }: Conversation): string {
  return parent === null ? "" : `${relation} of ${parent}`;
}

function nameOf({ archivedAt, title, sessionId }: Conversation): string {
  return `${archivedAt === null ? "" : "(archived) "}${title ?? sessionId}`;
}
