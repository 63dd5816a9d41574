/** Erases content by any id. An erased memory cannot be restored. */
import { erase } from "../../operations/erase.ts";
import { idIn, kindOfId } from "../../text/identifiers.ts";
import { runCommand } from "../call.ts";
import type { CommandLine } from "../command-line.ts";
import { fieldsIn, type Typed } from "../typed.ts";

export async function runErase(cli: CommandLine, typed: Typed): Promise<void> {
  const { id } = fieldsIn(typed, "input");
  if (kindOfId(idIn(String(id))) !== "memory") return runCommand(cli, erase, typed);
  const { forgetMemory } = await import("../../operations/memory/memory-forget.ts");
  await runCommand(cli, forgetMemory, typed, { erase: true });
}
