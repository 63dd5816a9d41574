import type { Command } from "commander";
import { isPalimpsestError } from "../../errors.ts";
import type { restore } from "../../operations/store/restore.ts";
import { escapeControls } from "../../text/escape-controls.ts";
import { counted } from "../amounts.ts";
import type { CommandLine } from "../command-line.ts";
import type { OutputOf } from "../output-of.ts";

type Output = OutputOf<typeof restore>;

export function addRestore(program: Command, cli: CommandLine): void {
  program
    .command("restore <file>")
    .description("replace the whole store by a backup, after a backup of what is there")
    .option("--yes", "do not ask")
    .action(async (file: string, options: { yes?: true }) => {
      const { restore } = await import("../../operations/store/restore.ts");
      await cli.confirm(() => question(cli, file), options);
      const output = await cli.runOnSetup(restore, { file }, cli.steps("backing up and restoring"));
      const { conversations, messages } = output;
      await cli.answer(output, () =>
        [
          `Restored ${counted(conversations, "conversation")} with ${counted(messages, "message")}.`,
          before(output),
        ].join("\n"),
      );
    });
}

function before({ safetyBackup, damagedFile }: Output): string {
  if (damagedFile !== null)
    return `The damaged database of before is kept as: ${escapeControls(damagedFile)}`;
  if (safetyBackup !== null) return `What was there before is in: ${escapeControls(safetyBackup)}`;
  return "The store was empty before.";
}

async function question(cli: CommandLine, file: string): Promise<string> {
  const { status } = await import("../../operations/status.ts");
  const { requireArchive } = await import("../../operations/store/restore.ts");
  await requireArchive(file);
  try {
    const { conversations, location } = await cli.run(status, {});
    return `Replace ${counted(conversations, "conversation")} in ${location} by ${file}?`;
  } catch (error) {
    if (isPalimpsestError(error, "not-found"))
      return `Nothing is replaced: ${error.message}. Make one from ${file}?`;
    if (!isPalimpsestError(error, "store-corrupt")) throw error;
    return `The store is damaged (${error.message}). Keep it under another name and restore ${file}?`;
  } finally {
    // Its files may have to be moved.
    await cli.close();
  }
}
