import type { Command } from "commander";
import { isPalimpsestError, PalimpsestError } from "../../errors.ts";
import type { EmbedStep } from "../../operations/memory-reembed.ts";
import { count, counted } from "../amounts.ts";
import type { CommandLine } from "../command-line.ts";
import { bar } from "../progress.ts";

const EXAMPLES = `
Example:
  lcm memory reembed      after embeddingModel was changed; again goes on where it stopped`;

export function addMemoryReembed(memory: Command, cli: CommandLine): void {
  memory
    .command("reembed")
    .description("make the vectors that are missing for the configured model")
    .addHelpText("after", EXAMPLES)
    .action(async () => {
      const { reembedMemories } = await import("../../operations/memory-reembed.ts");
      let made = 0;
      const onProgress = ({ done, total }: EmbedStep) => {
        made = done;
        cli.progress.show(`${bar(done, total)} ${count(done)} of ${counted(total, "memory", "memories")}`);
      };
      const output = await cli.run(reembedMemories, {}, onProgress).catch((error: unknown) => {
        throw explainStop(error, made, cli);
      });
      await cli.answer(output, () =>
        output.made === 0
          ? `Every memory has vectors of ${output.model}.`
          : `${counted(output.made, "memory has", "memories have")} vectors of ${output.model} now; ${count(output.missing)} missing.`,
      );
    });
}

/** What was made stays. */
function explainStop(error: unknown, made: number, cli: CommandLine): unknown {
  if (!isPalimpsestError(error, "cancelled")) return error;
  return new PalimpsestError(
    "cancelled",
    `stopped; ${counted(made, "memory has", "memories have")} new vectors, which stay`,
    {
      advice: `Go on with: ${cli.suggest("memory reembed")}`,
      cause: error,
    },
  );
}
