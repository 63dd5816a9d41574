import type { Command } from "commander";
import type { consolidateMemories } from "../../../operations/memory/memory-consolidate.ts";
import { count, counted } from "../../amounts.ts";
import type { CommandLine } from "../../command-line.ts";
import type { Look } from "../../look.ts";
import { share } from "../../memory-options.ts";
import type { OutputOf } from "../../output-of.ts";
import { table } from "../../table.ts";

type Output = OutputOf<typeof consolidateMemories>;

const EXAMPLES = `
Examples:
  lcm memory consolidate --dry-run     what it would do
  lcm memory consolidate

What is younger than 7 days is left as it is.`;

export function addMemoryConsolidate(memory: Command, cli: CommandLine): void {
  memory
    .command("consolidate")
    .description("set aside what says the same twice, and move memories between tiers; nothing is deleted")
    .option("--dry-run", "only tell what would be done")
    .option("--threshold <number>", "how near two must be, 0 to 1 (0.88)", share)
    .addHelpText("after", EXAMPLES)
    .action(async ({ dryRun, threshold }: { dryRun?: true; threshold?: number }) => {
      const { consolidateMemories } = await import("../../../operations/memory/memory-consolidate.ts");
      const output = await cli.run(consolidateMemories, { dryRun, threshold }, cli.steps("comparing"));
      await cli.answer(output, (look) => render(output, look, cli));
    });
}

function render(output: Output, look: Look, cli: CommandLine): string {
  const { dryRun, looked, archived, moves, passedOver } = output;
  const did = dryRun ? "Would set aside" : "Set aside";
  const skipped = Object.entries(passedOver).map(
    ([reason, amount]) => `${count(amount)} not compared: ${reason}`,
  );
  return [
    [
      `${did} ${count(archived.length)} of ${counted(looked, "memory", "memories")}; ${counted(moves.length, "moves", "move")} to another tier.`,
      ...skipped,
    ].join("\n"),
    ...(archived.length === 0 ? [] : [archivedTable(archived, look)]),
    ...(moves.length === 0 ? [] : [moveTable(moves, look)]),
    ...wayOn(output, cli),
  ].join("\n\n");
}

function wayOn({ dryRun, archived, moves }: Output, cli: CommandLine): string[] {
  if (dryRun && archived.length + moves.length > 0)
    return [`Nothing was changed. Do it with: ${cli.suggest("memory consolidate")}`];
  const [first] = archived;
  return dryRun || first === undefined
    ? []
    : [`Bring one back with: ${cli.suggest(`memory update ${first.id} --restore`)}`];
}

function archivedTable(archived: Output["archived"], look: Look): string {
  const columns = [{ title: "set aside" }, { title: "stays" }, { title: "why", flexible: true as const }];
  return table(
    columns,
    archived.map(({ id, canonical, reason }) => [id, canonical, reason]),
    look,
  );
}

function moveTable(moves: Output["moves"], look: Look): string {
  const columns = [
    { title: "memory" },
    { title: "from" },
    { title: "to" },
    { title: "why", flexible: true as const },
  ];
  return table(
    columns,
    moves.map(({ id, from, to, reason }) => [id, from, to, reason]),
    look,
  );
}
