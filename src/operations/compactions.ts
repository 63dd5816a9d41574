import { z } from "zod";
import { count } from "../text/counted.ts";
import { table } from "../text/terminal/table.ts";
import { conversationName } from "./conversations/conversation-schema.ts";
import { defineOperation } from "./operation.ts";

const whole = z.int();

export const compactions = defineOperation({
  name: "compactions",
  summary: "List what compactions did to the context of a conversation, oldest first.",
  input: z.strictObject({ conversation: conversationName }),
  output: z.strictObject({
    conversation: z.string().describe("Id of the conversation."),
    compactions: z
      .array(
        z.strictObject({
          at: z.string().describe("Time of the compaction, ISO 8601 in UTC."),
          summary: z.string().describe("The summary that was published."),
          trigger: z.string().describe("What started the compaction."),
          tokensBefore: whole.describe("Tokens of the context before."),
          tokensAfter: whole.describe("Tokens of the context after."),
          milliseconds: z.number().describe("Duration, including model calls."),
        }),
      )
      .describe("One entry for each summary."),
  }),
  command: {
    positional: ["conversation"],
    paged: true,
    text: (output, { look }) =>
      output.compactions.length === 0
        ? "Nothing has been compacted yet."
        : table(
            [
              { title: "when" },
              { title: "summary" },
              { title: "trigger" },
              { title: "before", align: "right" },
              { title: "after", align: "right" },
              { title: "ms", align: "right" },
            ],
            output.compactions.map((one) => [
              look.time(one.at),
              one.summary,
              one.trigger,
              count(one.tokensBefore),
              count(one.tokensAfter),
              count(Math.round(one.milliseconds)),
            ]),
            look,
          ),
  },
  run: async (engine, input) => {
    const found = await engine.context.conversations.compactions(input.conversation);
    const listed = found.compactions.map(({ part: _, freshFrom: __, ...event }) => event);
    return { conversation: found.conversation.id, compactions: listed };
  },
});
