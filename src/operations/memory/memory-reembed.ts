import { z } from "zod";
import { PalimpsestError } from "../../errors.ts";
import { reembedInput } from "../../memory/inputs.ts";
import type { ReembedProgress } from "../../memory/remember/reembed.ts";
import { count, counted } from "../../text/counted.ts";
import { bar } from "../../text/terminal/table.ts";
import { defineOperation } from "../operation.ts";
import { toStats } from "./memory-stats.ts";

/** The progress of a run. */
export interface EmbedStep extends ReembedProgress {
  readonly total: number;
  readonly unit: "memories";
}

type Output = z.infer<typeof outputSchema>;
const outputSchema = z.strictObject({
  model: z.string().describe("The embedding model."),
  made: z.int().describe("Memories that were embedded in this run."),
  missing: z.int().describe("Memories that have no embedding from this model yet."),
  pruned: z.int().describe("Embeddings of other models that were removed in this run."),
  notPruned: z
    .string()
    .nullable()
    .describe("Why nothing was pruned although it was requested; otherwise null."),
  others: z.int().describe("Embeddings of other models that remain."),
});

export const reembedMemories = defineOperation<
  z.infer<typeof reembedInput>,
  z.infer<typeof outputSchema>,
  EmbedStep
>({
  name: "memory-reembed",
  summary:
    "Create missing embeddings for the configured model. Embeddings of other models are used until then, and kept unless pruned.",
  input: reembedInput,
  output: outputSchema,
  command: {
    examples: [
      ["lcm memory reembed", "after changing embeddingModel; re-running resumes where it left off"],
      ["lcm memory reembed --prune", "then remove embeddings of other models"],
    ],
    progress: ({ step, done, total }) => {
      const what = step === "prune" ? "checked for embeddings of other models" : "embedded";
      return `${bar(done, total)} ${count(done)} of ${counted(total, "memory", "memories")} ${what}`;
    },
    outcome: ({ notPruned }) => (notPruned === null ? undefined : "busy"),
    text: (output, { input: { prune = false }, suggest }) =>
      [madeLine(output), ...othersLines(output, prune, suggest)].join("\n"),
    stopped: (error, { again }, last) =>
      error.code === "cancelled"
        ? new PalimpsestError("cancelled", `stopped; ${whatWasDone(last)}`, {
            advice: `Resume with: ${again()}`,
            cause: error,
          })
        : error,
  },
  run: async (engine, { prune = false }, { signal, onProgress }) => {
    const { embeddingModel: model, ...before } = toStats(await engine.memory.maintenance.stats());
    if (model === null) throw noEmbedder();
    const totals = { embed: before.withoutVectors, prune: before.total };
    const report = await engine.memory.maintenance.reembed({
      prune,
      signal,
      onProgress: (made) => onProgress?.({ ...made, total: totals[made.step], unit: "memories" }),
    });
    const { withoutVectors: missing, vectors } = toStats(await engine.memory.maintenance.stats());
    const others = vectors.reduce((sum, one) => sum + (one.model === model ? 0 : one.vectors), 0);
    return { model, ...report, missing, others };
  },
});

function noEmbedder(): PalimpsestError {
  return new PalimpsestError(
    "not-supported",
    "no embedding model is configured, so there are no embeddings to create",
    {
      advice:
        "Memories are searched by words only. Set embeddingModel to use embeddings: see lcm config show",
    },
  );
}

function madeLine({ made, missing, model }: Output): string {
  if (made === 0 && missing === 0) return `Every memory has embeddings (${model}).`;
  return `${counted(made, "memory now has", "memories now have")} embeddings (${model}); ${count(missing)} missing.`;
}

function othersLines(
  { pruned, notPruned, others }: Output,
  prune: boolean,
  suggest: (words: string) => string,
): string[] {
  const left = `${counted(others, "embedding")} of other models`;
  const again = suggest("memory reembed --prune");
  if (notPruned !== null) return [`Nothing was pruned: ${notPruned}. Resume with: ${again}`];
  if (!prune)
    return others === 0 ? [] : [`${left} ${others === 1 ? "is" : "are"} kept. Remove with: ${again}`];
  const removed = `${counted(pruned, "embedding")} of other models removed.`;
  return others === 0 ? [removed] : [`${removed} Another process added ${left} meanwhile.`];
}

/** Completed embeddings and removals are kept. */
function whatWasDone(last: EmbedStep | undefined): string {
  const memories = counted(last?.done ?? 0, "memory has", "memories have");
  return last?.step === "prune"
    ? `embeddings made so far are kept, and ${memories} no embeddings of other models any more`
    : `${memories} new embeddings, which are kept`;
}
