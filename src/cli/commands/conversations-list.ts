import type { Command } from "commander";
import type { listConversations } from "../../operations/conversations-list.ts";
import { count } from "../amounts.ts";
import type { CommandLine } from "../command-line.ts";
import type { Look } from "../look.ts";
import { wholeNumber } from "../option-values.ts";
import type { OutputOf } from "../output-of.ts";
import { table } from "../table.ts";

export function addList(conversations: Command, cli: CommandLine): void {
  conversations
    .command("list", { isDefault: true })
    .description("what is there, last changed first")
    .option("--archived", "include archived conversations")
    .option("--from <number>", "how many to skip", wholeNumber)
    .option("--limit <number>", "how many to show (1,000)", wholeNumber)
    .action(async (options: { archived?: true; from?: number; limit?: number }) => {
      const { listConversations } = await import("../../operations/conversations-list.ts");
      const { archived, from, limit } = options;
      const output = await cli.run(listConversations, { archived, from, limit });
      await cli.answer(output, (look) => render(output, look, cli));
    });
}

function render(output: OutputOf<typeof listConversations>, look: Look, cli: CommandLine): string {
  if (output.conversations.length === 0)
    return `No conversations yet. Bring some in with: ${cli.suggest("import <file or folder>")}`;
  const rows = output.conversations.map((conversation) => [
    conversation.id,
    count(conversation.messageCount),
    count(conversation.tokenCount),
    count(conversation.contextTokens),
    look.time(conversation.updatedAt),
    `${conversation.archivedAt === null ? "" : "(archived) "}${conversation.title ?? conversation.sessionId}`,
  ]);
  const listed = table(
    [
      { title: "conversation" },
      { title: "messages", align: "right" },
      { title: "tokens", align: "right" },
      { title: "context", align: "right" },
      { title: "changed" },
      { title: "title", flexible: true },
    ],
    rows,
    look,
  );
  if (output.next === null) return listed;
  return `${listed}\nThere are more: ${cli.suggest(`conversations --from ${output.next}`)}`;
}
