/** `lcm memory store -`: the text is read from standard input. */
import { readFile } from "node:fs/promises";
import { storeMemory } from "../../operations/memory/memory-store.ts";
import { runCommand } from "../call.ts";
import type { CommandLine } from "../command-line.ts";
import { withSpooledInput } from "../spool-input.ts";
import { fieldsIn, type Typed } from "../typed.ts";

export async function runMemoryStore(cli: CommandLine, typed: Typed): Promise<void> {
  if (fieldsIn(typed, "input").text !== "-") return runCommand(cli, storeMemory, typed);
  const text = await withSpooledInput(cli, (file) => readFile(file, "utf8"));
  await runCommand(cli, storeMemory, typed, { text: text.trim() });
}
