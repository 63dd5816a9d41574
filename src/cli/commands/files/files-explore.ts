import type { Command } from "commander";
import { escapeControls } from "../../../text/escape-controls.ts";
import type { CommandLine } from "../../command-line.ts";

export function addFilesExplore(files: Command, cli: CommandLine): void {
  files
    .command("explore <path>")
    .description("what is in a file, told in a few hundred tokens")
    .action(async (path: string) => {
      const { exploreFile } = await import("../../../operations/files/files-explore.ts");
      const output = await cli.runOnSetup(exploreFile, { path });
      await cli.answer(output, () => output.text.split("\n").map(escapeControls).join("\n"));
    });
}
