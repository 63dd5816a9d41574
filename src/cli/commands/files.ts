import type { Command } from "commander";
import type { CommandLine } from "../command-line.ts";
import { addFilesExplore } from "./files-explore.ts";

export function addFiles(program: Command, cli: CommandLine): void {
  const files = program.command("files").description("look at large files");
  for (const add of [addFilesExplore]) add(files, cli);
}
