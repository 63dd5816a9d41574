import type { Command } from "commander";
import type { listConversations } from "../../operations/conversations-list.ts";
import { count, counted } from "../amounts.ts";
import type { CommandLine } from "../command-line.ts";
import type { Look } from "../look.ts";
import { wholeNumber } from "../option-values.ts";
import type { OutputOf } from "../output-of.ts";
import { table } from "../table.ts";

interface Options {
  readonly archived?: true;
  readonly from?: number;
  readonly limit?: number;
}

export function addList(conversations: Command, cli: CommandLine): void {
  conversations
    .command("list", { isDefault: true })
    .description("what is there, last changed first")
    .option("--archived", "include archived conversations")
    .option("--from <number>", "how many to skip", wholeNumber)
    .option("--limit <number>", "how many to show (1,000)", wholeNumber)
    .action(async (options: Options) => {
      const { listConversations } = await import("../../operations/conversations-list.ts");
      const { archived, from, limit } = options;
      const output = await cli.run(listConversations, { archived, from, limit });
      const shown = output.conversations.length > 0 || cli.json ? "" : await nothing(cli, options);
      await cli.answer(output, (look) => shown || render(output, look, cli));
    });
}

/** Why the list is empty: nothing is there, it ended before, or all of it is archived. */
async function nothing(cli: CommandLine, { archived, from = 0 }: Options): Promise<string> {
  const { listConversations } = await import("../../operations/conversations-list.ts");
  const anyAt = async (input: { archived?: boolean }) =>
    (await cli.run(listConversations, { ...input, limit: 1 })).conversations.length > 0;
  if (from > 0 && (await anyAt({ archived: archived === true })))
    return `There are not more than ${counted(from, "conversation")}.`;
  if (archived !== true && (await anyAt({ archived: true })))
    return `Every conversation is archived. See them with: ${cli.suggest("conversations --archived")}`;
  return `No conversations yet. Bring some in with: ${cli.suggest("import <file or folder>")}`;
}

function render(output: OutputOf<typeof listConversations>, look: Look, cli: CommandLine): string {
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
