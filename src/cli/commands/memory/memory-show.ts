import type { Command } from "commander";
import type { MemoryAnswer } from "../../../operations/memory/memory-schema.ts";
import type { CommandLine } from "../../command-line.ts";
import { renderMemoryPage } from "../../render/render-memory-page.ts";

const EXAMPLES = `
Example:
  lcm memory show mem_0123456789abcdef      its first digits are enough where they are unique`;

export function addMemoryShow(memory: Command, cli: CommandLine): void {
  memory
    .command("show <id>")
    .description("one memory whole, with all its versions and everything that was done to it")
    .addHelpText("after", EXAMPLES)
    .action(async (id: string) => {
      const { showMemory } = await import("../../../operations/memory/memory-show.ts");
      const output = await cli.run(showMemory, { id });
      await cli.answer(output, (look) => renderMemoryPage(output, look, wayOn(output.memory, cli)));
    });
}

function wayOn({ id, state, supersededBy, sources }: MemoryAnswer, cli: CommandLine): string {
  if (state === "erased") return "";
  if (state === "archived") return `bring it back with: ${cli.suggest(`memory update ${id} --restore`)}`;
  if (supersededBy !== null)
    return `see what took its place with: ${cli.suggest(`memory show ${supersededBy}`)}`;
  return sources.length === 0
    ? `change it with: ${cli.suggest(`memory update ${id} "…"`)}`
    : `read where it comes from with: ${cli.suggest(`memory source ${id}`)}`;
}
