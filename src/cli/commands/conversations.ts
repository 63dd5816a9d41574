import type { Command } from "commander";
import type { CommandLine } from "../command-line.ts";
import { addArchive } from "./conversations-archive.ts";
import { addDelete } from "./conversations-delete.ts";
import { addList } from "./conversations-list.ts";
import { addRename } from "./conversations-rename.ts";

export function addConversations(program: Command, cli: CommandLine): void {
  const conversations = program
    .command("conversations")
    .description("list, rename, archive or delete conversations");
  for (const add of [addList, addRename, addArchive, addDelete]) add(conversations, cli);
}
