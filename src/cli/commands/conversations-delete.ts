import type { Command } from "commander";
import { counted } from "../amounts.ts";
import type { CommandLine } from "../command-line.ts";
import { describeConversation } from "../describe-conversation.ts";
import { list } from "../list.ts";
import { NOT_REACHED } from "../not-reached.ts";

export function addDelete(conversations: Command, cli: CommandLine): void {
  conversations
    .command("delete <conversation>")
    .description("remove a conversation with everything in it")
    .option("--yes", "do not ask")
    .action(async (conversation: string, options: { yes?: true }) => {
      const { deleteConversation, requireWhole } = await import("../../operations/conversations-delete.ts");
      await cli.confirm(async () => {
        const { id } = await requireWhole(await cli.engine(), conversation);
        return `Delete ${await describeConversation(cli, id)}?`;
      }, options);
      const output = await cli.run(deleteConversation, { conversation });
      await cli.answer(output, () =>
        [
          `${output.conversation} is deleted, with ${counted(output.messages, "message")}.`,
          ...list("Backups made earlier, which still contain it:", output.backups),
          ...list(
            "Backups made earlier that are not at their place any more; where they are, they contain it:",
            output.missingBackups,
          ),
          ...list(
            "Files of the host, which are not touched; importing one brings it back:",
            output.transcriptFiles,
          ),
          NOT_REACHED,
        ].join("\n"),
      );
    });
}
