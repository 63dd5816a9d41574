import type { Command } from "commander";
import { escapeControls } from "../../text/escape-controls.ts";
import { bytes, counted } from "../amounts.ts";
import type { CommandLine } from "../command-line.ts";

export function addBackup(program: Command, cli: CommandLine): void {
  program
    .command("backup [folder]")
    .description("write the whole store into one file, also while it is in use")
    .action(async (folder: string | undefined) => {
      const { backup } = await import("../../operations/store/backup.ts");
      const output = await cli.run(backup, { folder }, cli.steps("backing up"));
      const { file, conversations, messages } = output;
      await cli.answer(output, () =>
        [
          `Backup: ${escapeControls(file)}`,
          `${counted(conversations, "conversation")}, ${counted(messages, "message")}, ${bytes(output.bytes)} before compression.`,
          `Bring it back with: ${cli.suggest(`restore ${escapeControls(file)}`)}`,
        ].join("\n"),
      );
    });
}
