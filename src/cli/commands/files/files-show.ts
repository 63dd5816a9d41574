import type { Command } from "commander";
import type { CommandLine } from "../../command-line.ts";
import { aboutFile, howToRead } from "../../render/render-file.ts";

const EXAMPLES = `
Example:
  lcm files show file_0123456789abcdef`;

export function addFilesShow(files: Command, cli: CommandLine): void {
  files
    .command("show <id>")
    .description("what a file is, where it came from, and what is in it")
    .addHelpText("after", EXAMPLES)
    .action(async (id: string) => {
      const { showFile } = await import("../../../operations/files/files-show.ts");
      const output = await cli.run(showFile, { id });
      await cli.answer(output, (look) =>
        [...aboutFile(output, look), howToRead(output, look, (words) => cli.suggest(words))].join("\n\n"),
      );
    });
}
