import type { Command } from "commander";
import type { CommandLine } from "../../command-line.ts";
import { addFilesAdd } from "./files-add.ts";
import { addFilesCat } from "./files-cat.ts";
import { addFilesExplore } from "./files-explore.ts";
import { addFilesGc } from "./files-gc.ts";
import { addFilesList } from "./files-list.ts";
import { addFilesMigrate } from "./files-migrate.ts";
import { addFilesShow } from "./files-show.ts";

const HELP = `
Without a command it lists them:
  lcm files                                        those stored last first
  lcm files list my-session --kind tool-output     long results of one session
  lcm files show file_0123456789abcdef             what is in it
  lcm files cat file_0123456789abcdef > copy       byte for byte
  lcm files add trace.log --conversation my-session
  lcm grep --scope files "connection refused"      lines inside of them`;

const COMMANDS = [
  addFilesList,
  addFilesShow,
  addFilesCat,
  addFilesAdd,
  addFilesExplore,
  addFilesMigrate,
  addFilesGc,
];

export function addFiles(program: Command, cli: CommandLine): void {
  const files = program
    .command("files")
    .description("files and long results of tools that are kept apart: list, read, add")
    .addHelpText("after", HELP);
  for (const add of COMMANDS) add(files, cli);
}
