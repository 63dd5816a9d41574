import type { Command } from "commander";
import type { CommandLine } from "../command-line.ts";
import { positiveNumber } from "../option-values.ts";
import { renderTree } from "../render/render-tree.ts";

export function addTree(program: Command, cli: CommandLine): void {
  program
    .command("tree <conversation>")
    .description("the summaries as a tree: what stands in the context, and what it was made from")
    .option("--depth <levels>", "levels to draw (all)", positiveNumber)
    .action(async (conversation: string, { depth = Infinity }: { depth?: number }) => {
      const { tree } = await import("../../operations/tree.ts");
      const output = await cli.run(tree, { conversation });
      await cli.answer(output, (look) => {
        const drawn = renderTree(output, depth, look);
        if (output.summaries.length > 0) return drawn;
        return `${drawn}\n\nNo summaries yet. Make some with: ${cli.suggest(`compact ${output.conversation.id}`)}`;
      });
    });
}
