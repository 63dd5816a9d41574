import type { Command } from "commander";
import { counted } from "../amounts.ts";
import type { CommandLine } from "../command-line.ts";
import { describeConversation } from "../describe-conversation.ts";
import { list } from "../list.ts";

export function addDelete(conversations: Command, cli: CommandLine): void {
  conversations
    .command("delete <conversation>")
    .description("remove a conversation with everything in it")
    .option("--yes", "do not ask")
    .action(async (conversation: string, options: { yes?: true }) => {
      const { deleteConversation } = await import("../../operations/conversations-delete.ts");
      await cli.confirm(async () => `Delete ${await describeConversation(cli, conversation)}?`, options);
      const output = await cli.run(deleteConversation, { conversation });
      await cli.answer(output, () =>
        [
          `${output.conversation} is deleted, with ${counted(output.messages, "message")}.`,
          ...list("Backups made earlier, which still contain it:", output.backups),
        ].join("\n"),
      );
    });
}
