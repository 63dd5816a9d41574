import type { Command } from "commander";
import type { CommandLine } from "../command-line.ts";
import { renderMemoryPage } from "../render-memory-page.ts";

const EXAMPLES = `
Example:
  lcm memory show mem_0123456789abcdef      its first digits are enough where they are unique`;

export function addMemoryShow(memory: Command, cli: CommandLine): void {
  memory
    .command("show <id>")
    .description("one memory whole, with all its versions and everything that was done to it")
    .addHelpText("after", EXAMPLES)
    .action(async (id: string) => {
      const { showMemory } = await import("../../operations/memory-show.ts");
      const output = await cli.run(showMemory, { id });
      const { memory: shown } = output;
      const wayOn =
        shown.sources.length === 0
          ? `change it with: ${cli.suggest(`memory update ${shown.id} "…"`)}`
          : `read where it comes from with: ${cli.suggest(`memory source ${shown.id}`)}`;
      await cli.answer(output, (look) => renderMemoryPage(output, look, wayOn));
    });
}
