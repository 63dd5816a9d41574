import type { Command } from "commander";
import type { memoryStats } from "../../../operations/memory/memory-stats.ts";
import { count, counted } from "../../amounts.ts";
import type { CommandLine } from "../../command-line.ts";
import { fields } from "../../fields.ts";
import type { Look } from "../../look.ts";
import type { OutputOf } from "../../output-of.ts";

type Output = OutputOf<typeof memoryStats>;

export function addMemoryStats(memory: Command, cli: CommandLine): void {
  memory
    .command("stats")
    .description("how many there are, of which kind, and how far vectors and index have come")
    .action(async () => {
      const { memoryStats } = await import("../../../operations/memory/memory-stats.ts");
      const output = await cli.run(memoryStats, {});
      await cli.answer(output, (look) => render(output, look, cli));
    });
}

function render(output: Output, look: Look, cli: CommandLine): string {
  const { byState, byCategory, byTier, byScope, total, unindexed } = output;
  const { superseded, archived, erased } = byState;
  return fields(
    [
      ["in force", count(byState.active)],
      [
        "on record",
        `${count(total)} (${counted(superseded, "replaced", "replaced")}, ${count(archived)} set aside, ${count(erased)} erased)`,
      ],
      ["categories", listed(byCategory)],
      ["tiers", listed(byTier)],
      ["scopes", byScope.map(({ scope, active }) => `${scope} ${count(active)}`).join(", ") || "none"],
      ["embedding", embedding(output, cli)],
      ...output.vectors.map(({ model, memories, vectors, dimensions }): [string, string] => [
        "vectors",
        `${model}: ${counted(vectors, "vector")} of ${dimensions} numbers, for ${counted(memories, "memory", "memories")}`,
      ]),
      [
        "word index",
        unindexed === 0
          ? "holds all of them"
          : `${counted(unindexed, "memory", "memories")} to come; found all the same`,
      ],
    ],
    look,
  );
}

function listed(counts: Readonly<Record<string, number>>): string {
  const present = Object.entries(counts).filter(([, amount]) => amount > 0);
  return present.map(([name, amount]) => `${name} ${count(amount)}`).join(", ") || "none";
}

function embedding({ embeddingModel, withoutVectors }: Output, cli: CommandLine): string {
  if (embeddingModel === null) return "off: memories are found by their words";
  if (withoutVectors === 0) return embeddingModel;
  return `${embeddingModel}; ${counted(withoutVectors, "memory lacks", "memories lack")} vectors (${cli.suggest("memory reembed")} makes them)`;
}
