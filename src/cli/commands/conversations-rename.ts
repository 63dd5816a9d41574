import type { Command } from "commander";
import { oneLine } from "../../text/escape-controls.ts";
import type { CommandLine } from "../command-line.ts";

export function addRename(conversations: Command, cli: CommandLine): void {
  conversations
    .command("rename <conversation> <title>")
    .description("give a conversation another title")
    .action(async (conversation: string, title: string) => {
      const { renameConversation } = await import("../../operations/conversations-rename.ts");
      const output = await cli.run(renameConversation, { conversation, title });
      const { id, title: now } = output.conversation;
      await cli.answer(output, () => `${id} is now called "${oneLine(now ?? "")}".`);
    });
}
