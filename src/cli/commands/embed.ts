import type { Command } from "commander";
import { isPalimpsestError, PalimpsestError } from "../../errors.ts";
import type { EmbedSaidStep } from "../../operations/embed.ts";
import { count, counted } from "../amounts.ts";
import type { CommandLine } from "../command-line.ts";
import { bar } from "../progress.ts";

const EXAMPLES = `
Examples:
  lcm embed                                after searchByMeaning was switched on; again goes on where it stopped
  lcm grep --mode hybrid "how we ship it"  finds by words and by meaning then`;

export function addEmbed(program: Command, cli: CommandLine): void {
  program
    .command("embed")
    .description("make the vectors that are missing of what was said, to find it by its meaning")
    .addHelpText("after", EXAMPLES)
    .action(async () => {
      const { embedSaid } = await import("../../operations/embed.ts");
      let looked = 0;
      const onProgress = ({ done, total }: EmbedSaidStep) => {
        looked = done;
        cli.progress.show(`${bar(done, total)} ${count(done)} of ${counted(total, "message")}`);
      };
      const output = await cli.run(embedSaid, {}, onProgress).catch((error: unknown) => {
        throw explainStop(error, looked, cli);
      });
      const { embedded, vectors, model } = output;
      const state = `${counted(embedded, "message has", "messages have")} ${counted(vectors, "vector")} of ${model}`;
      await cli.answer(output, () =>
        output.looked === 0
          ? `Nothing is missing: ${state}.`
          : `${counted(output.looked, "message")} looked at; ${state} now.`,
      );
    });
}

/** What was made stays. */
function explainStop(error: unknown, looked: number, cli: CommandLine): unknown {
  if (!isPalimpsestError(error, "cancelled")) return error;
  return new PalimpsestError(
    "cancelled",
    `stopped; ${counted(looked, "message was", "messages were")} looked at, and their vectors stay`,
    { advice: `Go on with: ${cli.suggest("embed")}`, cause: error },
  );
}
