import type { Command } from "commander";
import { isPalimpsestError, PalimpsestError } from "../../../errors.ts";
import type { EmbedStep, reembedMemories } from "../../../operations/memory/memory-reembed.ts";
import { count, counted } from "../../amounts.ts";
import type { CommandLine } from "../../command-line.ts";
import { EXIT_CODES } from "../../exit-codes.ts";
import type { OutputOf } from "../../output-of.ts";
import { bar } from "../../progress.ts";

type Output = OutputOf<typeof reembedMemories>;

const EXAMPLES = `
Examples:
  lcm memory reembed            after embeddingModel was changed; again goes on where it stopped
  lcm memory reembed --prune    and remove what former models made, once nothing is missing

Prune only where no other process uses this store with another embeddingModel: it would lose the vectors that it
searches with, and make them anew.`;

export function addMemoryReembed(memory: Command, cli: CommandLine): void {
  memory
    .command("reembed")
    .description("make the vectors that are missing for the configured model")
    .option("--prune", "then remove vectors of all other models, once nothing is missing")
    .addHelpText("after", EXAMPLES)
    .action(async ({ prune = false }: { prune?: boolean }) => {
      const { reembedMemories } = await import("../../../operations/memory/memory-reembed.ts");
      const reached = { embed: 0, prune: 0 };
      const onProgress = ({ step, done, total }: EmbedStep) => {
        reached[step] = done;
        const what = step === "prune" ? "looked at for vectors of other models" : "embedded";
        cli.progress.show(
          `${bar(done, total)} ${count(done)} of ${counted(total, "memory", "memories")} ${what}`,
        );
      };
      const output = await cli.run(reembedMemories, { prune }, onProgress).catch((error: unknown) => {
        throw explainStop(error, reached, cli.suggest(prune ? "memory reembed --prune" : "memory reembed"));
      });
      if (output.notPruned !== null) cli.exitCode = EXIT_CODES.busy;
      await cli.answer(output, () => [madeLine(output), ...othersLines(output, prune, cli)].join("\n"));
    });
}

function madeLine({ made, missing, model }: Output): string {
  if (made === 0 && missing === 0) return `Every memory has vectors of ${model}.`;
  return `${counted(made, "memory has", "memories have")} vectors of ${model} now; ${count(missing)} missing.`;
}

function othersLines({ pruned, notPruned, others }: Output, prune: boolean, cli: CommandLine): string[] {
  const left = `${counted(others, "vector")} of other models`;
  const again = cli.suggest("memory reembed --prune");
  if (notPruned !== null) return [`Nothing was pruned: ${notPruned}. Go on with: ${again}`];
  if (!prune)
    return others === 0 ? [] : [`${left} ${others === 1 ? "stays" : "stay"}. Remove with: ${again}`];
  const removed = `${counted(pruned, "vector")} of other models removed.`;
  return others === 0 ? [removed] : [`${removed} ${left} came meanwhile, from another process.`];
}

/** What was made stays, and what was removed is gone. */
function explainStop(error: unknown, reached: Record<EmbedStep["step"], number>, again: string): unknown {
  if (!isPalimpsestError(error, "cancelled")) return error;
  const made = `${counted(reached.embed, "memory has", "memories have")} new vectors, which stay`;
  const pruned = `${counted(reached.prune, "memory has", "memories have")} no vectors of other models any more`;
  return new PalimpsestError(
    "cancelled",
    reached.prune === 0 ? `stopped; ${made}` : `stopped; ${made}, and ${pruned}`,
    {
      advice: `Go on with: ${again}`,
      cause: error,
    },
  );
}
