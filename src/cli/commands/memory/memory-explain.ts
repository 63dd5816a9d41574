import type { Command } from "commander";
import type { CommandLine } from "../../command-line.ts";
import { EXIT_CODES } from "../../exit-codes.ts";
import { renderExplanation } from "../../render/render-explanation.ts";
import { addRecallOptions, type RecallOptions, recallOf } from "./memory-recall.ts";

const EXAMPLES = `
Examples:
  lcm memory explain "which editor do I use"
  lcm memory explain "deploy" --mode seed --limit 10`;

export function addMemoryExplain(memory: Command, cli: CommandLine): void {
  const command = memory
    .command("explain <question>")
    .description("why recall answers as it does: every stage, and what made each score; counts as no use");
  addRecallOptions(command)
    .addHelpText("after", EXAMPLES)
    .action(async (query: string, options: RecallOptions) => {
      const { explainRecall } = await import("../../../operations/memory/memory-explain.ts");
      const output = await cli.run(explainRecall, { query, ...recallOf(options) });
      if (output.memories.length === 0) cli.exitCode = EXIT_CODES["not-found"];
      await cli.answer(output, (look) => renderExplanation(output, look));
    });
}
