/** `lcm files add`: standard input is copied to a temporary file, and has no file name. */
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
