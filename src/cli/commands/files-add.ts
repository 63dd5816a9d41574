/** A file that comes by standard input is kept apart while it is read, and has no name of its own. */
import { addFile } from "../../operations/files/files-add.ts";
import { runCommand } from "../call.ts";
import type { CommandLine } from "../command-line.ts";
import { withSpooledInput } from "../spool-input.ts";
import { fieldsIn, type Typed } from "../typed.ts";

export async function runFilesAdd(cli: CommandLine, typed: Typed): Promise<void> {
  const { path, name = null } = fieldsIn(typed, "input");
  if (path !== "-") return runCommand(cli, addFile, typed);
  await withSpooledInput(cli, (file) => runCommand(cli, addFile, typed, { path: file, name }));
}
