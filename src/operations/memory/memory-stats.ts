import { z } from "zod";
import type { MemoryStats } from "../../memory/memory-maintenance.ts";
import { MEMORY_CATEGORIES, MEMORY_TIERS } from "../../memory-types.ts";
import { count, counted } from "../../text/counted.ts";
import { quoteName } from "../../text/quote-text.ts";
import type { Look } from "../../text/terminal/look.ts";
import { fields } from "../../text/terminal/table.ts";
import { defineOperation } from "../operation.ts";
import { NO_MEANING } from "./memory-aliases.ts";
import { MEMORY_STATES } from "./memory-schema.ts";

const number = z.int();
const byName = <Name extends string>(names: readonly Name[]) => z.record(z.enum(names), number);

type Output = z.infer<typeof outputSchema>;
const outputSchema = z.strictObject({
  total: number.describe("Number of memories on record, in any state."),
  byState: byName(MEMORY_STATES).describe("Number of memories by state."),
  byCategory: byName(MEMORY_CATEGORIES).describe("Active memories by category."),
  byTier: byName(MEMORY_TIERS).describe("Active memories by tier."),
  byScope: z
    .array(
      z.strictObject({
        scope: z.string().describe("The scope."),
        active: number.describe("Active memories in this scope."),
      }),
    )
    .readonly()
    .describe("Active memories by scope."),
  vectors: z
    .array(
      z.strictObject({
        model: z.string().describe("The embedding model."),
        dimensions: number.describe("Dimensions of each embedding."),
        memories: number.describe("Memories that have embeddings from this model."),
        vectors: number.describe("Number of embeddings."),
      }),
    )
    .readonly()
    .describe("Embeddings, by model."),
  embeddingModel: z.string().nullable().describe("The embedding model; null if only words are searched."),
  withoutVectors: number.describe(
    "Memories without an embedding from that model; they are found by words only.",
  ),
  unindexed: number.describe("Memories that the word index does not hold yet; they are still searchable."),
});

export const memoryStats = defineOperation({
  name: "memory-stats",
  summary: "Count memories by category and state, and report how many are embedded and indexed.",
  input: z.strictObject({}),
  output: outputSchema,
  command: { text: (output, { look, suggest }) => renderForPeople(output, look, suggest) },
  tool: {
    name: "memory_stats",
    description: "Count memories by category, scope, tier and state, and report the progress of embeddings.",
    aliases: { scope: { ...NO_MEANING, means: "ignored: all scopes are reported" } },
    text: render,
  },
  run: async (engine) => toStats(await engine.memory.maintenance.stats()),
});

export function toStats(stats: MemoryStats): Output {
  const { byState, vectors, embeddingModel } = stats;
  const withWords = byState.active + byState.superseded + byState.archived;
  const made = vectors.find(({ model }) => model === embeddingModel)?.memories ?? 0;
  const withoutVectors = embeddingModel === null ? 0 : Math.max(0, withWords - made);
  return { ...stats, withoutVectors };
}

function render({ byState, byCategory, byTier, byScope, ...rest }: Output): string {
  const listed = (counts: Readonly<Record<string, number>>) =>
    Object.entries(counts)
      .map(([name, amount]) => `${name} ${amount}`)
      .join(", ");
  const { embeddingModel, withoutVectors } = rest;
  const vectors =
    embeddingModel === null
      ? "no embedding model: memories are searched by words only"
      : `${quoteName(embeddingModel)}; ${counted(withoutVectors, "memory has", "memories have")} no embedding yet`;
  return [
    `${counted(byState.active, "memory", "memories")} active, ${counted(rest.total, "memory", "memories")} in total.`,
    `By state: ${listed(byState)}`,
    `By category: ${listed(byCategory)}`,
    `By tier: ${listed(byTier)}`,
    `By scope: ${byScope.map(({ scope, active }) => `${quoteName(scope)} ${active}`).join(", ") || "none"}`,
    `Embeddings: ${vectors}`,
  ].join("\n");
}

function renderForPeople(output: Output, look: Look, suggest: (words: string) => string): string {
  const { byState, byCategory, byTier, byScope, total, unindexed } = output;
  const { superseded, archived, erased } = byState;
  return fields(
    [
      ["active", count(byState.active)],
      [
        "total",
        `${count(total)} (${count(superseded)} replaced, ${count(archived)} archived, ${count(erased)} erased)`,
      ],
      ["categories", listed(byCategory)],
      ["tiers", listed(byTier)],
      ["scopes", byScope.map(({ scope, active }) => `${scope} ${count(active)}`).join(", ") || "none"],
      ["embedding model", embedding(output, suggest)],
      ...output.vectors.map(({ model, memories, vectors, dimensions }): [string, string] => [
        "embeddings",
        `${model}: ${counted(vectors, "embedding")} with ${dimensions} dimensions, for ${counted(memories, "memory", "memories")}`,
      ]),
      [
        "word index",
        unindexed === 0
          ? "complete"
          : `${counted(unindexed, "memory", "memories")} pending (still searchable)`,
      ],
    ],
    look,
  );
}

function listed(counts: Readonly<Record<string, number>>): string {
  const present = Object.entries(counts).filter(([, amount]) => amount > 0);
  return present.map(([name, amount]) => `${name} ${count(amount)}`).join(", ") || "none";
}

function embedding({ embeddingModel, withoutVectors }: Output, suggest: (words: string) => string): string {
  if (embeddingModel === null) return "off: memories are searched by words only";
  if (withoutVectors === 0) return embeddingModel;
  return `${embeddingModel}; ${counted(withoutVectors, "memory lacks", "memories lack")} embeddings (${suggest("memory reembed")} creates them)`;
}
