import type { Command } from "commander";
import type { CommandLine } from "../command-line.ts";

export function addArchive(conversations: Command, cli: CommandLine): void {
  conversations
    .command("archive <conversation>")
    .description("take a conversation out of the list; everything stays on record")
    .option("--undo", "bring it back")
    .action(async (conversation: string, { undo }: { undo?: true }) => {
      const { archiveConversation } = await import("../../operations/conversations-archive.ts");
      const output = await cli.run(archiveConversation, { conversation, undo });
      const { id, archivedAt } = output.conversation;
      await cli.answer(output, () =>
        archivedAt === null
          ? `${id} is back in the list.`
          : `${id} is archived. Bring it back with: ${cli.suggest(`conversations archive ${id} --undo`)}`,
      );
    });
}
