import { z } from "zod";
import { consolidateInput } from "../../memory/inputs.ts";
import { MEMORY_TIERS } from "../../memory-types.ts";
import { count, counted } from "../../text/counted.ts";
import type { Look } from "../../text/terminal/look.ts";
import { table } from "../../text/terminal/table.ts";
import type { View } from "../command.ts";
import { defineOperation } from "../operation.ts";

const tier = z.enum(MEMORY_TIERS);

type Output = z.infer<typeof outputSchema>;
const outputSchema = z.strictObject({
  dryRun: z.boolean().describe("Whether this is only a preview and nothing was changed."),
  looked: z.int().describe("Active memories that were checked."),
  archived: z
    .array(
      z.strictObject({
        id: z.string().describe("Id of the archived memory."),
        canonical: z.string().describe("Id of the duplicate that is kept."),
        reason: z.string().describe("Why."),
      }),
    )
    .readonly()
    .describe("Archived memories. Each can be restored."),
  passedOver: z.record(z.string(), z.int()).describe("Number of memories that were not compared, by reason."),
  moves: z
    .array(
      z.strictObject({
        id: z.string().describe("Id of the memory."),
        from: tier.describe("Previous tier."),
        to: tier.describe("New tier."),
        reason: z.string().describe("Why."),
      }),
    )
    .readonly()
    .describe("Memories that were moved to another tier, which changes how fast they fade."),
});

export const consolidateMemories = defineOperation({
  name: "memory-consolidate",
  summary:
    "Archive duplicate memories and move memories between tiers. Nothing is deleted, and memories younger than 7 days are left alone.",
  input: consolidateInput,
  output: outputSchema,
  command: {
    examples: [["lcm memory consolidate --dry-run", "preview the changes"], ["lcm memory consolidate"]],
    working: "comparing",
    text: (output, { look, suggest }) => {
      const { dryRun, looked, archived, moves, passedOver } = output;
      const did = dryRun ? "Would archive" : "Archived";
      const moved = counted(moves.length, "moves", "move");
      const skipped = Object.entries(passedOver).map(
        ([reason, amount]) => `${count(amount)} not compared: ${reason}`,
      );
      const head = `${did} ${count(archived.length)} of ${counted(looked, "memory", "memories")}; ${moved} to another tier.`;
      return [
        [head, ...skipped].join("\n"),
        ...(archived.length === 0 ? [] : [archivedTable(archived, look)]),
        ...(moves.length === 0 ? [] : [moveTable(moves, look)]),
        ...wayOn(output, suggest),
      ].join("\n\n");
    },
  },
  run: async (engine, input, { signal, onProgress }) => {
    const { archived, moves, ...report } = await engine.memory.maintenance.consolidate({
      ...input,
      signal,
      onProgress: ({ done }) => onProgress?.({ done, unit: "memories" }),
    });
    return {
      ...report,
      archived: archived.map(({ id, canonical, reason }) => ({ id, canonical, reason })),
      moves: moves.map(({ id, decision: { from, to, reason } }) => ({ id, from, to, reason })),
    };
  },
});

function wayOn({ dryRun, archived, moves }: Output, suggest: View<object, unknown>["suggest"]): string[] {
  if (dryRun && archived.length + moves.length > 0)
    return [`Nothing was changed. Apply with: ${suggest("memory consolidate")}`];
  const [first] = archived;
  return dryRun || first === undefined
    ? []
    : [`Restore one with: ${suggest(`memory update ${first.id} --restore`)}`];
}

function archivedTable(archived: Output["archived"], look: Look): string {
  const columns = [{ title: "archived" }, { title: "kept" }, { title: "why", flexible: true }] as const;
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
    { title: "why", flexible: true },
  ] as const;
  return table(
    columns,
    moves.map(({ id, from, to, reason }) => [id, from, to, reason]),
    look,
  );
}
