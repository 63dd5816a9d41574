import type { Command } from "commander";
import { counted } from "../amounts.ts";
import type { CommandLine } from "../command-line.ts";
import { escapeControls } from "../escape-controls.ts";

export function addRestore(program: Command, cli: CommandLine): void {
  program
    .command("restore <file>")
    .description("replace the whole store by a backup, after a backup of what is there")
    .option("--yes", "do not ask")
    .action(async (file: string, options: { yes?: true }) => {
      const { restore } = await import("../../operations/restore.ts");
      await cli.confirm(() => question(cli, file), options);
      const output = await cli.run(restore, { file }, cli.steps("backing up and restoring"));
      const { conversations, messages, safetyBackup } = output;
      await cli.answer(output, () =>
        [
          `Restored ${counted(conversations, "conversation")} with ${counted(messages, "message")}.`,
          safetyBackup === null
            ? "The store was empty before."
            : `What was there before is in: ${escapeControls(safetyBackup)}`,
        ].join("\n"),
      );
    });
}

async function question(cli: CommandLine, file: string): Promise<string> {
  const { status } = await import("../../operations/status.ts");
  const { requireArchive, restore } = await import("../../operations/restore.ts");
  await requireArchive(file);
  await cli.engine(restore);
  const { conversations, location } = await cli.run(status, {});
  return `Replace ${counted(conversations, "conversation")} in ${location} by ${file}?`;
}
