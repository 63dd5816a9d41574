import type { Command } from "commander";
import { bytes, counted } from "../../amounts.ts";
import type { CommandLine } from "../../command-line.ts";

const EXAMPLES = `
Examples:
  lcm files gc --dry-run
  lcm files gc`;

export function addFilesGc(files: Command, cli: CommandLine): void {
  files
    .command("gc")
    .description("remove contents that no file refers to any more, of the whole store")
    .option("--dry-run", "only count them")
    .addHelpText("after", EXAMPLES)
    .action(async ({ dryRun }: { dryRun?: true }) => {
      const { collectGarbage } = await import("../../../operations/files/files-gc.ts");
      cli.progress.show("looking for contents that nothing refers to …");
      const output = await cli.run(collectGarbage, { dryRun });
      const { contents, bytes: size } = output;
      const what = `${counted(contents, "content")} (${bytes(size)} on disk)`;
      await cli.answer(output, () => {
        if (contents === 0) return "Everything that is kept is referred to.";
        return output.dryRun
          ? `Would remove ${what}. Do it with: ${cli.suggest("files gc")}`
          : `Removed ${what}.`;
      });
    });
}
