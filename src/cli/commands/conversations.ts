import type { Command } from "commander";
import type { CommandLine } from "../command-line.ts";
import { addArchive } from "./conversations-archive.ts";
import { addDelete } from "./conversations-delete.ts";
import { addList } from "./conversations-list.ts";
import { addRename } from "./conversations-rename.ts";

/** The list is what the command does by itself, so its options are told here too. */
const LIST_HELP = `
Without a command it lists them:
  lcm conversations                   what is there, last changed first
  lcm conversations --archived        archived ones too
  lcm conversations --from 20 --limit 10`;

export function addConversations(program: Command, cli: CommandLine): void {
  const conversations = program
    .command("conversations")
    .description("list, rename, archive or delete conversations")
    .addHelpText("after", LIST_HELP);
  for (const add of [addList, addRename, addArchive, addDelete]) add(conversations, cli);
}
